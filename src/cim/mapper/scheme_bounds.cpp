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
    std::int64_t& least = facts.smallest;
    for (const Dim d : kAllDims) {
      const Space::Dimension& dim = space.dims[index(d)];
      const FactorSteps::Position& at = dim.steps->positions[space.position(cell, index(d))];
      facts.left *= at.left;
      if (is_reduction(d)) facts.reductions_left *= at.left;
      if (at.left > 1 && (least == 1 || at.smallest < least)) least = at.smallest;
    }
    for (const Tensor t : kAllTensors) facts.plot[index(t)] = space.plot(cell, t);
  }
  return all;
}

namespace {

/// Of all mappings with so many products, and so many activations of a macro, of a layer with these
/// bounds or larger ones.
SchemeBound bound_of(const Problem& problem, std::int64_t products, std::int64_t activations,
                     const Factors& bounds) {
  const Architecture& a = problem.architecture;
  const cost::Units& units = problem.units;
  SchemeBound bound;
  bound.latency = products * units.product;
  Energy dynamic = Energy{units.activation} * activations;
  for (const Tensor t : kAllTensors) {
    const std::int64_t bits = std::min(problem.bits(t, false), problem.bits(t, true));
    dynamic +=
        Energy{problem.elements(t, bounds)} * bits * cost::bit_costs(a, units, t, a.dram()).out;
  }
  bound.total = units.total(dynamic, bound.latency);
  return bound;
}

}  // namespace

SchemeBound quick_bound(const Problem& problem, const Scheme& scheme) {
  Factors whole = scheme.extents;
  for (const Factors& factors : scheme.spatial) whole = times(whole, factors);
  const std::int64_t all = products(scheme);
  std::int64_t cores = 1;
  for (const std::int64_t factor : scheme.spatial.front()) cores *= factor;
  return bound_of(problem, all, all * cores, whole);
}

SchemeBound space_bound(const Problem& problem) {
  // Every axis is filled, which it may not be, and every macro is active, which takes as many
  // activations as the axes inside it leave.
  const auto shared = [](std::int64_t work, std::int64_t lanes) {
    return work / lanes + (work % lanes > 0 ? 1 : 0);
  };
  const std::vector<Axis>& axes = problem.architecture.axes;
  std::int64_t activations = problem.layer.macs();
  for (std::size_t u = 1; u < axes.size(); ++u) activations = shared(activations, axes[u].size);
  return bound_of(problem, shared(activations, axes[0].size), activations, problem.layer.bounds);
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
  // Only the recursion's products and transfers add up. Under other semantics `slowest` is 0 unless
  // a tensor takes the way past a DRAM that cannot hold it. That is no addition either: P may be
  // less than the time of the products (table3), and a port is busy beside them (simulator).
  if (problem.question.pricing.semantics == Semantics::recursion) bound.latency += slowest;
  bound.total = problem.units.total(dynamic, bound.latency);
  return bound;
}

}  // namespace pimbb::cim::mapper
