// What dataflows demand of an architecture and a layer, whatever the mapping.
#pragma once

#include "pimbb/dram_pim/method.hpp"

namespace pimbb::dram_pim::model {

/// The innermost level that may store t.
std::size_t home_level(const Architecture& architecture, Tensor t);

/// Whether a dataflow demands that `level` stores t.
bool must_store(const Architecture& architecture, Method method, std::size_t level, Tensor t);

/// What a row-stationary mapping unrolls over rows and columns of the array: exactly so many filter
/// rows, the largest divisor of S that fits; of the output rows a factor that is at least this, the
/// least divisor of Q above 1 that fits beside them, or 1 if there is none.
struct RowUnrolling {
  std::int64_t filter_rows = 1;
  std::int64_t output_rows = 1;
};
RowUnrolling row_unrolling(const PeArray& array, const Workload& workload);

}  // namespace pimbb::dram_pim::model
