// Orders, levels, prices.
#include "cim/heuristic/greedy.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "cim/cost/price.hpp"
#include "cim/mapper/schemes.hpp"
#include "cim/mapper/target.hpp"
#include "exact/factors.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::cim::heuristic {
namespace {

constexpr std::size_t kMostFactors = 6;

struct Factor {
  Dim dim = Dim::R;
  std::int64_t size = 1;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

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

/// Fills the levels of one order of loops.
class Filling {
 public:
  Filling(const Architecture& a, const Elements& elements, const mapper::Scheme& scheme,
          bool doubling)
      : a_(a),
        elements_(elements),
        scheme_(scheme),
        unrolling_(a, scheme.spatial),
        doubling_(doubling) {}

  /// Loops outermost first.
  [[nodiscard]] Mapping fill(const std::vector<Factor>& order) const {
    Mapping mapping{scheme_.spatial, {}, std::vector<TensorFlags>(a_.levels.size())};
    for (const Factor& factor : order) mapping.loops.push_back({factor.dim, factor.size, {}});
    PerTensor<std::size_t> left{order.size(), order.size(), order.size()};  // loops without a level
    PerTensor<Factors> inside{kOnes, kOnes, kOnes};
    for (std::size_t m = 0; m < a_.dram(); ++m) {
      std::int64_t used = 0;
      for (const Tensor t : {Tensor::weight, Tensor::input, Tensor::output}) {
        if (a_.levels[m].stores[index(t)]) {
          place(mapping, m, t, left[index(t)], inside[index(t)], used);
        }
      }
    }
    for (const Tensor t : kAllTensors) {
      for (std::size_t i = 0; i < left[index(t)]; ++i) {
        mapping.loops[i].level[index(t)] = static_cast<std::uint8_t>(a_.dram());
      }
    }
    return mapping;
  }

 private:
  /// Gives level m as many of the loops that are left as fit into it beside `used` bits.
  void place(Mapping& mapping, std::size_t m, Tensor t, std::size_t& left, Factors& inside,
             std::int64_t& used) const {
    const bool is_innermost = a_.innermost(t) == m;
    const bool doubled = doubling_ && a_.may_double(m, t);
    const std::int64_t bits = (doubled ? 2 : 1) * bits_of(mapping, t, left);
    std::int64_t taken = 0;
    while (left > 0) {
      Loop& loop = mapping.loops[left - 1];
      if (is_innermost && loop.dim == Dim::G) break;
      Factors tile = inside;
      tile[index(loop.dim)] *= loop.factor;
      const std::int64_t data = elements_(t, times(tile, unrolling_.at(t, m).tile)) * bits;
      if (a_.levels[m].size_bits && used + data > *a_.levels[m].size_bits) break;
      taken = data;
      inside = tile;
      loop.level[index(t)] = static_cast<std::uint8_t>(m);
      --left;
    }
    if (taken > 0) mapping.doubled[m][index(t)] = doubled;
    used += taken;
  }

  /// Bits of an element where the outermost `left` loops are at a level or outside it.
  [[nodiscard]] std::int64_t bits_of(const Mapping& mapping, Tensor t, std::size_t left) const {
    const auto end = mapping.loops.begin() + static_cast<std::ptrdiff_t>(left);
    const bool psum =
        t == Tensor::output && std::any_of(mapping.loops.begin(), end,
                                           [](const Loop& loop) { return is_reduction(loop.dim); });
    return psum ? a_.bits.psum : a_.bits.tensor[index(t)];
  }

  const Architecture& a_;
  const Elements& elements_;
  const mapper::Scheme& scheme_;
  Unrolling unrolling_;
  bool doubling_;
};

struct Best {
  std::vector<Wide> values;  // one for each goal; empty: none yet
  Mapping mapping;
  std::uint64_t evaluated = 0;
  bool complete = true;
};

class Search {
 public:
  Search(const Architecture& a, const Workload& layer, const Question& question)
      : a_(a), layer_(layer), question_(question), pricer_(a, layer, question.pricing) {
    for (const Goal goal : question.objective.goals) {
      targets_.emplace_back(pricer_.units(), question.objective, goal);
    }
  }

  [[nodiscard]] Best best_of(const mapper::Scheme& scheme,
                             const std::function<bool()>& stopped) const {
    Best best;
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
      consider(best, plain.fill(order));
      consider(best, doubling.fill(order));
    } while (std::ranges::next_permutation(order).found);
    return best;
  }

 private:
  static Factors unrolled(const mapper::Scheme& scheme) {
    Factors all = kOnes;
    for (const Factors& factors : scheme.spatial) all = times(all, factors);
    return all;
  }

  void consider(Best& best, Mapping mapping) const {
    // The DRAM takes what is left, which it may not hold.
    if (find_violation(a_, layer_, mapping, question_.pricing.padding)) return;
    const cost::Price price = pricer_(mapping);
    const Int128 total = pricer_.units().total(price.dynamic, price.latency);
    std::vector<Wide> values;
    for (const mapper::Target& target : targets_) {
      values.push_back(target.value(price.latency, total));
    }
    ++best.evaluated;
    if (!best.values.empty() && !(values < best.values)) return;
    best.values = std::move(values);
    best.mapping = std::move(mapping);
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  cost::Pricer pricer_;
  std::vector<mapper::Target> targets_;
};

}  // namespace

Greedy greedy_mapping(const Architecture& architecture, const Workload& layer,
                      const Question& question, const run::Guard& guard,
                      const std::function<bool()>& stopped) {
  const std::vector<mapper::Scheme> schemes = mapper::spatial_schemes(
      architecture, layer, question.pricing.padding, SchemeRule::full, guard);
  const Search search(architecture, layer, question);
  std::vector<Best> found(schemes.size());
  run::parallel_for(schemes.size(),
                    [&](std::size_t k) { found[k] = search.best_of(schemes[k], stopped); });
  Greedy greedy;
  const Best* best = nullptr;
  for (const Best& each : found) {
    greedy.evaluated += each.evaluated;
    greedy.complete = greedy.complete && each.complete;
    if (each.values.empty()) continue;
    if (best == nullptr || each.values < best->values) best = &each;
  }
  if (best != nullptr) greedy.mapping = best->mapping;
  return greedy;
}

}  // namespace pimbb::cim::heuristic
