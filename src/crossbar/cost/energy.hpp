// The energy of one inference: what flows while parts are on, and what their work takes.
#pragma once

#include <vector>

#include "crossbar/cost/streams.hpp"

namespace pimbb::crossbar::cost {

/// pJ of cores that are on for `on` ns altogether: leakage of their parts, and control.
Rational core_standing(const Architecture& architecture, const Rational& on);

/// pJ of what cores share, over `time`: leakage of routers, memories and links.
Rational shared_standing(const Architecture& architecture, const Rational& time);

/// pJ, the same for every mapping of a schedule with these busy times.
Rational dynamic_energy(const Architecture& architecture, const Partition& partition,
                        const Busy& busy);

struct TimedEnergy {
  Energy energy;
  Rational time;  ///< ns, over which it is counted: `ht` or `ll`
};

/// Of a mapping under `ht`, whose cores take `core_times`.
TimedEnergy throughput_energy(const Architecture& architecture, const Partition& partition,
                              const std::vector<std::int64_t>& core_times, const Busy& busy);
/// Under `ll`.
TimedEnergy latency_energy(const Architecture& architecture, const Partition& partition,
                           const Rational& latency, const StreamTimes& stream);

}  // namespace pimbb::crossbar::cost
