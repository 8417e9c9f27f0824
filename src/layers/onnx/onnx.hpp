// ONNX files: a model's graph with the mapping problem of every layer.
//
// Three sources implement this header: onnx_graph.cpp with the ONNX library; onnx_loader.cpp, in
// the executable, which loads a module with the former when a model is read; and onnx_absent.cpp,
// which throws an error, for builds without the library.
#pragma once

#include <string>
#include <string_view>

#include "pimbb/graph.hpp"
#include "pimbb/io.hpp"

namespace pimbb::layers {

/// Whether `source` is the name of an ONNX file: it ends in ".onnx".
bool is_onnx_name(std::string_view source);

/// Throws InputError that names file, node, attribute, what was found and what is allowed. At least
/// one node of the result is a layer.
Graph parse_onnx_graph(std::string_view bytes, const std::string& label,
                       const NetworkOptions& options);

}  // namespace pimbb::layers
