// Boxes and steps read off the address map of the sequential layout.
#include "dram_pim/rows/dense_tensor.hpp"

namespace pimbb::dram_pim::rows {

std::int64_t span(const AddressBox& box) {
  std::int64_t bytes = 0;
  for (const AddressAxis& axis : box) bytes += (axis.count - 1) * axis.stride;
  return bytes;
}

AddressBox box_in(const ElementMap& dense, const Indices& extent) {
  AddressBox box{};
  for (std::size_t k = 0; k < kAxes; ++k) {
    box[k] = {extent[dense.axes[k].index], dense.axes[k].stride};
  }
  return box;
}

AddressBox tile_box(const Architecture& architecture, const Workload& workload, Tensor t,
                    const Factors& tile) {
  return box_in(dense_map(architecture, workload, t), extents(workload, t, tile));
}

std::int64_t first_address(const Architecture& architecture, const Workload& workload, Tensor t) {
  return dense_map(architecture, workload, t).first;
}

Factors loop_strides(const Architecture& architecture, const Workload& workload, Tensor t) {
  const ElementMap map = dense_map(architecture, workload, t);
  Factors strides{};
  for (const Dim d : kAllDims) {
    Factors step{};
    step[index(d)] = 1;
    const Indices moved = first_element(workload, t, step);
    for (const ElementAxis& axis : map.axes) strides[index(d)] += moved[axis.index] * axis.stride;
  }
  return strides;
}

}  // namespace pimbb::dram_pim::rows
