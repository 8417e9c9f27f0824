// Files of crossbar accelerators: architectures (YAML, JSON; top key `crossbar_accelerator`) and
// mappings (JSON).
//
// Every reader throws InputError. Its message starts "file:line:column: key: ..." and says what was
// found and what is allowed. Unknown keys are errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/explain.hpp"
#include "pimbb/crossbar/front.hpp"
#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/crossbar/sensitivity.hpp"
#include "pimbb/crossbar/top.hpp"

namespace pimbb::crossbar {

/// `source` is a path, or the name of an embedded preset ("pimcomp"). `changes` are other values
/// for its keys, "core.crossbars=32".
Architecture read_architecture(const std::string& source,
                               const std::vector<std::string>& changes = {});

/// The `replication` and `cores` of a pimbb-crossbar/1 document, or of an object with these alone.
/// Whether the mapping is feasible is not looked at.
Mapping read_mapping(const std::string& path, const Architecture& architecture,
                     const Partition& partition);

/// The same from text; messages use `label` as the file name.
Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes = {});
Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture, const Partition& partition);

std::vector<std::string> architecture_presets();

/// The pimbb-crossbar/1 document of a given mapping, without a claim of optimality; its energy is
/// that of `mode`.
std::string evaluation_json(const Architecture& architecture, const Partition& partition,
                            const Mapping& mapping, const Metrics& metrics, Mode mode);

/// The pimbb-crossbar-front/1 document (docs/answers.md). `limits.timeless` leaves out threads and
/// seconds.
std::string front_json(const Architecture& architecture, const Partition& partition,
                       const RunLimits& limits, const Front& front);

/// The pimbb-crossbar-top/1 document (docs/answers.md, "The best k").
std::string top_json(const Architecture& architecture, const Partition& partition,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top);

/// The pimbb-crossbar-explanation/1 document: conflict, repairs, counters.
std::string explanation_json(const Architecture& architecture, const NodeGraph& graph,
                             const ExplainQuestion& question, const RunLimits& limits,
                             const Explanation& explanation);

/// The pimbb-crossbar-sensitivity/1 document: figures, mappings by number, counters.
std::string sensitivity_json(const Architecture& architecture, const NodeGraph& graph,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity);

}  // namespace pimbb::crossbar
