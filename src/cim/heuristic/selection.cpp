// Rules, price, comparison.
#include "cim/heuristic/selection.hpp"

#include <utility>

#include "pimbb/cim/feasibility.hpp"

namespace pimbb::cim::heuristic {

Selection::Selection(const Architecture& a, const Workload& layer, const Question& question)
    : a_(a), layer_(layer), question_(question), pricer_(a, layer, question.pricing) {
  for (const Goal goal : question.objective.goals) {
    targets_.emplace_back(pricer_.units(), question, goal);
  }
}

void Selection::consider(Best& best, Mapping mapping) const {
  // The DRAM takes what is left, which it may not hold.
  if (find_violation(a_, layer_, mapping, question_.pricing.padding)) return;
  const cost::Price price = pricer_(mapping);
  const Int128 total = pricer_.units().total(price.dynamic, price.latency);
  if (!targets_[0].keeps_caps(price.latency, total)) return;
  std::vector<Wide> values;
  for (const mapper::Target& target : targets_) {
    values.push_back(target.value(price.latency, total));
  }
  ++best.evaluated;
  if (!best.values.empty() && !(values < best.values)) return;
  best.values = std::move(values);
  best.mapping = std::move(mapping);
}

}  // namespace pimbb::cim::heuristic
