// The processes of a run that mpirun has started.
#pragma once

#include <memory>

#include "pimbb/explore.hpp"

namespace pimbb::mpi {

/// Joins the processes that Open MPI's mpirun has started; null if this one was started alone.
/// Throws InputError if there are several, but no module that joins them: each would do all the
/// work.
std::unique_ptr<Ranks> open_ranks();

}  // namespace pimbb::mpi
