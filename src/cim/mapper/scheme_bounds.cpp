// Bounds of whole schemes, and facts of their cells.
#include <algorithm>

#include "cim/mapper/cost_to_go.hpp"
#include "cim/mapper/group.hpp"
#include "cim/mapper/label_search.hpp"

namespace pimbb::cim::mapper {

std::vector<CellFacts> facts_of(const Space& space) {
  std::vector<CellFacts> all(space.cells);
  for (std::uint32_t cell = 0; cell < space.cells; ++cell) {
    CellFacts& facts = all[cell];
    std::int64_t least = 1;  // factor of a loop
    for (const Dim d : kAllDims) {
      const Space::Dimension& dim = space.dims[index(d)];
      const FactorSteps::Position& at = dim.steps->positions[space.position(cell, index(d))];
      facts.left *= at.left;
      if (is_reduction(d)) facts.reductions_left *= at.left;
      if (at.left > 1 && (least == 1 || at.smallest < least)) least = at.smallest;
    }
    facts.after_next = facts.left / least;
    for (const Tensor t : kAllTensors) facts.plot[index(t)] = space.plot(cell, t);
  }
  return all;
}

SchemeBound quick_bound(const Problem& problem, const Scheme& scheme) {
  const Architecture& a = problem.architecture;
  const cost::Units& units = problem.units;
  Factors whole = scheme.extents;
  for (const Factors& factors : scheme.spatial) whole = times(whole, factors);
  std::int64_t products = 1;
  for (const std::int64_t extent : scheme.extents) products *= extent;
  std::int64_t cores = 1;
  for (const std::int64_t factor : scheme.spatial.front()) cores *= factor;
  SchemeBound bound;
  bound.latency = products * units.product;
  Energy dynamic = Energy{units.activation} * products * cores;
  for (const Tensor t : kAllTensors) {
    const std::int64_t bits = std::min(problem.bits(t, false), problem.bits(t, true));
    dynamic +=
        Energy{problem.elements(t, whole)} * bits * cost::bit_costs(a, units, t, a.dram()).out;
  }
  bound.total = units.total(dynamic, bound.latency);
  return bound;
}

SchemeBound scheme_bound(const Problem& problem, const Scheme& scheme,
                         const DimensionSteps& steps) {
  const Space space(problem, scheme, steps);
  SchemeBound bound;
  bound.latency = space.products * problem.units.product;
  if (space.cells == 1) {
    bound.total = problem.units.total(0, bound.latency);
    return bound;
  }
  const CostToGo to_go(space);
  Energy dynamic = space.activations();
  Time slowest = 0;
  for (const Tensor t : kAllTensors) {
    const ToGo& rest = to_go.leaving(t, kMac, false, 0);
    dynamic += rest.energy;
    slowest = std::max(slowest, rest.time);
  }
  if (slowest >= kNever) return {kNever, Int128{1} << 125};  // some tensor fits nowhere
  // Only the recursion's products and transfers add up.
  if (problem.question.pricing.semantics == Semantics::recursion) bound.latency += slowest;
  bound.total = problem.units.total(dynamic, bound.latency);
  return bound;
}

}  // namespace pimbb::cim::mapper
