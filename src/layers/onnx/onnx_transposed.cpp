// ConvTranspose as mapping problems: X [N, G*C, (H,) W], W [G*C, K, (S,) R], Y [N, G*K, (Q,) P].
//
// Element i of the input and tap r of the kernel meet in element o = stride * i + dilation * r -
// pad of the output. Along one axis, the outputs with the same remainder of (o + pad) / stride are
// a *phase*: they use the same taps, and neighbours in it read neighbouring inputs.
//
//     stride 2, kernel 3:   phase 0 uses the taps 0 and 2, phase 1 uses tap 1
//
// So each phase is an ordinary convolution of stride 1, mirrored, with a part of the kernel, and
// all phases together multiply exactly what ConvTranspose multiplies (an input spread out with
// zeros between its elements, the usual picture, would multiply stride * stride times as much).
// With g = gcd(stride, dilation), only phases that g divides have taps: every (stride / g)-th one,
// whose inputs are dilation / g apart. Phases of equal shape are one layer that counts them as
// `products`. With stride 1 there is one phase. As in Conv, zeros around the input are multiplied
// too, and the plane of the input is X's own.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "layers/onnx/onnx_operator.hpp"
#include "layers/onnx/onnx_window.hpp"

namespace pimbb::layers {
namespace {

/// Phases are looked through one by one.
constexpr std::int64_t kLargestStride = 4096;

/// A phase of one axis as a convolution. Phases that differ only in `before` are equal problems.
struct Phase {
  std::int64_t taps = 0;
  std::int64_t dilation = 1;  ///< 1 for a single tap
  std::int64_t outputs = 0;
  std::int64_t before = 0;  ///< padding in front of the input
};

/// Phases of one axis by their shape: how many there are, and the most padding of any.
struct PhaseClass {
  Phase phase;
  std::int64_t count = 0;
};

std::vector<PhaseClass> phase_classes(const WindowAxis& axis) {
  const std::int64_t common = std::gcd(axis.stride, axis.dilation);
  const std::int64_t step = axis.stride / common;  // between the taps of a phase
  std::map<std::pair<std::int64_t, std::int64_t>, PhaseClass> classes;
  for (std::int64_t first = 0; first < std::min(axis.stride, axis.output); ++first) {
    const std::int64_t place = first + axis.before;  // of its first output, from where input 0 acts
    std::int64_t tap = 0;
    while (tap < std::min(step, axis.kernel) && (place - axis.dilation * tap) % axis.stride != 0) {
      ++tap;
    }
    if (tap >= std::min(step, axis.kernel)) continue;  // no tap: nothing is multiplied
    Phase phase;
    phase.taps = (axis.kernel - 1 - tap) / step + 1;
    phase.dilation = phase.taps > 1 ? axis.dilation / common : 1;
    phase.outputs = (axis.output - 1 - first) / axis.stride + 1;
    const std::int64_t nearest = (place - axis.dilation * tap) / axis.stride;  // exact
    phase.before = std::max<std::int64_t>(0, (phase.taps - 1) * (axis.dilation / common) - nearest);
    PhaseClass& equal = classes[{phase.taps, phase.outputs}];
    phase.before = std::max(phase.before, equal.phase.before);
    equal.phase = phase;
    ++equal.count;
  }
  std::vector<PhaseClass> list;
  for (auto it = classes.rbegin(); it != classes.rend(); ++it) list.push_back(it->second);
  return list;  // most taps first
}

class TransposedReader {
 public:
  explicit TransposedReader(const OnnxOperator& op)
      : op_(op),
        x_(op.input_shape(0, "X")),
        w_(op.input_shape(1, "W")),
        window_(read_window(op, x_, w_)),
        groups_(group_count(op)) {
    if (w_[0] != x_[1]) {
      op_.fail("input W", "the shape " + to_string(w_),
               fmt::format("{} in front, the channels of X", x_[1]));
    }
    if (x_[1] % groups_ != 0) {
      op_.fail("group", fmt::format("{} groups for {} input channels", groups_, x_[1]),
               "divisors of the number of input channels");
    }
    find_outputs();
    check_shapes();
  }

  [[nodiscard]] std::vector<GraphLayer> layers() const {
    const std::vector<PhaseClass> columns = phase_classes(window_.axes.back());
    std::vector<PhaseClass> rows{{{1, 1, 1, 0}, 1}};
    if (window_.axes.size() == 2) rows = phase_classes(window_.axes[0]);
    std::vector<GraphLayer> layers;
    for (const PhaseClass& row : rows) {
      for (const PhaseClass& column : columns) layers.push_back(layer(row, column));
    }
    if (layers.empty()) op_.fail("strides", "no tap of the kernel in any output", "some");
    return layers;
  }

 private:
  [[nodiscard]] GraphLayer layer(const PhaseClass& row, const PhaseClass& column) const {
    GraphLayer layer;
    layer.products = row.count * column.count;
    layer.pad_top = row.phase.before;
    layer.pad_left = column.phase.before;
    Workload& work = layer.workload;
    const auto set = [&](Dim d, std::int64_t bound) { work.bounds[index(d)] = bound; };
    set(Dim::N, x_[0]);
    set(Dim::C, w_[0] / groups_);
    set(Dim::K, w_[1]);
    set(Dim::G, groups_);
    set(Dim::R, column.phase.taps);
    set(Dim::P, column.phase.outputs);
    set(Dim::S, row.phase.taps);
    set(Dim::Q, row.phase.outputs);
    work.dilation_w = column.phase.dilation;
    work.dilation_h = row.phase.dilation;
    work.input_plane = input_plane(window_);
    return layer;
  }

  void find_outputs() {
    const std::size_t axes = window_.axes.size();
    const auto* beyond = integer_list(op_, "output_padding", axes, 0);
    const auto* given = integer_list(op_, "output_shape", axes, 1);
    for (std::size_t i = 0; i < axes; ++i) {
      WindowAxis& axis = window_.axes[i];
      if (axis.stride > kLargestStride) {
        op_.fail("strides", fmt::format("{}", axis.stride), fmt::format("1 .. {}", kLargestStride));
      }
      const std::int64_t whole =
          axis.stride * (axis.input - 1) + axis.extent() + (beyond != nullptr ? (*beyond)[i] : 0);
      if (given == nullptr && !window_.same()) {
        axis.output = whole - axis.pad;
      } else {  // the padding follows from the size of the output
        axis.output = given != nullptr ? (*given)[i] : axis.stride * axis.input;
        axis.pad = std::max<std::int64_t>(0, whole - axis.output);
        axis.before = (axis.pad + (window_.auto_pad == "SAME_UPPER" ? 0 : 1)) / 2;
      }
      if (axis.output < 1 || axis.output > kLargestSize) {
        op_.fail("pads", fmt::format("an output of {} columns or rows", axis.output),
                 fmt::format("1 .. {}", kLargestSize));
      }
    }
  }

  void check_shapes() const {
    op_.check_bias(2, w_[1] * groups_);
    Shape output{x_[0], w_[1] * groups_};
    for (const WindowAxis& axis : window_.axes) output.push_back(axis.output);
    op_.check_output(output);
  }

  const OnnxOperator& op_;
  const Shape& x_;
  const Shape& w_;
  Window window_;
  std::int64_t groups_;
};

}  // namespace

std::vector<GraphLayer> transposed_convolution(const OnnxOperator& op) {
  return TransposedReader(op).layers();
}

}  // namespace pimbb::layers
