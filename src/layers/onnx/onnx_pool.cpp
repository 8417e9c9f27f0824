// Attributes of operators that are passed through: the windows of pooling, the axis of Concat.
#include <algorithm>

#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {
namespace {

constexpr std::size_t kAxes = 2;  // height and width

/// A list of so many integers of at least `least`, `otherwise` if there is none; nothing if it is
/// another one.
std::optional<Shape> attribute_list(const OnnxOperator& op, std::string_view name, std::size_t size,
                                    std::int64_t least, std::int64_t otherwise) {
  const auto found = op.integers.find(name);
  if (found == op.integers.end()) return Shape(size, otherwise);
  const auto in_range = [&](std::int64_t v) { return v >= least && v <= kLargestSize; };
  if (found->second.size() != size || !std::ranges::all_of(found->second, in_range)) return {};
  return found->second;
}

std::string_view padding_mode(const OnnxOperator& op) {
  const auto found = op.strings.find("auto_pad");
  return found == op.strings.end() ? std::string_view("NOTSET") : std::string_view(found->second);
}

/// Borders of SAME_UPPER and SAME_LOWER: as many outputs as steps begin in the input.
void pad_to_same(PoolAxis& axis, std::int64_t input, bool lower) {
  const std::int64_t outputs = (input + axis.stride - 1) / axis.stride;
  const std::int64_t border =
      std::max<std::int64_t>(0, (outputs - 1) * axis.stride + axis.kernel - input);
  axis.before = (border + (lower ? 1 : 0)) / 2;
  axis.after = border - axis.before;
}

std::optional<std::array<PoolAxis, kAxes>> window_of(const OnnxOperator& op, const Shape& input) {
  const auto kernel = attribute_list(op, "kernel_shape", kAxes, 1, 0);
  const auto strides = attribute_list(op, "strides", kAxes, 1, 1);
  const auto dilations = attribute_list(op, "dilations", kAxes, 1, 1);
  const auto pads = attribute_list(op, "pads", 2 * kAxes, 0, 0);
  const std::string_view mode = padding_mode(op);
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!kernel || kernel->front() == 0 || !strides || dilations != Shape(kAxes, 1) || !pads ||
      op.integer("ceil_mode", 0) != 0 || !(same || mode == "NOTSET" || mode == "VALID")) {
    return std::nullopt;
  }
  std::array<PoolAxis, kAxes> axes;
  for (std::size_t i = 0; i < kAxes; ++i) {
    axes[i] = {(*kernel)[i], (*strides)[i], (*pads)[i], (*pads)[i + kAxes]};
    if (same) pad_to_same(axes[i], input[i + 2], mode == "SAME_LOWER");
  }
  return axes;
}

}  // namespace

void add_attributes(const OnnxOperator& op, GraphNode& node) {
  const bool first = !op.inputs.empty() && op.inputs[0] != nullptr && op.inputs[0]->shape;
  if (!first) return;
  const Shape& shape = *op.inputs[0]->shape;
  if (op.type == "Concat") {
    const std::int64_t axis = op.integer("axis", 0);
    node.axis = axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis;
    return;
  }
  if (operator_kind(op.type) != OperatorKind::pooling || shape.size() != kAxes + 2) return;
  if (op.type.starts_with("Global")) {
    node.pool = std::array{PoolAxis{shape[2], 1, 0, 0}, PoolAxis{shape[3], 1, 0, 0}};
  } else {
    node.pool = window_of(op, shape);
  }
}

}  // namespace pimbb::layers
