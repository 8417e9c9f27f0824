// When the two axes are alike.
#include "dram_pim/mapper/symmetry.hpp"

#include <algorithm>

namespace pimbb::dram_pim::mapper {

bool can_turn(const Architecture& architecture, const Workload& workload, RowModel model) {
  const PeArray& pe = architecture.pe_array;
  const bool same_array =
      std::all_of(kAllDirections.begin(), kAllDirections.end(), [&](Direction d) {
        return pe.allows(d, Dim::P) == pe.allows(d, Dim::Q) &&
               pe.allows(d, Dim::R) == pe.allows(d, Dim::S);
      });
  return traits(model).turns && same_array && workload.bound(Dim::P) == workload.bound(Dim::Q) &&
         workload.bound(Dim::R) == workload.bound(Dim::S) &&
         workload.stride_w == workload.stride_h && workload.dilation_w == workload.dilation_h;
}

}  // namespace pimbb::dram_pim::mapper
