// Estimates of a mapping, one at a time.
#include "pimbb/crossbar/estimate.hpp"

#include <algorithm>

#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/streams.hpp"
#include "crossbar/cost/throughput.hpp"
#include "crossbar/cost/tool.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

[[noreturn]] void refuse_latency(Estimate estimate, const std::string& reason) {
  throw InputError("objective: found " + std::string(name(estimate)) +
                   ", which this network does not have: " + reason);
}

std::int64_t slowest_core(const Architecture& a, const Partition& p, const Mapping& mapping) {
  return std::ranges::max(cost::core_times(a, p, mapping));
}

Busy throughput_roofs(const Architecture& a, const Partition& p, const Mapping& mapping) {
  return cost::throughput_stream(a, p, mapping, partition::placements(p, mapping)).busiest_chip();
}

}  // namespace

void require_latency(const Partition& partition, Estimate estimate, Mode mode) {
  const bool in_schedule = estimate == Estimate::energy || estimate == Estimate::edp;
  if (!is_latency(estimate) && !(in_schedule && mode == Mode::ll)) return;
  const std::string reason = cost::why_no_latency(partition);
  if (!reason.empty()) refuse_latency(estimate, reason);
}

Rational value(const Metrics& metrics, Estimate estimate, Mode mode) {
  if (is_latency(estimate) && !metrics.latency) refuse_latency(estimate, metrics.no_latency);
  switch (estimate) {
    case Estimate::ht: return metrics.ht;
    case Estimate::ht_roof: return metrics.ht_roof;
    case Estimate::ht_code: return metrics.ht_code;
    case Estimate::ll: return metrics.latency->ll;
    case Estimate::ll_paper: return metrics.latency->ll_paper;
    case Estimate::ll_code: return metrics.latency->ll_code();
    case Estimate::traffic: return metrics.traffic();
    case Estimate::energy: return metrics.energy_of(mode).total();
    case Estimate::edp: break;
  }
  return metrics.edp(mode);
}

Rational value_of(const Architecture& a, const Partition& p, const Mapping& mapping,
                  Estimate estimate, Mode mode) {
  require_latency(p, estimate, mode);
  switch (estimate) {
    case Estimate::ht: return slowest_core(a, p, mapping);
    case Estimate::ht_roof: {
      const Busy roofs = throughput_roofs(a, p, mapping);
      return std::max({slowest_core(a, p, mapping), roofs.memory, roofs.bus, roofs.link});
    }
    case Estimate::ht_code: return cost::tool_throughput(a, p, mapping);
    case Estimate::ll: return cost::latency(a, p, mapping, cost::RateRule::provider);
    case Estimate::ll_paper: return cost::latency(a, p, mapping, cost::RateRule::paper);
    case Estimate::ll_code:
      return cost::tool_rounds(p, mapping) * Rational(cost::tool_round(a, p, mapping));
    case Estimate::traffic: {
      const Busy roofs = throughput_roofs(a, p, mapping);
      return roofs.bus + roofs.link;
    }
    case Estimate::energy:
    case Estimate::edp: break;
  }
  return value(evaluate(a, p, mapping), estimate, mode);
}

}  // namespace pimbb::crossbar
