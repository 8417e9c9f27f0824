// Files in, files out: architectures, layers, networks (YAML, JSON; networks ONNX as well) and
// mappings (JSON, Timeloop's YAML).
//
// Every reader throws InputError whose message starts "file:line:column: key: ..." and says what
// was found and what is allowed. Unknown keys are errors. Presets are the files of `data/`,
// embedded in the library: wherever a path is taken, the name of a preset serves as well.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/architecture.hpp"
#include "pimbb/layout_plan.hpp"
#include "pimbb/mapping.hpp"
#include "pimbb/network.hpp"
#include "pimbb/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::io {

/// `source` is a path, or the name of an embedded preset ("simple_pim").
Architecture read_architecture(const std::string& source);

struct NetworkOptions {
  /// ONNX: the first dimension of the inputs where that is symbolic; an error where it is fixed.
  std::optional<std::int64_t> batch = {};
};
/// A file with one layer, or "network.yaml:layer" / "preset:layer" / "model.onnx:node" for one
/// layer of a network (of a grouped convolution, one group).
Workload read_workload(const std::string& source, const NetworkOptions& options = {});
/// YAML, JSON, or a model whose name ends in ".onnx": that has a graph (docs/networks.md).
Network read_network(const std::string& source, const NetworkOptions& options = {});
/// Reads the `mapping` of a pimbb-mapping/1 file (or a bare mapping object) for `architecture`.
Mapping read_mapping(const std::string& path, const Architecture& architecture);
struct MappingFile {
  Mapping mapping;
  bool has_layouts;  ///< a Timeloop mapping has none: then they are sequential
};
/// The same, or the Timeloop mapping (docs/audit.md) of `workload`; the document says which it is.
MappingFile read_mapping_file(const std::string& path, const Architecture& architecture,
                              const Workload& workload);

/// The same from text; `label` stands for the file name in messages.
Architecture parse_architecture(std::string_view text, const std::string& label);
Workload parse_workload(std::string_view text, const std::string& label);
Network parse_network(std::string_view text, const std::string& label);
Network parse_onnx(std::string_view bytes, const std::string& label,
                   const NetworkOptions& options = {});
Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture);
MappingFile parse_mapping_file(std::string_view text, const std::string& label,
                               const Architecture& architecture, const Workload& workload);

std::vector<std::string> architecture_presets();
std::vector<std::string> network_presets();

/// The pimbb-mapping/1 document (spec 7), pretty-printed, ending in a newline.
std::string solution_json(const Architecture& architecture, const Workload& workload,
                          const SolveOptions& options, const Solution& solution);
/// `mapping` and `metrics` of a given mapping, without a claim of optimality.
std::string evaluation_json(const Architecture& architecture, const Workload& workload,
                            RowModel row_model, const Mapping& mapping, const Metrics& metrics);
/// The pimbb-network/1 document.
std::string network_json(const Architecture& architecture, const Network& network,
                         const SolveOptions& options, const NetworkSolution& solution);
/// The pimbb-plan/1 document of a network with a graph.
std::string layout_plan_json(const Architecture& architecture, const Network& network,
                             const SolveOptions& options, const LayoutPlan& plan);

/// Writes beside the target and renames, so that a reader never sees half a file. "-" is standard
/// output. Throws InputError if the file cannot be written.
void write_file(const std::string& path, std::string_view text);
/// The same for a text that is made piece by piece: `produce` hands them to its argument.
using Sink = std::function<void(std::string_view)>;
void write_file(const std::string& path, const std::function<void(const Sink&)>& produce);

}  // namespace pimbb::io
