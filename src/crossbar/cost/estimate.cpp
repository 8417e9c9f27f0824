// Estimates of a mapping, one at a time.
#include "pimbb/crossbar/estimate.hpp"

#include <algorithm>

#include "crossbar/cost/energy.hpp"
#include "crossbar/cost/estimator.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/streams.hpp"
#include "crossbar/cost/throughput.hpp"
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
  if (!needs_latency(estimate, mode)) return;
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
  return cost::Estimator(a, p, estimate, mode).value(mapping);
}

namespace cost {

Estimator::Estimator(const Architecture& architecture, const Partition& partition,
                     Estimate estimate, Mode mode)
    : a_(architecture), p_(partition), estimate_(estimate), mode_(mode) {
  require_latency(partition, estimate, mode);
  if (estimate == Estimate::ll_code) rounds_ = std::make_unique<const ToolRounds>(partition);
}

Rational Estimator::value(const Mapping& mapping) const {
  switch (estimate_) {
    case Estimate::ht: return slowest_core(a_, p_, mapping);
    case Estimate::ht_roof: {
      const Busy roofs = throughput_roofs(a_, p_, mapping);
      return std::max({slowest_core(a_, p_, mapping), roofs.memory, roofs.bus, roofs.link});
    }
    case Estimate::ht_code: return tool_throughput(a_, p_, mapping);
    case Estimate::ll: return latency(a_, p_, mapping, RateRule::provider);
    case Estimate::ll_paper: return latency(a_, p_, mapping, RateRule::paper);
    case Estimate::ll_code:
      return rounds_->rounds(mapping.replication) * Rational(tool_round(a_, p_, mapping));
    case Estimate::traffic: {
      const Busy roofs = throughput_roofs(a_, p_, mapping);
      return roofs.bus + roofs.link;
    }
    case Estimate::energy: return energy(mapping, /*times_time=*/false);
    case Estimate::edp: break;
  }
  return energy(mapping, /*times_time=*/true);
}

Rational Estimator::energy(const Mapping& mapping, bool times_time) const {
  const auto placements = partition::placements(p_, mapping);
  const TimedEnergy timed =
      mode_ == Mode::ht ? throughput_energy(a_, p_, core_times(a_, p_, mapping),
                                            throughput_stream(a_, p_, mapping, placements).sums())
                        : latency_energy(a_, p_, latency(a_, p_, mapping, RateRule::provider),
                                         latency_stream(a_, p_, mapping, placements));
  return times_time ? timed.energy.total() * timed.time : timed.energy.total();
}

}  // namespace cost
}  // namespace pimbb::crossbar
