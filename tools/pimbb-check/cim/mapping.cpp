// Latency under the three semantics, contention, and energy.
#include "mapping.hpp"

#include <algorithm>

#include "nest.hpp"
#include "simulate.hpp"

namespace pimbb_check::cim {
namespace {

using Triple = PerTensor<Rational>;

Rational largest(const Triple& x) { return std::max({x[0], x[1], x[2]}); }
Rational positive(const Rational& x) { return x > 0 ? x : Rational(0); }

Rational recursion(const Nest& nest) {
  const Rational product = nest.problem().product_cycles();
  Triple p{product, product, product};  // of the loops so far
  Triple hides{};                       // transfers that the loop inside has hidden
  Triple sums{};
  for (std::size_t i = nest.size(); i-- > 0;) {
    Triple ends = p;
    for (std::size_t t = 0; t < 3; ++t) ends[t] -= hides[t];
    const Rational body = largest(ends);
    Rational critical = body;
    for (std::size_t t = 0; t < 3; ++t) {
      const Rational move = ways(t) * nest.time(i, t);
      critical = std::max(critical, move);
      if (!nest.hidden(i, t)) critical = std::max(critical, Rational(move + body));
    }
    for (std::size_t t = 0; t < 3; ++t) {
      const Rational move = nest.time(i, t);
      p[t] += ways(t) * move + (nest.loop(i).factor - 1) * critical;
      hides[t] = t != kOutput && nest.hidden(i, t) ? move : Rational(0);
      sums[t] += move;
    }
  }
  Triple begin{}, end{};
  for (std::size_t t = 0; t < 3; ++t) {
    begin[t] = nest.boot(t) + sums[t];
    end[t] = p[t] - sums[t] + (t == kOutput ? nest.boot(t) : Rational(0));
  }
  return largest(begin) + largest(end);
}

Rational table3(const Nest& nest) {
  const Rational product = nest.problem().product_cycles();
  Triple p{product, product, product};
  Rational all = product;
  for (std::size_t i = nest.size(); i-- > 0;) {
    const Rational f = nest.loop(i).factor;
    Rational l = all;
    for (std::size_t t = 0; t < 3; ++t) {
      const Rational move = nest.time(i, t);
      l = std::max(l, nest.hidden(i, t) ? std::max(move, p[t]) : Rational(move + p[t]));
    }
    for (std::size_t t = 0; t < 3; ++t) {
      const Rational move = nest.time(i, t);
      const Rational inside = p[t];
      const bool doubled = nest.hidden(i, t);
      if (move == 0) {
        p[t] = l * (f - 1) + inside;
      } else if (t == kOutput && doubled) {
        p[t] = l * positive(f - 2) + move + std::max(move, l) + std::max(move, inside);
      } else if (t == kOutput) {
        p[t] = l * (f - 1) + 2 * move + inside;
      } else if (doubled) {
        p[t] = std::max(Rational(l * positive(f - 3) + 2 * move + std::max(move, inside)),
                        Rational(move * f));
      } else {
        p[t] = l * positive(f - 2) + 2 * move + inside;
      }
    }
    all = l * f;
  }
  for (std::size_t t = 0; t < 3; ++t) p[t] += ways(t) * nest.boot(t);
  return largest(p);
}

/// The time that ports are busy.
Rational busy(const Nest& nest) {
  const Problem& p = nest.problem();
  Rational most = 0;
  for (std::size_t m = 0; m < p.levels.size(); ++m) {
    Rational bus = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      Rational port = m == p.dram() ? Rational(ways(t) * nest.boot(t)) : Rational(0);
      for (std::size_t i = 0; i < nest.size(); ++i) {
        if (nest.loop(i).level[t] == m) port += ways(t) * nest.fires(i) * nest.time(i, t);
      }
      most = std::max(most, port);
      bus += port;
    }
    if (p.contention == Contention::bus) most = std::max(most, bus);
  }
  return most;
}

Rational latency(const Nest& nest) {
  const Problem& p = nest.problem();
  const Rational alone = p.semantics == Semantics::recursion ? recursion(nest)
                         : p.semantics == Semantics::table3  ? table3(nest)
                                                             : simulated(nest);
  return p.contention == Contention::none ? alone : std::max(alone, busy(nest));
}

Rational energy_of(const Nest& nest, std::size_t t) {
  const Problem& p = nest.problem();
  const auto reading = [&](std::size_t m) {
    return m == p.innermost(t) ? Rational(0) : p.levels[m].read;
  };
  const auto out = [&](std::size_t m) -> Rational {
    return t == kOutput ? Rational(reading(m) + p.levels[m].write) : reading(m);
  };
  const auto in = [&](std::size_t m) -> Rational {
    return t == kOutput ? Rational(p.levels[m].write + reading(m)) : p.levels[m].write;
  };
  Rational sum = 0;
  for (std::size_t i = 0; i < nest.size(); ++i) {
    if (!nest.transfers(i, t)) continue;
    const std::size_t m = nest.loop(i).level[t];
    const std::size_t x = nest.next(m, t);
    Rational once = nest.tile_bits(m, t) * nest.instances(m, t) * out(m);
    if (x != kMac) once += nest.data_bits(x, t) * nest.instances(x, t) * in(x);
    sum += nest.fires(i) * once;
  }
  const std::size_t z = p.innermost(t);
  if (p.levels[z].always_charged && nest.innermost(t) != z) {
    sum +=
        nest.products() * nest.data_bits(z, t) * nest.instances(z, t) * p.levels[z].write * ways(t);
  }
  if (nest.outermost(t) == p.dram()) return sum;
  sum += nest.whole_bits(t) * out(p.dram());
  const std::size_t m = nest.outermost(t);
  if (m != kMac) sum += nest.data_bits(m, t) * nest.instances(m, t) * in(m);
  return sum;
}

}  // namespace

Rational Cost::of(Goal goal, const Problem& p) const {
  if (goal == Goal::latency) return latency;
  if (goal == Goal::energy) return energy;
  if (goal == Goal::edp) return latency * energy;
  return p.alpha * latency + p.beta * energy;
}

Cost cost_of_mapping(const Problem& p, const std::string& text) {
  const Nest nest(p, text);
  nest.check_feasible();
  Cost cost;
  cost.products = nest.products();
  cost.latency = latency(nest);
  cost.energy = p.activation_energy * nest.products() * nest.cores() + p.leakage * cost.latency;
  for (std::size_t t = 0; t < 3; ++t) cost.energy += energy_of(nest, t);
  return cost;
}

}  // namespace pimbb_check::cim
