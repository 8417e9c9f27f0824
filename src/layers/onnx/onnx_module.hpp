// The reader of ONNX as a module that the executable loads.
//
// Loading ONNX and protobuf takes longer than everything else that happens when a process starts,
// so the executable does not link them. The module pimbb_onnx.so does, and is opened when the first
// model is read; it stays open. Executable and module exchange C++ objects, therefore both must be
// of one build: the module states its version and the sizes of what it exchanges.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "pimbb/graph.hpp"
#include "pimbb/io.hpp"

namespace pimbb::layers {

struct OnnxModule {
  const char* version;
  std::array<std::size_t, 5> sizes;
  Graph (*parse)(std::string_view bytes, const std::string& label, const NetworkOptions& options);
};

inline constexpr std::array<std::size_t, 5> kExchangedSizes{sizeof(Graph), sizeof(GraphNode),
                                                            sizeof(GraphTensor), sizeof(GraphLayer),
                                                            sizeof(NetworkOptions)};

/// The name of the module's OnnxModule.
inline constexpr const char* kOnnxModuleSymbol = "pimbb_onnx_module";

}  // namespace pimbb::layers
