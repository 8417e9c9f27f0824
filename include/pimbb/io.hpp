// Readers of layers and networks (YAML, JSON; networks also ONNX).
//
// Every reader throws InputError. Its message starts "file:line:column: key: ..." and says what was
// found and what is allowed. Unknown keys are errors. Presets are the files of `data/`, embedded in
// the library: the name of a preset is accepted instead of a path.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/network.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

struct NetworkOptions {
  /// ONNX: value of the inputs' first dimension if it is symbolic; an error if it is fixed.
  std::optional<std::int64_t> batch = {};
  /// Values of symbolic sizes: of an ONNX model's inputs by symbol, or as "INPUT[AXIS]"; of the
  /// `dims` of a network file, which have defaults. A name that the network lacks is an error.
  std::map<std::string, std::int64_t> dims = {};
  /// ONNX: nodes that multiply but are not supported stay in the graph without a layer
  /// (GraphNode::skipped), instead of being an error.
  bool skip_unsupported = false;
};
/// Reads a file with one layer, or one layer of a network: "network.yaml:layer", "preset:layer",
/// "model.onnx:node".
Workload read_workload(const std::string& source, const NetworkOptions& options = {});
/// Reads a network (YAML, JSON), or an ONNX model if the name ends in ".onnx" (docs/networks.md).
Network read_network(const std::string& source, const NetworkOptions& options = {});

/// The same from text; messages use `label` as the file name.
Workload parse_workload(std::string_view text, const std::string& label);
Network parse_network(std::string_view text, const std::string& label,
                      const NetworkOptions& options = {});
Network parse_onnx(std::string_view bytes, const std::string& label,
                   const NetworkOptions& options = {});

std::vector<std::string> network_presets();

}  // namespace pimbb
