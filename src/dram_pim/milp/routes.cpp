// One path per tensor through the levels that may store it.
#include "dram_pim/milp/routes.hpp"

namespace pimbb::dram_pim::milp {
namespace {

std::vector<Hop> possible_hops(const Problem& problem, Tensor t) {
  std::vector<Hop> hops;
  const int dram = static_cast<int>(problem.architecture.dram());
  for (int inner = kPes; inner < dram; ++inner) {
    if (inner != kPes && !problem.may_store(static_cast<std::size_t>(inner), t)) continue;
    for (auto outer = static_cast<std::size_t>(inner) + 1; outer < problem.levels(); ++outer) {
      if (!problem.may_store(outer, t)) continue;
      hops.push_back({inner, outer, {}});
      if (!problem.may_skip(outer, t)) break;
    }
  }
  return hops;
}

bool has_choice(const Problem& problem, Tensor t) {
  for (std::size_t m = 0; m < problem.levels(); ++m) {
    if (problem.may_store(m, t) && problem.may_skip(m, t)) return true;
  }
  return false;
}

void decide_hops(Problem& problem, Tensor t, std::vector<Hop>& hops) {
  for (Hop& hop : hops) {
    const std::string inner = hop.inner == kPes ? "pe" : std::to_string(hop.inner);
    hop.taken = {{problem.program.binary(label("hop", inner, hop.outer, t)), 1}};
  }
  // What leaves a level inwards has come in from outside: once for the PEs and for the levels that
  // cannot do without, as often as the level stores t for the others.
  for (int level = kPes; level < static_cast<int>(problem.architecture.dram()); ++level) {
    Sum balance;
    for (const Hop& hop : hops) {
      if (hop.inner == level) add(balance, hop.taken);
      if (hop.outer == static_cast<std::size_t>(level) && level != kPes) {
        add(balance, hop.taken, -1);
      }
    }
    problem.program.row(label("route", t), balance, Sense::equal, level == kPes ? 1 : 0);
  }
}

}  // namespace

Sum Routes::stored(std::size_t level, Tensor t) const {
  Sum sum;
  for (const Hop& hop : hops[index(t)]) {
    if (hop.outer == level) add(sum, hop.taken);
  }
  return sum;
}

std::vector<Hop> Routes::into(int level, Tensor t) const {
  std::vector<Hop> result;
  for (const Hop& hop : hops[index(t)]) {
    if (hop.inner == level) result.push_back(hop);
  }
  return result;
}

Routes decide_routes(Problem& problem) {
  Routes routes;
  for (const Tensor t : kAllTensors) {
    std::vector<Hop>& hops = routes.hops[index(t)];
    hops = possible_hops(problem, t);
    if (has_choice(problem, t)) {
      decide_hops(problem, t, hops);
    } else {
      for (Hop& hop : hops) hop.taken = certainty();
    }
  }
  return routes;
}

}  // namespace pimbb::dram_pim::milp
