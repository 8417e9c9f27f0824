// The executable: subcommands from a table, and every way to fail turned into an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

#include "cli/commands.hpp"
#include "dram_pim/cli/commands.hpp"
#include "pimbb/error.hpp"
#include "terminal/completion.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/man.hpp"
#include "terminal/program.hpp"

namespace {

constexpr pimbb::terminal::ProgramText kText{
    .name = "pimbb",
    .version = "pimbb " PIMBB_VERSION,
    .description =
        "pimbb maps neural-network layers onto DRAM processing-in-memory accelerators\n"
        "and proves that no better mapping exists.",
    .beginning =
        "'pimbb COMMAND --help' explains a command. To begin:\n"
        "  pimbb map --layer resnet18:conv2_x",
    .exit_codes =
        "Exit codes: 0 proven optimal, 2 bad input, 3 not proven (limit hit, interrupted, "
        "heuristic),\n"
        "4 infeasible, 1 internal error.",
};

/// The tenants' commands, and those that belong to no problem.
std::vector<pimbb::terminal::Command> commands() {
  std::vector<pimbb::terminal::Command> all = pimbb::dram_pim::cli::commands();
  const auto bench = all.end() - 1;
  all.insert(bench, pimbb::cli::lp_command());
  all.push_back(pimbb::terminal::completion_command());
  all.push_back(pimbb::terminal::man_command());
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen where the output is written
  try {
    pimbb::terminal::Program program(kText, commands());
    return program.run(argc, argv);
  } catch (const pimbb::InputError& error) {
    std::fprintf(stderr, "pimbb: %s\n", error.what());
    return pimbb::terminal::kBadInput;
  } catch (const std::bad_alloc&) {
    std::fputs("pimbb: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pimbb: internal error: %s\n", error.what());
  }
  return pimbb::terminal::kInternal;
}
