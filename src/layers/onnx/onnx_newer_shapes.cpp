// The shapes of results of newer operators, by the text of their definitions.
#include "layers/onnx/onnx_newer_shapes.hpp"

#include <onnx/defs/shape_inference.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers::newer {
namespace {

[[noreturn]] void give_up(const char* why) { throw onnx::InferenceError(why); }

bool has_input(Context& ctx, std::size_t slot) {
  return slot < ctx.getNumInputs() && ctx.getInputType(slot) != nullptr;
}

/// The type of input 0 for output 0.
void copy_type(Context& ctx) {
  if (!has_input(ctx, 0)) give_up("the type of input 0 is unknown");
  onnx::propagateElemTypeFromInputToOutput(ctx, 0, 0);
}

/// The shape of an input whose sizes are all known.
std::optional<Shape> shape_of(Context& ctx, std::size_t slot) {
  if (!has_input(ctx, slot) || !onnx::hasInputShape(ctx, slot)) return std::nullopt;
  Shape shape;
  for (const auto& size : onnx::getInputShape(ctx, slot).dim()) {
    if (!size.has_dim_value() || size.dim_value() < 0 || size.dim_value() > kLargestSize) {
      return std::nullopt;
    }
    shape.push_back(size.dim_value());
  }
  return shape;
}

void set_shape(Context& ctx, std::size_t slot, const Shape& shape) {
  auto& made = *ctx.getOutputType(slot)->mutable_tensor_type()->mutable_shape();
  made.clear_dim();
  for (const std::int64_t size : shape) {
    if (size < 0 || size > kLargestSize) give_up("a size is out of range");
    made.add_dim()->set_dim_value(size);
  }
}

/// The stored elements of an input, for instance axes.
template <class Element>
std::optional<std::vector<Element>> elements_of(Context& ctx, std::size_t slot, int type) {
  if (!has_input(ctx, slot)) return std::nullopt;
  const onnx::TensorProto* tensor = ctx.getInputData(slot);
  if (tensor == nullptr || tensor->data_type() != type || tensor->external_data_size() > 0) {
    return std::nullopt;
  }
  std::vector<Element> elements;
  if constexpr (std::is_same_v<Element, float>) {
    elements.assign(tensor->float_data().begin(), tensor->float_data().end());
  } else {
    elements.assign(tensor->int64_data().begin(), tensor->int64_data().end());
  }
  if (tensor->has_raw_data()) {
    elements.resize(tensor->raw_data().size() / sizeof(Element));
    std::memcpy(elements.data(), tensor->raw_data().data(), elements.size() * sizeof(Element));
  }
  return elements;
}

std::optional<std::vector<std::int64_t>> integers_of(Context& ctx, std::size_t slot) {
  return elements_of<std::int64_t>(ctx, slot, onnx::TensorProto::INT64);
}

std::vector<std::int64_t> list(Context& ctx, const char* name) {
  std::vector<std::int64_t> values;
  onnx::getRepeatedAttribute(ctx, name, values);
  return values;
}

/// An axis, counted from the end if it is negative.
std::size_t place(std::int64_t axis, std::size_t rank) {
  const auto end = static_cast<std::int64_t>(rank);
  if (axis < -end || axis >= end) give_up("an axis that the input does not have");
  return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

/// All axes, or those of the list.
std::vector<std::size_t> places(const std::vector<std::int64_t>* axes, std::size_t rank) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < (axes == nullptr ? rank : axes->size()); ++i) {
    found.push_back(axes == nullptr ? i : place((*axes)[i], rank));
  }
  return found;
}

}  // namespace

void same_shape(Context& ctx) {
  copy_type(ctx);
  if (onnx::hasInputShape(ctx, 0)) onnx::propagateShapeFromInputToOutput(ctx, 0, 0);
}

void broadcast(Context& ctx) {
  copy_type(ctx);
  if (!onnx::hasNInputShapes(ctx, 2)) return;
  onnx::bidirectionalBroadcastShapeInference(
      onnx::getInputShape(ctx, 0), onnx::getInputShape(ctx, 1),
      *ctx.getOutputType(0)->mutable_tensor_type()->mutable_shape());
}

void reduce(Context& ctx) {
  copy_type(ctx);
  const auto input = shape_of(ctx, 0);
  const auto axes = integers_of(ctx, 1);
  if (!input || (has_input(ctx, 1) && !axes)) return;
  const bool all = !axes || axes->empty();
  if (all && onnx::getAttribute(ctx, "noop_with_empty_axes", 0) != 0) return same_shape(ctx);
  std::vector<bool> reduced(input->size(), false);
  for (const std::size_t i : places(all ? nullptr : &*axes, input->size())) reduced[i] = true;
  const bool keep = onnx::getAttribute(ctx, "keepdims", 1) != 0;
  Shape output;
  for (std::size_t i = 0; i < input->size(); ++i) {
    if (!reduced[i]) output.push_back((*input)[i]);
    if (reduced[i] && keep) output.push_back(1);
  }
  set_shape(ctx, 0, output);
}

void split(Context& ctx) {
  if (!has_input(ctx, 0)) give_up("the type of input 0 is unknown");
  const std::size_t parts = ctx.getNumOutputs();
  for (std::size_t i = 0; i < parts; ++i) onnx::propagateElemTypeFromInputToOutput(ctx, 0, i);
  const auto input = shape_of(ctx, 0);
  const auto sizes = integers_of(ctx, 1);
  if (!input || parts == 0 || (has_input(ctx, 1) && !sizes)) return;
  const std::size_t axis = place(onnx::getAttribute(ctx, "axis", 0), input->size());
  if (sizes && sizes->size() != parts) give_up("as many sizes as outputs are needed");
  std::int64_t left = (*input)[axis];
  const auto count = static_cast<std::int64_t>(parts);
  const std::int64_t equal = (left + count - 1) / count;
  for (std::size_t i = 0; i < parts; ++i) {
    Shape output = *input;
    output[axis] = sizes ? (*sizes)[i] : std::min(equal, left);
    left -= output[axis];
    if (output[axis] < 0 || left < 0) give_up("the parts are larger than the whole");
    set_shape(ctx, i, output);
  }
}

// Policies that keep the aspect ratio are left to declared shapes.
void resize(Context& ctx) {
  copy_type(ctx);
  auto output = shape_of(ctx, 0);
  if (!output) return;
  const auto* policy = ctx.getAttribute("keep_aspect_ratio_policy");
  const std::vector<std::int64_t> axes = list(ctx, "axes");
  const std::vector<std::size_t> at = places(axes.empty() ? nullptr : &axes, output->size());
  if (const auto sizes = integers_of(ctx, 3)) {
    if (policy != nullptr && policy->s() != "stretch") return;
    if (sizes->size() != at.size()) give_up("as many sizes as axes are needed");
    for (std::size_t i = 0; i < at.size(); ++i) (*output)[at[i]] = (*sizes)[i];
    return set_shape(ctx, 0, *output);
  }
  const auto scales = elements_of<float>(ctx, 2, onnx::TensorProto::FLOAT);
  if (!scales || scales->size() != at.size()) return;
  for (std::size_t i = 0; i < at.size(); ++i) {  // in single precision, as ONNX defines it
    const float size = std::floor(static_cast<float>((*output)[at[i]]) * (*scales)[i]);
    if (!(size >= 0 && size <= static_cast<float>(1 << 30))) give_up("a scale is out of range");
    (*output)[at[i]] = static_cast<std::int64_t>(size);
  }
  set_shape(ctx, 0, *output);
}

void pad(Context& ctx) {
  copy_type(ctx);
  auto output = shape_of(ctx, 0);
  const auto pads = integers_of(ctx, 1);
  const auto axes = integers_of(ctx, 3);
  if (!output || !pads || (has_input(ctx, 3) && !axes)) return;
  const std::vector<std::size_t> at = places(axes ? &*axes : nullptr, output->size());
  if (pads->size() != 2 * at.size()) give_up("two pads for each axis are needed");
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (const std::int64_t size : {(*pads)[i], (*pads)[i + at.size()]}) {
      if (size < -kLargestSize || size > kLargestSize) give_up("a pad is out of range");
      (*output)[at[i]] += size;
    }
  }
  set_shape(ctx, 0, *output);
}

void pool(Context& ctx) {
  copy_type(ctx);
  auto output = shape_of(ctx, 0);
  if (!output || output->size() < 3) return;
  const std::size_t axes = output->size() - 2;
  const auto attribute = [&](const char* name, std::size_t size, std::int64_t otherwise) {
    std::vector<std::int64_t> values = list(ctx, name);
    if (values.empty()) values.assign(size, otherwise);
    if (values.size() != size) give_up("an attribute does not fit the rank of the input");
    for (const std::int64_t value : values) {
      if (value < otherwise || value > kLargestSize) give_up("an attribute is out of range");
    }
    return values;
  };
  const auto kernel = attribute("kernel_shape", axes, 1);
  const auto strides = attribute("strides", axes, 1);
  const auto dilations = attribute("dilations", axes, 1);
  const auto pads = attribute("pads", 2 * axes, 0);
  const bool ceil = onnx::getAttribute(ctx, "ceil_mode", 0) != 0;
  const auto* mode = ctx.getAttribute("auto_pad");
  const bool same = mode != nullptr && mode->s().starts_with("SAME");
  for (std::size_t i = 0; i < axes; ++i) {
    std::int64_t& size = (*output)[i + 2];
    const std::int64_t padded = size + pads[i] + pads[i + axes];
    const std::int64_t free = padded - (dilations[i] * (kernel[i] - 1) + 1);
    if (!same && free < 0) give_up("the kernel is larger than the input");
    size = same ? (size + strides[i] - 1) / strides[i]
                : (free + (ceil ? strides[i] - 1 : 0)) / strides[i] + 1;
    // A window that would begin in the padding behind the input is left out.
    if (!same && ceil && (size - 1) * strides[i] >= padded - pads[i + axes]) --size;
  }
  set_shape(ctx, 0, *output);
}

void quantize(Context& ctx) {
  const auto named = static_cast<int>(onnx::getAttribute(ctx, "output_dtype", 0));
  int type = named != 0 ? named : static_cast<int>(onnx::TensorProto::UINT8);
  if (has_input(ctx, 2) && named == 0) type = onnx::getTensorElementType(*ctx.getInputType(2));
  if (!has_input(ctx, 0)) give_up("the type of input 0 is unknown");
  ctx.getOutputType(0)->mutable_tensor_type()->set_elem_type(type);
  if (onnx::hasInputShape(ctx, 0)) onnx::propagateShapeFromInputToOutput(ctx, 0, 0);
}

void dequantize(Context& ctx) {
  if (!has_input(ctx, 0) || !has_input(ctx, 1)) give_up("the type of an input is unknown");
  const auto named = static_cast<int>(onnx::getAttribute(ctx, "output_dtype", 0));
  ctx.getOutputType(0)->mutable_tensor_type()->set_elem_type(
      named != 0 ? named : onnx::getTensorElementType(*ctx.getInputType(1)));
  if (onnx::hasInputShape(ctx, 0)) onnx::propagateShapeFromInputToOutput(ctx, 0, 0);
}

void attention(Context& ctx) {
  copy_type(ctx);
  const auto q = shape_of(ctx, 0);
  const auto v = shape_of(ctx, 2);
  if (!q || !v || q->size() != v->size()) return;
  Shape output = *q;
  if (q->size() == 4) output[3] = (*v)[3];
  if (q->size() == 3) {
    const std::int64_t heads = onnx::getAttribute(ctx, "q_num_heads", 0);
    const std::int64_t shared = onnx::getAttribute(ctx, "kv_num_heads", 0);
    if (heads < 1 || shared < 1 || heads > kLargestSize || shared > kLargestSize) return;
    output[2] = heads * ((*v)[2] / shared);
  }
  set_shape(ctx, 0, output);
}

}  // namespace pimbb::layers::newer
