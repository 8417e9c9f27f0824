// Powers times times.
#include "crossbar/cost/energy.hpp"

#include <algorithm>

namespace pimbb::crossbar::cost {

Rational core_standing(const Architecture& a, const Rational& on) {
  const Power& power = a.power;
  return on * (power.control + power.leak * (Rational(a.core.crossbars) * power.crossbar +
                                             power.vector + power.local));
}

Rational shared_standing(const Architecture& a, const Rational& time) {
  const Power& power = a.power;
  const std::int64_t routers = (a.cores + power.cores_per_router - 1) / power.cores_per_router;
  Rational of_chip = Rational(routers) * power.router + power.memory;
  if (a.chips > 1) of_chip += power.link;
  return time * power.leak * Rational(a.chips) * of_chip;
}

Rational dynamic_energy(const Architecture& a, const Partition& partition, const Busy& busy) {
  Rational crossbars;  // that multiply, over all windows
  for (const ArrayNode& array : partition.arrays) {
    crossbars += Rational(array.groups) * Rational(array.width) * Rational(array.windows);
  }
  const Power& power = a.power;
  return (Rational(1) - power.leak) *
         (power.crossbar * Rational(a.mvm.time) * crossbars +
          (power.vector + power.local) * Rational(busy.vector) +
          power.memory * Rational(busy.memory) + power.router * Rational(busy.bus) +
          power.link * Rational(busy.link));
}

TimedEnergy throughput_energy(const Architecture& a, const Partition& partition,
                              const std::vector<std::int64_t>& core_times, const Busy& busy) {
  Rational on;
  for (const std::int64_t time : core_times) on += time;
  const Rational time = std::ranges::max(core_times);
  return {{core_standing(a, on) + shared_standing(a, time), dynamic_energy(a, partition, busy)},
          time};
}

TimedEnergy latency_energy(const Architecture& a, const Partition& partition,
                           const Rational& latency, const StreamTimes& stream) {
  const Rational active(std::ranges::count(stream.active, true));
  return {{core_standing(a, active * latency) + shared_standing(a, latency),
           dynamic_energy(a, partition, stream.sums())},
          latency};
}

}  // namespace pimbb::crossbar::cost
