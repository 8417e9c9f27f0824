// Strides from the innermost axis outwards; the input's axes are windows over two dimensions each.
#include "dram_pim/rows/dense_tensor.hpp"

namespace pimbb::dram_pim::rows {
namespace {

struct InputStrides {  ///< bytes between neighbours
  std::int64_t n, g, c, h, w;
};

InputStrides input_strides(const Architecture& architecture, const Workload& workload) {
  const std::int64_t element = architecture.element_bytes(Tensor::input);
  const std::int64_t in_group = workload.bound(Dim::C);
  const std::int64_t channels = workload.bound(Dim::G) * in_group;
  const Frame frame = workload.frame(Tensor::input);
  const std::int64_t width = frame.width;
  const std::int64_t plane = frame.height * width;
  if (architecture.input_order == InputOrder::nhwc) {
    return {plane * channels * element, in_group * element, element, width * channels * element,
            channels * element};
  }
  return {plane * channels * element, plane * in_group * element, plane * element, width * element,
          element};
}

Box input_box(const Architecture& architecture, const Workload& workload, const Factors& tile) {
  const auto at = [&](Dim d) { return tile[index(d)]; };
  const auto [n, g, c, h, w] = input_strides(architecture, workload);
  const Axis batch{at(Dim::N), n};
  const Axis group{at(Dim::G), g};
  const Axis channel{at(Dim::C), c};
  const Axis high{workload.extent_h(at(Dim::Q), at(Dim::S)), h};
  const Axis wide{workload.extent_w(at(Dim::P), at(Dim::R)), w};
  if (architecture.input_order == InputOrder::nhwc) return {batch, high, wide, group, channel};
  return {batch, group, channel, high, wide};
}

/// Dimensions of weight or output, outermost first.
std::array<Dim, 5> axes(Tensor t) {
  return t == Tensor::weight ? std::array{Dim::G, Dim::K, Dim::C, Dim::S, Dim::R}
                             : std::array{Dim::N, Dim::G, Dim::K, Dim::Q, Dim::P};
}

}  // namespace

std::int64_t span(const Box& box) {
  std::int64_t bytes = 0;
  for (const Axis& axis : box) bytes += (axis.count - 1) * axis.stride;
  return bytes;
}

std::int64_t first_address(const Architecture& architecture, const Workload& workload, Tensor t) {
  if (t == Tensor::weight) return 0;
  const Frame frame = workload.frame(t);
  if (t == Tensor::input) {
    const InputStrides strides = input_strides(architecture, workload);
    return frame.top * strides.h + frame.left * strides.w;
  }
  return (frame.top * frame.width + frame.left) * architecture.element_bytes(t);
}

Factors loop_strides(const Architecture& architecture, const Workload& workload, Tensor t) {
  Factors strides{};
  if (t == Tensor::input) {
    const auto [n, g, c, h, w] = input_strides(architecture, workload);
    strides[index(Dim::R)] = w * workload.dilation_w;
    strides[index(Dim::S)] = h * workload.dilation_h;
    strides[index(Dim::P)] = w * workload.stride_w;
    strides[index(Dim::Q)] = h * workload.stride_h;
    strides[index(Dim::C)] = c;
    strides[index(Dim::N)] = n;
    strides[index(Dim::G)] = g;
    return strides;
  }
  const std::array<Dim, 5> order = axes(t);
  Factors sizes = workload.bounds;
  if (t == Tensor::output) {
    sizes[index(Dim::Q)] = workload.frame(t).height;
    sizes[index(Dim::P)] = workload.frame(t).width;
  }
  std::int64_t stride = architecture.element_bytes(t);
  for (std::size_t k = order.size(); k-- > 0;) {
    strides[index(order[k])] = stride;
    stride *= sizes[index(order[k])];
  }
  return strides;
}

Box tile_box(const Architecture& architecture, const Workload& workload, Tensor t,
             const Factors& tile) {
  if (t == Tensor::input) return input_box(architecture, workload, tile);
  const Factors strides = loop_strides(architecture, workload, t);
  const std::array<Dim, 5> order = axes(t);
  Box box{};
  for (std::size_t k = 0; k < box.size(); ++k) {
    box[k] = {tile[index(order[k])], strides[index(order[k])]};
  }
  return box;
}

}  // namespace pimbb::dram_pim::rows
