// The published table of cases: a loop is a pipeline of transfers and the nest inside it.
//
// The printed coefficients F - 2 and F - 3 would be negative for loops of two iterations; they
// count as 0 there.
#include <algorithm>

#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {
namespace {

struct LoopCase {
  Tensor tensor;
  Time move;      // T
  Time inside;    // P'
  Time critical;  // L
  std::int64_t factor;
  bool doubled;
};

Time first_pass(const LoopCase& s) {
  const auto but = [&](std::int64_t n) { return std::max<std::int64_t>(0, s.factor - n); };
  const Time overlap = std::max(s.move, s.inside);
  if (s.move == 0) return s.critical * but(1) + s.inside;
  if (s.tensor == Tensor::output) {
    if (!s.doubled) return s.critical * but(1) + 2 * s.move + s.inside;
    return s.critical * but(2) + s.move + std::max(s.move, s.critical) + overlap;
  }
  if (!s.doubled) return s.critical * but(2) + 2 * s.move + s.inside;
  return std::max(s.critical * but(3) + 2 * s.move + overlap, s.move * s.factor);
}

}  // namespace

Time table3(const Nest& nest) {
  Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
  nest.times(Semantics::table3, times);
  PerTensor<Time> p;
  p.fill(nest.units().product);
  Time whole = nest.units().product;
  for (std::size_t i = nest.loops; i-- > 0;) {
    Time critical = whole;
    for (const Tensor t : kAllTensors) {
      const Time move = times.transfer[index(t)][i];
      const Time inside = p[index(t)];
      critical =
          std::max(critical, times.doubled[index(t)][i] ? std::max(move, inside) : move + inside);
    }
    for (const Tensor t : kAllTensors) {
      p[index(t)] = first_pass({t, times.transfer[index(t)][i], p[index(t)], critical,
                                nest.factor[i], times.doubled[index(t)][i]});
    }
    whole = critical * nest.factor[i];
  }
  Time latency = 0;
  for (const Tensor t : kAllTensors) {
    latency = std::max(latency, p[index(t)] + ways(t) * nest.boot[index(t)]);
  }
  return latency;
}

}  // namespace pimbb::cim::cost
