// Demands of dataflows that depend on the architecture and the layer only.
#pragma once

#include "pimbb/dram_pim/method.hpp"

namespace pimbb::dram_pim::model {

/// The innermost level that may store t.
std::size_t home_level(const Architecture& architecture, Tensor t);

/// Whether a dataflow demands that `level` stores t.
bool must_store(const Architecture& architecture, Method method, std::size_t level, Tensor t);

/// The unrolling of a row-stationary mapping over rows and columns of the array: exactly this
/// number of filter rows, the largest divisor of S that fits; and at least this factor of the
/// output rows, the least divisor of Q above 1 that fits next to them, or 1 if there is none.
struct RowUnrolling {
  std::int64_t filter_rows = 1;
  std::int64_t output_rows = 1;
};
RowUnrolling row_unrolling(const PeArray& array, const Workload& workload);

}  // namespace pimbb::dram_pim::model
