// The max-plus recursion over the loops, innermost first.
//
// A nest of loops i .. n-1 finishes its first pass after P_iλ for tensor λ. With S_iλ the sum of
// the transfers' times, P_iλ = A_i + c_λ S_iλ for one number A_i, where c = 1 for inputs and
// weights, 2 for outputs: each step adds c_λ T_iλ + (F_i - 1) Crit_i. So A, S and the body of the
// next loop outside are all that has to be known of a nest.
#include <algorithm>

#include "cim/cost/nest.hpp"

namespace pimbb::cim::cost {
namespace {

struct Pass {
  Time a = 0;
  PerTensor<Time> s{};
  [[nodiscard]] Time p(Tensor t) const { return a + ways(t) * s[index(t)]; }
};

/// `steps`, unless null: what an iteration of each loop takes.
Pass run(const Nest& nest, const Nest::Times& times, std::vector<IterationTimes>* steps = nullptr) {
  Pass pass;
  pass.a = nest.units().product;
  Time body = pass.a;
  for (std::size_t i = nest.loops; i-- > 0;) {
    Time critical = body;
    for (const Tensor t : kAllTensors) {
      const Time move = ways(t) * times.transfer[index(t)][i];
      critical = std::max(critical, times.doubled[index(t)][i] ? move : move + body);
    }
    if (steps != nullptr) {
      (*steps)[i] = {
          {}, {pass.p(Tensor::input), pass.p(Tensor::weight), pass.p(Tensor::output)}, critical};
      for (const Tensor t : kAllTensors) {
        (*steps)[i].move[index(t)] = ways(t) * times.transfer[index(t)][i];
      }
    }
    pass.a += (nest.factor[i] - 1) * critical;
    body = 0;
    for (const Tensor t : kAllTensors) {
      const Time move = times.transfer[index(t)][i];
      pass.s[index(t)] += move;
      const bool hidden = t != Tensor::output && times.doubled[index(t)][i];
      body = std::max(body, pass.p(t) - (hidden ? move : 0));
    }
  }
  return pass;
}

Time latency_of(const Nest& nest, const PerTensor<Time>& p, const PerTensor<Time>& s) {
  Time begin = 0;
  Time end = 0;
  for (const Tensor t : kAllTensors) {
    begin = std::max(begin, nest.boot[index(t)] + s[index(t)]);
    const Time write = t == Tensor::output ? nest.boot[index(t)] : 0;
    end = std::max(end, p[index(t)] - s[index(t)] + write);
  }
  return begin + end;
}

}  // namespace

Time recursion(const Nest& nest) {
  Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
  nest.times(Semantics::recursion, times);
  const Pass pass = run(nest, times);
  return latency_of(nest, {pass.p(Tensor::input), pass.p(Tensor::weight), pass.p(Tensor::output)},
                    pass.s);
}

std::vector<IterationTimes> iteration_times(const Nest& nest) {
  Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
  nest.times(Semantics::recursion, times);
  std::vector<IterationTimes> steps(nest.loops);
  run(nest, times, &steps);
  return steps;
}

Time recursion_with_cuts(const Nest& nest) {
  Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the next call
  nest.times(Semantics::recursion, times);
  const Pass pass = run(nest, times);
  std::array<std::int64_t, kMostLoops> ascending{};
  std::copy_n(nest.factor.begin(), nest.loops, ascending.begin());
  std::sort(ascending.begin(), ascending.begin() + static_cast<std::ptrdiff_t>(nest.loops));
  PerTensor<Time> p{};
  Time least = 0;
  const std::size_t dram = nest.architecture().dram();
  for (const Tensor t : kAllTensors) {
    Time floor = nest.units().product * nest.products;
    std::int64_t outside = 1;
    for (std::size_t i = 0; i < nest.loops; ++i) {
      floor += ways(t) * times.transfer[index(t)][i] * outside;
      outside *= ascending[i];
    }
    p[index(t)] = std::max(pass.p(t), floor);
    const bool partial = t == Tensor::output && nest.psum(dram);
    const std::int64_t bits =
        partial ? nest.architecture().bits.psum : nest.architecture().bits.tensor[index(t)];
    least = std::max(least, ways(t) * nest.elements[index(t)] * bits * nest.units().bit[dram]);
  }
  return std::max(least, latency_of(nest, p, pass.s));
}

}  // namespace pimbb::cim::cost
