// Operators of ONNX that are newer than the library that is linked.
//
// Debian 12 has ONNX 1.12, whose newest operators are of version 17; exporters write version 18 and
// newer. Most operators are what they were, or took more element types, so their definition of
// version 17 serves. The operators here are those that were added after version 17, or changed in
// what decides shapes; each has the inference of its result's shape, or none where it is not known
// and must be declared. A library that knows them itself is preferred.
#pragma once

#include <onnx/defs/schema.h>

#include <memory>
#include <string_view>

namespace pimbb::layers {

/// The newest version of ONNX's operators whose changes are known here.
inline constexpr int kNewestOperators = 26;

/// Whether version `version` of the operator is one of those here, and newer than the library.
bool is_newer_operator(std::string_view op, int version);

/// The schema of such an operator: nothing but its inference of shapes. Null if it has none.
std::unique_ptr<onnx::OpSchema> newer_schema(std::string_view op, int version);

}  // namespace pimbb::layers
