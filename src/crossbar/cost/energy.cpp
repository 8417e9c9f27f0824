// Powers times times.
#include "crossbar/cost/energy.hpp"

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

}  // namespace pimbb::crossbar::cost
