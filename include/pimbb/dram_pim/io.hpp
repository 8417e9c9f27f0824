// Files of DRAM-PIM: architectures and constraints (YAML, JSON), mappings (JSON, Timeloop's YAML)
// and results (JSON).
//
// Every reader throws InputError. Its message starts "file:line:column: key: ..." and says what was
// found and what is allowed. Unknown keys are errors. Presets are the files of `data/`, embedded in
// the library: the name of a preset is accepted instead of a path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/constraints.hpp"
#include "pimbb/dram_pim/device.hpp"
#include "pimbb/dram_pim/device_audit.hpp"
#include "pimbb/dram_pim/device_network.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/explain.hpp"
#include "pimbb/dram_pim/front.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/network_front.hpp"
#include "pimbb/dram_pim/sensitivity.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/dram_pim/top.hpp"
#include "pimbb/io.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// `source` is a path, or the name of an embedded preset ("simple_pim"). `changes` are values that
/// replace those of the file, "pe_array.dim_h=16" or, by the name of a level,
/// "levels.GlobalBuffer.entries=256"; the architecture's name then states them.
Architecture read_architecture(const std::string& source,
                               const std::vector<std::string>& changes = {});

/// Reads the `mapping` of a pimbb-mapping/1 file (or a bare mapping object) for `architecture`.
Mapping read_mapping(const std::string& path, const Architecture& architecture);
struct MappingFile {
  Mapping mapping;
  bool has_layouts = true;           ///< false for Timeloop mappings, whose tensors are sequential
  std::string layer;                 ///< the layer that it was made for, where the file names it
  std::optional<Workload> workload;  ///< the same in full
  std::optional<Factors> bounds;     ///< of the padded layer that it maps, where the file says so
};
/// Reads a mapping of either format: a pimbb-mapping/1 file, or a Timeloop mapping (docs/audit.md)
/// of `workload`.
MappingFile read_mapping_file(const std::string& path, const Architecture& architecture,
                              const Workload& workload);

/// Reads constraints on mappings for `architecture` (docs/constraints.md).
Constraints read_constraints(const std::string& path, const Architecture& architecture);

/// The same from text; messages use `label` as the file name.
Architecture parse_architecture(std::string_view text, const std::string& label,
                                const std::vector<std::string>& changes = {});
Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture);
MappingFile parse_mapping_file(std::string_view text, const std::string& label,
                               const Architecture& architecture, const Workload& workload);

Constraints parse_constraints(std::string_view text, const std::string& label,
                              const Architecture& architecture);

std::vector<std::string> architecture_presets();

/// `source` is the name of an embedded preset ("hbm_pim_stack"), or a path (docs/devices.md). Its
/// unit may be a file relative to it. `changes` as for architectures: "launch=100",
/// "levels.channel.count=4", "unit.pe_array.dim_h=16".
Device read_device(const std::string& source, const std::vector<std::string>& changes = {});
Device parse_device(std::string_view text, const std::string& label,
                    const std::vector<std::string>& changes = {});
std::vector<std::string> device_presets();

struct DeviceMappingFile {
  DeviceMapping mapping;
  std::optional<Moves> moves;  ///< where the file says them
};
/// Reads split, slice and mapping of a pimbb-device/1 file.
DeviceMappingFile read_device_mapping(const std::string& path, const Device& device);
DeviceMappingFile parse_device_mapping(std::string_view text, const std::string& label,
                                       const Device& device);

/// The pimbb-mapping/1 document, indented, with a newline at the end.
std::string solution_json(const Architecture& architecture, const Workload& workload,
                          const Question& question, const RunLimits& limits,
                          const Solution& solution);
/// `mapping` and `metrics` of a given mapping, without a claim of optimality. Its factors may make
/// larger bounds than the layer's.
std::string evaluation_json(const Architecture& architecture, const Workload& workload,
                            RowModel row_model, const Mapping& mapping, const Metrics& metrics);
/// The pimbb-front/1 document (docs/answers.md).
std::string front_json(const Architecture& architecture, const Workload& layer,
                       const Question& question, const RunLimits& limits, const Front& front);
/// The pimbb-network-front/1 document, likewise.
std::string network_front_json(const Architecture& architecture, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const NetworkFront& front);
/// The pimbb-device/1 document, and that of a given mapping.
std::string device_solution_json(const Device& device, const Workload& layer, const Moves& moves,
                                 const Question& question, const RunLimits& limits,
                                 const DeviceSolution& solution);
std::string device_evaluation_json(const Device& device, const Workload& layer, const Moves& moves,
                                   RowModel row_model, const DeviceMapping& mapping,
                                   const DeviceMetrics& metrics);
/// The pimbb-device-audit/1 document (docs/devices.md).
std::string device_audit_json(const Device& device, const Workload& layer, const Moves& moves,
                              const Question& question, const RunLimits& limits,
                              const DeviceMapping& mapping, const DeviceAudit& audit);
/// The pimbb-network/1 document.
std::string network_json(const Architecture& architecture, const Network& network,
                         const Question& question, const RunLimits& limits,
                         const NetworkSolution& solution);
std::string device_network_json(const Device& device, const Network& network,
                                const Question& question, const RunLimits& limits,
                                const DeviceNetworkSolution& solution);
/// The pimbb-top/1 document (docs/answers.md).
std::string top_json(const Architecture& architecture, const Workload& workload,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top);
/// The pimbb-sensitivity/1 document (docs/answers.md).
std::string sensitivity_json(const Architecture& architecture, const Workload& workload,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity);
/// The pimbb-explanation/1 document (docs/answers.md).
std::string explanation_json(const Architecture& architecture, const Workload& workload,
                             const Question& question, const RunLimits& limits,
                             const Explanation& explanation);
/// The pimbb-plan/1 document of a network with a graph.
std::string layout_plan_json(const Architecture& architecture, const Network& network,
                             const Question& question, const RunLimits& limits,
                             const LayoutPlan& plan);

}  // namespace pimbb::dram_pim
