// The baselines by name.
#include "pimbb/crossbar/baseline.hpp"

#include "crossbar/heuristic/genetic.hpp"
#include "crossbar/heuristic/replication.hpp"

namespace pimbb::crossbar {

BaselineResult baseline(const Architecture& a, const Partition& p, Baseline method,
                        const Evolution& evolution, const RunLimits& limits) {
  validate(a);
  if (method == Baseline::ga) return heuristic::evolve(a, p, evolution, limits);
  const std::vector<heuristic::Family> families = heuristic::families(p);
  const std::int64_t left = heuristic::crossbars_left(a, families);
  BaselineResult result;
  if (left < 0) return result;
  const auto replication = method == Baseline::puma
                               ? heuristic::puma_replication(families, left, 0)
                               : heuristic::even_replication(a, families, method == Baseline::w0h0);
  result.mapping = heuristic::first_fit(a, p, families, replication);
  return result;
}

}  // namespace pimbb::crossbar
