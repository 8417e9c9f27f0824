// All estimates of one mapping.
#include <algorithm>

#include "crossbar/cost/energy.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/streams.hpp"
#include "crossbar/cost/throughput.hpp"
#include "crossbar/cost/tool.hpp"
#include "crossbar/partition/feasibility.hpp"
#include "crossbar/partition/memory.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

PeakMemory peak(const std::vector<std::int64_t>& bytes) {
  const auto most = std::ranges::max_element(bytes);
  return {most - bytes.begin(), *most};
}

void add_throughput(const Architecture& a, const Partition& p, const Mapping& mapping,
                    const std::vector<partition::Placement>& placements, Metrics& metrics) {
  metrics.core_times = cost::core_times(a, p, mapping);
  metrics.ht = *std::ranges::max_element(metrics.core_times);
  const cost::StreamTimes stream = cost::throughput_stream(a, p, mapping, placements);
  metrics.busy = stream.sums();
  metrics.roofs = stream.busiest_chip();
  metrics.ht_roof =
      std::max({metrics.ht, metrics.roofs.memory, metrics.roofs.bus, metrics.roofs.link});
  metrics.ht_code = cost::tool_throughput(a, p, mapping);
  metrics.energy = cost::throughput_energy(a, p, metrics.core_times, metrics.busy).energy;
}

Latency latency_of(const Architecture& a, const Partition& p, const Mapping& mapping,
                   const std::vector<partition::Placement>& placements) {
  Latency latency;
  latency.ll = cost::latency(a, p, mapping, cost::RateRule::provider);
  latency.ll_paper = cost::latency(a, p, mapping, cost::RateRule::paper);
  latency.rounds = cost::ToolRounds(p).rounds(mapping.replication);
  latency.round = cost::tool_round(a, p, mapping);
  const cost::StreamTimes stream = cost::latency_stream(a, p, mapping, placements);
  latency.busy = stream.sums();
  latency.energy = cost::latency_energy(a, p, latency.ll, stream).energy;
  return latency;
}

}  // namespace

const Energy& Metrics::energy_of(Mode mode) const {
  if (mode == Mode::ht) return energy;
  if (!latency) {
    throw InputError("--mode: found ll, allowed for this network is ht: " + no_latency);
  }
  return latency->energy;
}

Rational Metrics::edp(Mode mode) const {
  return energy_of(mode).total() * (mode == Mode::ht ? Rational(ht) : latency->ll);
}

Metrics evaluate(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping) {
  partition::require_feasible(architecture, partition, mapping);
  const std::vector<partition::Placement> placements = partition::placements(partition, mapping);
  Metrics metrics;
  add_throughput(architecture, partition, mapping, placements, metrics);
  metrics.no_latency = cost::why_no_latency(partition);
  if (metrics.no_latency.empty()) {
    metrics.latency = latency_of(architecture, partition, mapping, placements);
  }
  for (std::size_t i = 0; i < kClosedPolicies.size(); ++i) {
    metrics.peaks[i] = peak(partition::local_memory(architecture, partition, placements,
                                                    static_cast<partition::BlockPolicy>(i)));
  }
  return metrics;
}

}  // namespace pimbb::crossbar
