// Costs of all mappings by what they would have to agree on; sums of what is not dominated.
//
// Every goal grows with the totals of latency, energy and activations, so of the mappings that
// store the same and order their loops in the same way those count only that no other one beats in
// all three; likewise of the sums.
#include "dram_pim/network/exhaust_network.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "support/brute_force.hpp"
#include "support/enumeration.hpp"

namespace exhaust {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;

struct Cost {
  Fraction latency, energy, activations;
};

void insert(std::vector<Cost>& front, const Cost& cost) {
  const auto no_worse = [](const Cost& a, const Cost& b) {
    return a.latency <= b.latency && a.energy <= b.energy && a.activations <= b.activations;
  };
  if (std::ranges::any_of(front, [&](const Cost& other) { return no_worse(other, cost); })) return;
  std::erase_if(front, [&](const Cost& other) { return no_worse(cost, other); });
  front.push_back(cost);
}

using Stores = std::vector<TensorFlags>;
using Orders = std::vector<std::vector<Dim>>;  // per level from 1 on, outermost first
using Fronts = std::map<std::pair<Stores, Orders>, std::vector<Cost>>;

Fronts all_mappings(const Architecture& a, const NetworkLayer& layer, RowModel model,
                    const JointOptions& joint) {
  Fronts fronts;
  const oracle::CostOracle costs(a, layer.workload, model);
  const Fraction times = Fraction(layer.workload.weight) * Fraction(layer.repetitions);
  oracle::for_each_mapping(a, layer.workload, [&](const Mapping& m) {
    std::pair<Stores, Orders> agreed;
    for (std::size_t level = 0; level < m.levels.size(); ++level) {
      if (joint.fix_bypass) agreed.first.push_back(m.levels[level].stores);
      if (!joint.fix_permutation || level == 0) continue;
      std::vector<Dim>& order = agreed.second.emplace_back();
      for (const Loop& loop : m.levels[level].loops) order.push_back(loop.dim);
    }
    const oracle::Cost cost = costs.evaluate(m);
    insert(fronts[agreed], {times * cost.latency, times * cost.energy, times * cost.activations()});
  });
  return fronts;
}

bool agrees(const std::vector<Dim>& order, const std::vector<Dim>& permutation) {
  auto from = permutation.begin();
  for (const Dim j : order) {
    from = std::find(from, permutation.end(), j);
    if (from == permutation.end()) return false;
  }
  return true;
}

class Exhaustion {
 public:
  explicit Exhaustion(std::vector<Fronts> layers) : layers_(std::move(layers)) {
    std::set<Dim> used;
    for (const Fronts& fronts : layers_) {
      for (const auto& [agreed, costs] : fronts) {
        levels_ = std::max(levels_, agreed.second.size());
        for (const auto& order : agreed.second) used.insert(order.begin(), order.end());
      }
    }
    dims_.assign(used.begin(), used.end());
  }

  std::vector<Cost> run() {
    std::set<Stores> choices;
    for (const auto& [agreed, costs] : layers_.front()) choices.insert(agreed.first);
    for (const Stores& stores : choices) {
      std::vector<Fronts> within;
      for (const Fronts& fronts : layers_) {
        Fronts& some = within.emplace_back();
        std::ranges::copy_if(fronts, std::inserter(some, some.end()),
                             [&](const auto& entry) { return entry.first.first == stores; });
      }
      permute(std::move(within), 0);
    }
    return best_;
  }

 private:
  /// Permutations of the levels from `level` on. Those that admit the same entries of every layer
  /// as one before are left out: what follows is the same.
  void permute(const std::vector<Fronts>& layers, std::size_t level) {
    if (std::ranges::any_of(layers, [](const Fronts& fronts) { return fronts.empty(); })) return;
    if (level == levels_) return combine(layers);
    std::vector<Dim> permutation = dims_;
    std::set<std::vector<bool>> seen;
    do {
      std::vector<bool> admitted;
      for (const Fronts& fronts : layers) {
        for (const auto& [agreed, costs] : fronts) {
          admitted.push_back(agrees(agreed.second[level], permutation));
        }
      }
      if (!seen.insert(std::move(admitted)).second) continue;
      std::vector<Fronts> within;
      for (const Fronts& fronts : layers) {
        Fronts& some = within.emplace_back();
        std::ranges::copy_if(fronts, std::inserter(some, some.end()), [&](const auto& entry) {
          return agrees(entry.first.second[level], permutation);
        });
      }
      permute(within, level + 1);
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }

  void combine(const std::vector<Fronts>& layers) {
    std::vector<Cost> sums{Cost{}};
    for (const Fronts& fronts : layers) {
      std::vector<Cost> own;
      for (const auto& [agreed, costs] : fronts) {
        for (const Cost& cost : costs) insert(own, cost);
      }
      std::vector<Cost> longer;
      for (const Cost& sum : sums) {
        for (const Cost& cost : own) {
          insert(longer, {sum.latency + cost.latency, sum.energy + cost.energy,
                          sum.activations + cost.activations});
        }
      }
      sums = std::move(longer);
    }
    for (const Cost& sum : sums) insert(best_, sum);
  }

  std::vector<Fronts> layers_;
  std::size_t levels_ = 0;
  std::vector<Dim> dims_;
  std::vector<Cost> best_;
};

}  // namespace

Space::Space(const Architecture& architecture, const Network& network, RowModel model,
             const JointOptions& joint) {
  std::vector<Fronts> layers;
  for (const NetworkLayer& layer : network.layers) {
    layers.push_back(all_mappings(architecture, layer, model, joint));
    if (layers.back().empty()) return;
  }
  for (const Cost& sum : Exhaustion(std::move(layers)).run()) {
    totals_.push_back({sum.latency, sum.energy, sum.activations});
  }
}

std::vector<Fraction> Space::best(const Objective& objective) const {
  std::vector<Fraction> best;
  for (const Totals& sum : totals_) {
    std::vector<Fraction> values;
    for (const Goal goal : objective.goals) {
      switch (goal) {
        case Goal::latency: values.push_back(sum.latency); break;
        case Goal::energy: values.push_back(sum.energy); break;
        case Goal::edp: values.push_back(sum.latency * sum.energy); break;
        case Goal::activations: values.push_back(sum.activations); break;
        case Goal::blended:
          values.push_back(Fraction(objective.alpha) * sum.latency +
                           Fraction(objective.beta) * sum.energy);
          break;
      }
    }
    if (best.empty() || values < best) best = std::move(values);
  }
  return best;
}

}  // namespace exhaust
