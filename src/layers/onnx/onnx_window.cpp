// Reading and checking the attributes of a window.
#include "layers/onnx/onnx_window.hpp"

#include <fmt/format.h>

namespace pimbb::layers {
namespace {

void check_ranks(const OnnxOperator& op, const Shape& x, const Shape& w) {
  if (x.size() == 5) op.refuse("a convolution in three dimensions; allowed are one and two");
  if (x.size() != 3 && x.size() != 4) {
    op.fail("input X", "the shape " + to_string(x), "ranks 3 (N, C, W) and 4 (N, C, H, W)");
  }
  if (w.size() != x.size()) {
    op.fail("input W", "the shape " + to_string(w), fmt::format("rank {}, X's", x.size()));
  }
}

void check_kernel(const OnnxOperator& op, const Shape& w) {
  const Shape kernel(w.begin() + 2, w.end());
  const auto* given = integer_list(op, "kernel_shape", kernel.size(), 1);
  if (given != nullptr && *given != kernel) {
    op.fail("kernel_shape", to_string(*given),
            fmt::format("{}, as in the shape {} of W", to_string(kernel), to_string(w)));
  }
}

void read_axes(const OnnxOperator& op, std::string_view name, std::int64_t WindowAxis::*member,
               Window& window) {
  const auto* values = integer_list(op, name, window.axes.size(), 1);
  if (values == nullptr) return;
  for (std::size_t i = 0; i < window.axes.size(); ++i) window.axes[i].*member = (*values)[i];
}

void read_pads(const OnnxOperator& op, Window& window) {
  const auto mode = op.strings.find("auto_pad");
  if (mode != op.strings.end()) window.auto_pad = mode->second;
  if (window.auto_pad != "NOTSET" && window.auto_pad != "VALID" && !window.same()) {
    op.fail("auto_pad", "'" + window.auto_pad + "'", "NOTSET, SAME_UPPER, SAME_LOWER and VALID");
  }
  const std::size_t axes = window.axes.size();
  const auto* pads = integer_list(op, "pads", 2 * axes, 0);
  if (pads == nullptr) return;
  if (window.auto_pad != "NOTSET") {
    op.fail("pads", "pads beside auto_pad = " + window.auto_pad, "one of the two");
  }
  for (std::size_t i = 0; i < axes; ++i) {
    window.axes[i].before = (*pads)[i];
    window.axes[i].pad = (*pads)[i] + (*pads)[i + axes];
  }
}

}  // namespace

Plane input_plane(const Window& window) {
  return {window.axes.back().input, window.axes.size() == 2 ? window.axes[0].input : 1};
}

const std::vector<std::int64_t>* integer_list(const OnnxOperator& op, std::string_view name,
                                              std::size_t size, std::int64_t least) {
  const auto found = op.integers.find(name);
  if (found == op.integers.end()) return nullptr;
  const std::vector<std::int64_t>& values = found->second;
  bool good = values.size() == size;
  for (const std::int64_t v : values) good = good && v >= least && v <= kLargestSize;
  if (!good) {
    op.fail(name, to_string(values),
            fmt::format("lists of {} integers {} .. {}", size, least, kLargestSize));
  }
  return &values;
}

std::int64_t group_count(const OnnxOperator& op) {
  const std::int64_t groups = op.integer("group", 1);
  if (groups < 1 || groups > kLargestSize) {
    op.fail("group", std::to_string(groups), fmt::format("integers 1 .. {}", kLargestSize));
  }
  return groups;
}

Window read_window(const OnnxOperator& op, const Shape& x, const Shape& w) {
  check_ranks(op, x, w);
  Window window;
  window.axes.resize(x.size() - 2);
  for (std::size_t i = 0; i < window.axes.size(); ++i) {
    window.axes[i].input = x[i + 2];
    window.axes[i].kernel = w[i + 2];
  }
  check_kernel(op, w);
  read_axes(op, "strides", &WindowAxis::stride, window);
  read_axes(op, "dilations", &WindowAxis::dilation, window);
  read_pads(op, window);
  return window;
}

}  // namespace pimbb::layers
