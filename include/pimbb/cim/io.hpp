// Files of SRAM compute-in-memory: architectures (YAML, JSON; `kind: cim`) and mappings (JSON).
//
// Every reader throws InputError. Its message starts "file:line:column: key: ..." and says what was
// found and what is allowed. Unknown keys are errors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/cim/explain.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/network_front.hpp"
#include "pimbb/cim/sensitivity.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/cim/top.hpp"

namespace pimbb::cim {

/// `source` is a path, or the name of an embedded preset ("miredo_default"). `changes` are other
/// values for its keys, "levels.GlobalBuffer.size_bits=4194304"; `levels` stands for
/// memory_hierarchy.
Architecture read_architecture(const std::string& source,
                               const std::vector<std::string>& changes = {});
/// Reads the `mapping` of a pimbb-cim-mapping/1 document, or a bare mapping object.
Mapping read_mapping(const std::string& path, const Architecture& architecture);

/// A mapping file that may say which layer it was made for.
struct MappingFile {
  Mapping mapping;
  std::string layer;                 ///< its name; empty if not given
  std::optional<Workload> workload;  ///< in full, if given
};
MappingFile read_mapping_file(const std::string& path, const Architecture& architecture);

/// The same from text; messages use `label` as the file name.
Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes = {});
Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture);

std::vector<std::string> architecture_presets();

/// The pimbb-cim-mapping/1 document, indented, with a newline at the end.
std::string solution_json(const Architecture& architecture, const Workload& workload,
                          const Question& question, const RunLimits& limits,
                          const Solution& solution);
/// `mapping` and `metrics` of a given mapping, without a claim of optimality. Both documents hold
/// workload and architecture in full: they serve as files of these.
std::string evaluation_json(const Architecture& architecture, const Workload& workload,
                            const Mapping& mapping, const Metrics& metrics);

/// The pimbb-cim-front/1 document (docs/answers.md), and the pimbb-cim-network-front/1 document.
std::string front_json(const Architecture& architecture, const Workload& layer,
                       const Question& question, const RunLimits& limits, const Front& front);
std::string network_front_json(const Architecture& architecture, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const NetworkFront& front);

/// The pimbb-cim-sensitivity/1 document (docs/answers.md, "Sensitivity").
std::string sensitivity_json(const Architecture& architecture, const Workload& layer,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity);

/// The pimbb-cim-top/1 document (docs/answers.md, "The best k").
std::string top_json(const Architecture& architecture, const Workload& layer,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top);

/// The pimbb-cim-explanation/1 document (docs/answers.md, "Why not").
std::string explanation_json(const Architecture& architecture, const Workload& layer,
                             const Question& question, const RunLimits& limits,
                             const Explanation& explanation);

}  // namespace pimbb::cim
