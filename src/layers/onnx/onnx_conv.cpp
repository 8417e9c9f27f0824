// Conv as a mapping problem: X [N, G*C, (H,) W] * W [G*K, C, (S,) R] = Y [N, G*K, (Q,) P].
//
// The width is the last axis, the height the one before it; in one dimension there is no height.
// Padding is part of the input as it is stored: the problem reads an input of stride * (P - 1) +
// dilation * (R - 1) + 1 columns, zeros included, and none behind the last one that a kernel
// covers. Padding therefore matters only in so far as it decides P and Q.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {
namespace {

/// One spatial axis.
struct Axis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;     ///< both ends together
  std::int64_t before = 0;  ///< that of the begin
  std::int64_t output = 1;
};

class ConvReader {
 public:
  explicit ConvReader(const OnnxOperator& op)
      : op_(op), x_(op.input_shape(0, "X")), w_(op.input_shape(1, "W")) {
    check_ranks();
    axes_.resize(x_.size() - 2);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      axes_[i].input = x_[i + 2];
      axes_[i].kernel = w_[i + 2];
    }
    check_kernel();
    read("strides", &Axis::stride);
    read("dilations", &Axis::dilation);
    read_pads();
    for (Axis& axis : axes_) find_output(axis);
  }

  [[nodiscard]] GraphLayer layer() const {
    GraphLayer layer;
    const std::int64_t groups = this->groups();
    Workload& work = layer.workload;
    const auto set = [&](Dim d, std::int64_t bound) { work.bounds[index(d)] = bound; };
    set(Dim::N, x_[0]);
    set(Dim::C, w_[1]);
    set(Dim::K, w_[0] / groups);
    set(Dim::G, groups);
    const Axis& width = axes_.back();
    set(Dim::R, width.kernel);
    set(Dim::P, width.output);
    layer.pad_left = width.before;
    work.stride_w = width.stride;
    work.dilation_w = width.dilation;
    if (axes_.size() == 2) {
      set(Dim::S, axes_[0].kernel);
      set(Dim::Q, axes_[0].output);
      layer.pad_top = axes_[0].before;
      work.stride_h = axes_[0].stride;
      work.dilation_h = axes_[0].dilation;
    }
    check_shapes();
    return layer;
  }

 private:
  void check_ranks() const {
    if (x_.size() == 5) {
      op_.fail("input X", "a convolution in three dimensions",
               "one and two, the width and height of the loops");
    }
    if (x_.size() != 3 && x_.size() != 4) {
      op_.fail("input X", "the shape " + to_string(x_), "ranks 3 (N, C, W) and 4 (N, C, H, W)");
    }
    if (w_.size() != x_.size()) {
      op_.fail("input W", "the shape " + to_string(w_), fmt::format("rank {}, X's", x_.size()));
    }
  }

  /// The attribute as a list of `size` integers of at least `least`; null if there is none.
  [[nodiscard]] const std::vector<std::int64_t>* list(std::string_view name, std::size_t size,
                                                      std::int64_t least) const {
    const auto found = op_.integers.find(name);
    if (found == op_.integers.end()) return nullptr;
    const std::vector<std::int64_t>& values = found->second;
    bool good = values.size() == size;
    for (const std::int64_t v : values) good = good && v >= least && v <= kLargestSize;
    if (!good) {
      op_.fail(name, to_string(values),
               fmt::format("lists of {} integers {} .. {}", size, least, kLargestSize));
    }
    return &values;
  }

  void check_kernel() const {
    const Shape kernel(w_.begin() + 2, w_.end());
    const auto* given = list("kernel_shape", axes_.size(), 1);
    if (given != nullptr && *given != kernel) {
      op_.fail("kernel_shape", to_string(*given),
               fmt::format("{}, as in the shape {} of W", to_string(kernel), to_string(w_)));
    }
  }

  void read(std::string_view name, std::int64_t Axis::*member) {
    const auto* values = list(name, axes_.size(), 1);
    if (values == nullptr) return;
    for (std::size_t i = 0; i < axes_.size(); ++i) axes_[i].*member = (*values)[i];
  }

  void read_pads() {
    const auto mode = op_.strings.find("auto_pad");
    if (mode != op_.strings.end()) auto_pad_ = mode->second;
    if (auto_pad_ != "NOTSET" && auto_pad_ != "VALID" && !same()) {
      op_.fail("auto_pad", "'" + auto_pad_ + "'", "NOTSET, SAME_UPPER, SAME_LOWER and VALID");
    }
    const auto* pads = list("pads", 2 * axes_.size(), 0);
    if (pads == nullptr) return;
    if (auto_pad_ != "NOTSET") {
      op_.fail("pads", "pads beside auto_pad = " + auto_pad_, "one of the two");
    }
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      axes_[i].before = (*pads)[i];
      axes_[i].pad = (*pads)[i] + (*pads)[i + axes_.size()];
    }
  }

  [[nodiscard]] bool same() const { return auto_pad_ == "SAME_UPPER" || auto_pad_ == "SAME_LOWER"; }

  void find_output(Axis& axis) const {
    if (same()) {
      axis.output = (axis.input + axis.stride - 1) / axis.stride;
      const std::int64_t covered =
          axis.stride * (axis.output - 1) + axis.dilation * (axis.kernel - 1) + 1;
      axis.pad = std::max<std::int64_t>(0, covered - axis.input);
      axis.before = (axis.pad + (auto_pad_ == "SAME_LOWER" ? 1 : 0)) / 2;
      return;
    }
    const std::int64_t padded = axis.input + axis.pad;
    const std::int64_t extent = axis.dilation * (axis.kernel - 1) + 1;
    if (extent > padded) {
      op_.fail("input W",
               fmt::format("a kernel that covers {} of {} columns or rows, padding included",
                           extent, padded),
               "kernels that fit");
    }
    axis.output = (padded - extent) / axis.stride + 1;
  }

  [[nodiscard]] std::int64_t groups() const {
    const std::int64_t groups = op_.integer("group", 1);
    if (groups < 1 || groups > kLargestSize) {
      op_.fail("group", std::to_string(groups), fmt::format("integers 1 .. {}", kLargestSize));
    }
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
    if (op_.inputs.size() > 2 && op_.inputs[2] != nullptr && op_.inputs[2]->shape) {
      const Shape& bias = *op_.inputs[2]->shape;
      if (bias != Shape{w_[0]}) {
        op_.fail("input B", "the shape " + to_string(bias),
                 fmt::format("[{}], one for each output channel", w_[0]));
      }
    }
    Shape output{x_[0], w_[0]};
    for (const Axis& axis : axes_) output.push_back(axis.output);
    op_.check_output(output);
  }

  const OnnxOperator& op_;
  const Shape& x_;
  const Shape& w_;
  std::vector<Axis> axes_;  ///< height and width, or the width alone
  std::string auto_pad_ = "NOTSET";
};

}  // namespace

GraphLayer convolution(const OnnxOperator& op) { return ConvReader(op).layer(); }

}  // namespace pimbb::layers
