// A mapping is compared goal by goal with what the solver of devices returns and proves.
#include <string>

#include "pimbb/dram_pim/device_audit.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

/// Slices that are padded further than the layer allows are not among the mappings searched.
void check_padding(const Workload& layer, const DeviceMapping& mapping) {
  const Factors least = least_slice(layer.bounds, mapping.split);
  for (const Dim j : kAllDims) {
    const std::int64_t bound = least[index(j)];
    const std::int64_t top = layer.padding ? layer.padding->top(j, bound) : bound;
    if (mapping.slice[index(j)] <= top) continue;
    throw InputError("slice: found " + std::string(name(j)) + " = " +
                     std::to_string(mapping.slice[index(j)]) + ", allowed is " +
                     (top == bound ? "" : std::to_string(bound) + " to ") + std::to_string(top) +
                     " with the layer's padding");
  }
}

}  // namespace

DeviceAudit audit(const Device& device, const Workload& layer, const Moves& moves,
                  const DeviceMapping& mapping, const Question& question, const RunLimits& limits) {
  const std::string wrong = find_violation(device, layer, moves, mapping);
  if (!wrong.empty()) throw InputError(wrong);
  check_padding(layer, mapping);
  if (const auto breach = find_breach(device.unit, mapping.mapping, question.constraints)) {
    throw InputError("the mapping does not satisfy the constraints: " + *breach);
  }
  DeviceAudit audit;
  audit.metrics = evaluate(device, layer, moves, mapping, question.row_model);
  audit.solution = solve(device, layer, moves, question, limits);
  const DeviceSolution& s = audit.solution;
  static_cast<Distance&>(audit) = measure_distance(question.objective, audit.metrics.costs(),
                                                   s.status, s.goals, s.mapping.has_value());
  return audit;
}

}  // namespace pimbb::dram_pim
