// The executable: every way to fail turned into an exit code.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/all_commands.hpp"
#include "cli/build_facts.hpp"
#include "mpi/open_ranks.hpp"
#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"
#include "run/kept_memory.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/explore/explore.hpp"
#include "terminal/program.hpp"

namespace {

constexpr pimbb::terminal::ProgramText kText{
    .name = "pimbb",
    .version = "pimbb " PIMBB_VERSION,
    .build = "commit   " PIMBB_COMMIT "\ncompiler " PIMBB_COMPILER "\nfeatures " PIMBB_FEATURES,
    .description =
        "pimbb maps neural networks onto processing-in-memory accelerators, in DRAM, in SRAM and "
        "in\n"
        "crossbars, and proves that no better mapping exists.",
    .beginning =
        "'pimbb COMMAND --help' explains a command. To begin:\n"
        "  pimbb map --layer resnet18:conv2_x",
    .exit_codes =
        "Exit codes: 0 proven optimal, 2 bad input, 3 not proven (limit hit, interrupted, "
        "heuristic),\n"
        "4 infeasible, 1 internal error.",
};

constexpr std::string_view kOutOfMemory = "pimbb: out of memory\n";

/// Libraries that declare noexcept, and yet allocate, end here when there is no memory; so do
/// threads. Nothing is allocated: the text goes to standard error as it is. No destructor of the
/// others is called, so that what they write is removed here.
[[noreturn]] void on_terminate() {
  std::string_view text = "pimbb: internal error: terminated\n";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    text = kOutOfMemory;
  } catch (...) {  // without a name, which could be anything
  }
  pimbb::remove_unfinished_files();
  const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  if (text != kOutOfMemory) std::abort();
  static_cast<void>(written);
  _exit(pimbb::terminal::kInternal);
}

}  // namespace

int main(int argc, char** argv) {
  pimbb::run::keep_freed_memory();
  std::set_terminate(on_terminate);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen where the output is written
  pimbb::terminal::open_ranks = pimbb::mpi::open_ranks;
  try {
    pimbb::terminal::Program program(kText, pimbb::cli::all_commands());
    return program.run(argc, argv);
  } catch (const pimbb::InputError& error) {
    std::fprintf(stderr, "pimbb: %s\n", error.what());
    return pimbb::terminal::kBadInput;
  } catch (const std::bad_alloc&) {
    std::fputs(kOutOfMemory.data(), stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pimbb: internal error: %s\n", error.what());
  }
  return pimbb::terminal::kInternal;
}
