// Orders, levels, prices.
#include "cim/heuristic/greedy.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cim/heuristic/filling.hpp"
#include "cim/heuristic/selection.hpp"
#include "exact/factors.hpp"
#include "pimbb/cim/padding.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::cim::heuristic {
namespace {

constexpr std::size_t kMostFactors = 6;

/// The loops of a scheme: prime factors, the pair of one dimension with the least product merged
/// while there are more than six.
std::vector<Factor> factors_of(const Factors& extents) {
  std::vector<Factor> all;
  for (const Dim d : kAllDims) {
    for (const std::int64_t p : prime_factors_of(extents[index(d)])) all.push_back({d, p});
  }
  while (all.size() > kMostFactors) {
    std::optional<std::pair<std::size_t, std::size_t>> least;
    const auto product = [&](const std::pair<std::size_t, std::size_t>& pair) {
      return all[pair.first].size * all[pair.second].size;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        if (all[i].dim != all[j].dim) continue;
        const std::pair pair{i, j};
        if (!least || product(pair) < product(*least)) least = pair;
      }
    }
    if (!least) break;  // no two of one dimension
    all[least->first].size = product(*least);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(least->second));
  }
  std::ranges::sort(all);
  return all;
}

/// The best mapping of a scheme.
struct SchemeBest : Best {
  bool complete = true;
};

class Search {
 public:
  Search(const Architecture& a, const Workload& layer, const Question& question)
      : a_(a), layer_(layer), question_(question), selection_(a, layer, question) {}

  [[nodiscard]] SchemeBest best_of(const mapper::Scheme& scheme,
                                   const std::function<bool()>& stopped) const {
    SchemeBest best;
    const Workload layer = padded(layer_, question_.pricing.padding, unrolled(scheme));
    const Elements elements(layer);
    const Filling plain(a_, elements, scheme, false);
    const Filling doubling(a_, elements, scheme, true);
    std::vector<Factor> order = factors_of(scheme.extents);
    do {
      if (stopped()) {
        best.complete = false;
        break;
      }
      selection_.consider(best, plain.fill(order));
      selection_.consider(best, doubling.fill(order));
    } while (std::ranges::next_permutation(order).found);
    return best;
  }

 private:
  static Factors unrolled(const mapper::Scheme& scheme) {
    Factors all = kOnes;
    for (const Factors& factors : scheme.spatial) all = times(all, factors);
    return all;
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  Selection selection_;
};

}  // namespace

Greedy greedy_mapping(const Architecture& architecture, const Workload& layer,
                      const Question& question, const run::Guard& guard,
                      const std::function<bool()>& stopped) {
  const std::vector<mapper::Scheme> schemes = mapper::spatial_schemes(
      architecture, layer, question.pricing.padding, SchemeRule::full, guard);
  const Search search(architecture, layer, question);
  std::vector<SchemeBest> found(schemes.size());
  run::parallel_for(schemes.size(),
                    [&](std::size_t k) { found[k] = search.best_of(schemes[k], stopped); });
  Greedy greedy;
  const Best* best = nullptr;
  for (const SchemeBest& each : found) {
    greedy.evaluated += each.evaluated;
    greedy.complete = greedy.complete && each.complete;
    if (each.values.empty()) continue;
    if (best == nullptr || each.values < best->values) best = &each;
  }
  if (best != nullptr) greedy.mapping = best->mapping;
  return greedy;
}

}  // namespace pimbb::cim::heuristic
