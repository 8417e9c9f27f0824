// Conv as a mapping problem: X [N, G*C, (H,) W] * W [G*K, C, (S,) R] = Y [N, G*K, (Q,) P].
//
// The width is the last axis, the height the one before it; in one dimension there is no height.
// Padding is part of the input as it is stored: the problem reads an input of stride * (P - 1) +
// dilation * (R - 1) + 1 columns, zeros included, and none behind the last one that a kernel
// covers. Padding therefore matters only in so far as it decides P and Q. Models that do not move
// it know the plane without it, the one of X (Workload::input_plane). The quantized forms,
// ConvInteger and QLinearConv, have the same operands in other places.
#include <fmt/format.h>

#include <algorithm>

#include "layers/onnx/onnx_operator.hpp"
#include "layers/onnx/onnx_window.hpp"

namespace pimbb::layers {
namespace {

class ConvReader {
 public:
  ConvReader(const OnnxOperator& op, const OperandSlots& slots)
      : op_(op),
        slots_(slots),
        x_(op.input_shape(slots.x, "X")),
        w_(op.input_shape(slots.w, "W")),
        window_(read_window(op, x_, w_)) {
    for (WindowAxis& axis : window_.axes) find_output(axis);
  }

  [[nodiscard]] GraphLayer layer() const {
    GraphLayer layer;
    layer.input_slot = slots_.x;
    layer.weight_slot = slots_.w;
    const std::int64_t groups = this->groups();
    Workload& work = layer.workload;
    const auto set = [&](Dim d, std::int64_t bound) { work.bounds[index(d)] = bound; };
    set(Dim::N, x_[0]);
    set(Dim::C, w_[1]);
    set(Dim::K, w_[0] / groups);
    set(Dim::G, groups);
    const WindowAxis& width = window_.axes.back();
    work.input_plane = input_plane(window_);
    set(Dim::R, width.kernel);
    set(Dim::P, width.output);
    layer.pad_left = width.before;
    work.stride_w = width.stride;
    work.dilation_w = width.dilation;
    if (window_.axes.size() == 2) {
      const WindowAxis& height = window_.axes[0];
      set(Dim::S, height.kernel);
      set(Dim::Q, height.output);
      layer.pad_top = height.before;
      work.stride_h = height.stride;
      work.dilation_h = height.dilation;
    }
    check_shapes();
    return layer;
  }

 private:
  void find_output(WindowAxis& axis) const {
    if (window_.same()) {
      axis.output = (axis.input + axis.stride - 1) / axis.stride;
      const std::int64_t covered = axis.stride * (axis.output - 1) + axis.extent();
      axis.pad = std::max<std::int64_t>(0, covered - axis.input);
      axis.before = (axis.pad + (window_.auto_pad == "SAME_LOWER" ? 1 : 0)) / 2;
      return;
    }
    const std::int64_t padded = axis.input + axis.pad;
    if (axis.extent() > padded) {
      op_.fail("input W",
               fmt::format("a kernel that covers {} of {} columns or rows, padding included",
                           axis.extent(), padded),
               "kernels that fit");
    }
    axis.output = (padded - axis.extent()) / axis.stride + 1;
  }

  [[nodiscard]] std::int64_t groups() const {
    const std::int64_t groups = group_count(op_);
    if (w_[1] * groups != x_[1]) {
      op_.fail("group",
               fmt::format("{} groups of {} channels (W's shape is {}) for an input of {}", groups,
                           w_[1], to_string(w_), x_[1]),
               "groups * channels of W = channels of X");
    }
    if (w_[0] % groups != 0) {
      op_.fail("group", fmt::format("{} groups for {} output channels", groups, w_[0]),
               "divisors of the number of output channels");
    }
    return groups;
  }

  void check_shapes() const {
    if (slots_.bias) op_.check_bias(*slots_.bias, w_[0]);
    Shape output{x_[0], w_[0]};
    for (const WindowAxis& axis : window_.axes) output.push_back(axis.output);
    op_.check_output(output);
  }

  const OnnxOperator& op_;
  const OperandSlots& slots_;
  const Shape& x_;
  const Shape& w_;
  Window window_;
};

}  // namespace

GraphLayer convolution(const OnnxOperator& op, const OperandSlots& slots) {
  return ConvReader(op, slots).layer();
}

}  // namespace pimbb::layers
