// Open MPI as a module: processes that mpirun has started, for explorations.
//
// The executable does not link Open MPI, which need not be installed. The module pimbb_mpi.so does,
// and is opened in a process that mpirun has started. Both exchange C++ objects and must be of one
// build: the module states its version and the size of what it exchanges.
#pragma once

#include <cstddef>
#include <memory>

#include "pimbb/explore.hpp"

namespace pimbb::mpi {

struct MpiModule {
  const char* version;
  std::size_t message_size;  ///< of Ranks::Message
  std::unique_ptr<Ranks> (*open)();
};

/// The name of the module's MpiModule.
inline constexpr const char* kMpiModuleSymbol = "pimbb_mpi_module";

}  // namespace pimbb::mpi
