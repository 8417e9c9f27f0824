// What mpirun tells a process by its environment, and loading the module.
#include "mpi/open_ranks.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "mpi/mpi_module.hpp"
#include "pimbb/error.hpp"
#include "run/load_module.hpp"

namespace pimbb::mpi {

std::unique_ptr<Ranks> open_ranks() {
  // Nothing changes the environment.
  const char* processes = std::getenv("OMPI_COMM_WORLD_SIZE");  // NOLINT(concurrency-mt-unsafe)
  if (processes == nullptr || processes == std::string_view("1")) return nullptr;
  try {
    const auto* module =
        static_cast<const MpiModule*>(run::load_module("pimbb_mpi.so", kMpiModuleSymbol));
    if (module->version != std::string_view(PIMBB_VERSION) ||
        module->message_size != sizeof(Ranks::Message)) {
      throw run::ModuleError("it is of another version");
    }
    return module->open();
  } catch (const run::ModuleError& error) {
    throw InputError(fmt::format(
        "mpirun: found {} processes, but the module that joins them cannot be loaded: {}; build "
        "pimbb with libopenmpi-dev and -Dmpi=enabled, or start one process",
        processes, error.what()));
  }
}

}  // namespace pimbb::mpi
