// Files in, files out, for every problem: layers and networks (YAML, JSON; networks ONNX as well),
// and writing a file whole.
//
// Every reader throws InputError whose message starts "file:line:column: key: ..." and says what
// was found and what is allowed. Unknown keys are errors. Presets are the files of `data/`,
// embedded in the library: wherever a path is taken, the name of a preset serves as well.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/network.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

struct NetworkOptions {
  /// ONNX: the first dimension of the inputs where that is symbolic; an error where it is fixed.
  std::optional<std::int64_t> batch = {};
};
/// A file with one layer, or "network.yaml:layer" / "preset:layer" / "model.onnx:node" for one
/// layer of a network (of a grouped convolution, one group).
Workload read_workload(const std::string& source, const NetworkOptions& options = {});
/// YAML, JSON, or a model whose name ends in ".onnx": that has a graph (docs/networks.md).
Network read_network(const std::string& source, const NetworkOptions& options = {});

/// The same from text; `label` stands for the file name in messages.
Workload parse_workload(std::string_view text, const std::string& label);
Network parse_network(std::string_view text, const std::string& label);
Network parse_onnx(std::string_view bytes, const std::string& label,
                   const NetworkOptions& options = {});

std::vector<std::string> network_presets();

/// Writes beside the target and renames, so that a reader never sees half a file. "-" is standard
/// output. Throws InputError if the file cannot be written.
void write_file(const std::string& path, std::string_view text);
/// The same for a text that is made piece by piece: `produce` hands them to its argument.
using Sink = std::function<void(std::string_view)>;
void write_file(const std::string& path, const std::function<void(const Sink&)>& produce);

}  // namespace pimbb
