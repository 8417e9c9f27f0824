// The search of a scheme by its semantics; schemes without loops.
#include "cim/mapper/label_search.hpp"

#include <algorithm>

#include "cim/mapper/nest_search.hpp"

namespace pimbb::cim::mapper {
namespace {

/// A scheme without loops has one mapping.
SchemeOutcome only_mapping(const Problem& p, const Scheme& scheme, const Target& target,
                           const Wide& cutoff) {
  Found found;
  found.mapping.spatial = scheme.spatial;
  found.mapping.doubled.assign(p.architecture.levels.size(), TensorFlags{});
  const Workload layer = padded(p.layer, p.question.pricing.padding, found.mapping.unrolled());
  const cost::Nest nest(p.architecture, p.units, layer, p.elements, found.mapping);
  const Semantics semantics = p.question.pricing.semantics;
  found.latency = semantics == Semantics::simulator ? p.units.product  // Floor
                                                    : cost::latency(nest, semantics);
  const cost::Busy busy = cost::busy(nest, p.question.pricing.semantics);
  found.latency =
      std::max(found.latency, cost::contention_floor(nest, busy, p.question.pricing.contention));
  const Energy dynamic = cost::dynamic_energy(nest);
  found.total = p.units.total(dynamic, found.latency);
  SchemeOutcome outcome;
  outcome.complete = true;
  outcome.labels = outcome.candidates = outcome.states = 1;
  if (target.admits(found.latency, found.total, cutoff)) {
    found.value = target.value(found.latency, found.total);
    outcome.best = std::move(found);
  }
  return outcome;
}

template <class Rule>
SchemeOutcome search_with(const Problem& p, const Scheme& scheme, const DimensionSteps& steps,
                          const Target& target, const Wide& cutoff, const LabelLimits& limits) {
  if (LabelNumbers(p).count() <= 1) {
    return NestSearch<Rule, 1>(p, scheme, steps, target, cutoff, limits).run();
  }
  return NestSearch<Rule, 2 * kMaxLevels + 1>(p, scheme, steps, target, cutoff, limits).run();
}

}  // namespace

SchemeOutcome search_scheme(const Problem& problem, const Scheme& scheme,
                            const DimensionSteps& steps, const Target& target, const Wide& cutoff,
                            const LabelLimits& limits) {
  const bool loops = std::ranges::any_of(scheme.extents, [](std::int64_t e) { return e > 1; });
  if (!loops) return only_mapping(problem, scheme, target, cutoff);
  if (problem.question.pricing.semantics == Semantics::table3) {
    return search_with<Table3>(problem, scheme, steps, target, cutoff, limits);
  }
  if (problem.question.pricing.semantics == Semantics::simulator) {
    return search_with<Floor>(problem, scheme, steps, target, cutoff, limits);
  }
  return search_with<Recursion>(problem, scheme, steps, target, cutoff, limits);
}

}  // namespace pimbb::cim::mapper
