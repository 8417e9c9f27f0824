// Inference of the shapes of results, for operators newer than the linked library (onnx_newer.hpp).
//
// Each function sets type and shape of the outputs, as far as the inputs are known. Like ONNX's
// own, they throw onnx::InferenceError for inputs that make no sense; the shape is then unknown.
#pragma once

#include <onnx/defs/schema.h>

namespace pimbb::layers::newer {

using Context = onnx::InferenceContext;

void same_shape(Context& ctx);  ///< of input 0
void broadcast(Context& ctx);   ///< of two inputs
void reduce(Context& ctx);      ///< 18: the axes are an input
void split(Context& ctx);       ///< 18: `num_outputs` parts, of which the last may be smaller
void resize(Context& ctx);      ///< 18: `axes`
void pad(Context& ctx);         ///< 18: `axes`
void pool(Context& ctx);        ///< 18, 19: `dilations` and `ceil_mode` of windows without weights
void quantize(Context& ctx);    ///< 19: more types, of which `output_dtype` may name one
void dequantize(Context& ctx);
void attention(Context& ctx);  ///< Q, K, V with heads as a dimension, or side by side

}  // namespace pimbb::layers::newer
