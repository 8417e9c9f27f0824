// Exhaustion: factorization by factorization, order by order, storage triple by storage triple.
#include "support/brute_force.hpp"

#include <algorithm>
#include <map>

#include "support/oracle_feasibility.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Goal;
using pimbb::dram_pim::Objective;

class BruteForce {
 public:
  BruteForce(const Architecture& a, const Workload& w, const Objective& objective, RowModel model,
             const Restriction& part)
      : a_(a), w_(w), objective_(objective), model_(model), part_(part), oracle_(a, w, model) {
    for (const Tensor t : kAllTensors) {
      patterns_[index(t)] = storage_patterns(a, t);
      if (!part.storage) continue;
      std::erase_if(patterns_[index(t)],
                    [&](const std::vector<bool>& pattern) { return !part.storage(t, pattern); });
    }
  }

  Optimum run() {
    for_each_factorization(a_, w_, [&](Mapping& m) { factorized(m); });
    return best_;
  }

 private:
  using Triple = std::array<std::size_t, kTensors>;  // a storage pattern of each tensor

  /// Storage that fits and layouts depend on the factors alone.
  void factorized(Mapping& m) {
    find_triples(m);
    if (triples_.empty()) return;
    std::uint64_t layouts = triples_.size();
    for (const Tensor t : kAllTensors) {
      layouts_[index(t)] = layout_choices(a_, w_, m, t);
      if (part_.layout) {
        std::erase_if(layouts_[index(t)],
                      [&](const LayoutChoice& choice) { return !part_.layout(m, t, choice); });
      }
      layouts *= layouts_[index(t)].size();
    }
    if (layouts == 0) return;
    for_each_order(m, [&] {
      if (part_.loops && !part_.loops(m)) return;
      ordered(m);
      best_.mappings += layouts;
    });
  }

  void find_triples(Mapping& m) {
    triples_.clear();
    find_which_bits_fit(m);
    Triple triple{};
    for (triple[0] = 0; triple[0] < patterns_[0].size(); ++triple[0]) {
      for (triple[1] = 0; triple[1] < patterns_[1].size(); ++triple[1]) {
        for (triple[2] = 0; triple[2] < patterns_[2].size(); ++triple[2]) {
          if (triple_fits(triple)) triples_.push_back(triple);
        }
      }
    }
  }

  /// Rule 6 looks at one level and the three storage bits there: eight cases a level.
  void find_which_bits_fit(Mapping& m) {
    for (std::size_t level = 0; level < a_.levels.size(); ++level) {
      for (std::size_t bits = 0; bits < 8; ++bits) {
        m.levels[level].stores = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        bits_fit_.at(level).at(bits) = fits(a_, w_, m, level);
      }
    }
  }

  [[nodiscard]] bool triple_fits(const Triple& triple) const {
    for (std::size_t level = 0; level < a_.levels.size(); ++level) {
      std::size_t bits = 0;
      for (std::size_t t = 0; t < kTensors; ++t) {
        bits |= patterns_[t][triple[t]][level] ? std::size_t{1} << t : 0;
      }
      if (!bits_fit_.at(level).at(bits)) return false;
    }
    return true;
  }

  void ordered(Mapping& m) {
    if (shares_banks_) return ordered_together(m);
    for (const Tensor t : kAllTensors) {
      std::vector<TensorCost>& costs = costs_[index(t)];
      costs.clear();
      for (auto& known : least_activations_) known.reset();
      for (const std::vector<bool>& pattern : patterns_[index(t)]) {
        set_storage(m, t, pattern);
        costs.push_back(oracle_.tensor_cost(m, t, least_activations(m, t).first));
      }
    }
    const Fraction compute = oracle_.compute_cycles(m);
    for (const Triple& triple : triples_) {
      const CostOracle::Totals totals = oracle_.totals(
          compute, {&costs_[0][triple[0]], &costs_[1][triple[1]], &costs_[2][triple[2]]});
      if (part_.costs) part_.costs(totals);
      if (better(totals)) keep(m, triple, totals);
    }
  }

  /// The same where tensors share a bank: a tensor's cost then depends on where the others move.
  void ordered_together(Mapping& m) {
    together_.clear();
    const Fraction compute = oracle_.compute_cycles(m);
    for (const Triple& triple : triples_) {
      for (const Tensor t : kAllTensors) set_storage(m, t, patterns_[index(t)][triple[index(t)]]);
      std::array<TensorCost, kTensors> c;
      for (const Tensor t : kAllTensors) {
        c[index(t)] = oracle_.tensor_cost(m, t, least_together(m, t).first);
      }
      const CostOracle::Totals totals = oracle_.totals(compute, {&c[0], &c[1], &c[2]});
      if (part_.costs) part_.costs(totals);
      if (better(totals)) keep(m, triple, totals);
    }
  }

  using Activations = std::pair<Fraction, LayoutChoice>;

  /// The least N_act over the layouts, where what all tensors move is known. The layouts of the
  /// others do not matter: their rows are other rows.
  const Activations& least_together(Mapping& m, Tensor t) {
    const auto fed = [&](Tensor u) { return fed_level(a_, m, u); };
    const std::array<int, 4> key{static_cast<int>(t), fed(Tensor::input), fed(Tensor::weight),
                                 fed(Tensor::output)};
    const auto [known, is_new] = together_.try_emplace(key);
    if (is_new) known->second = least_over_layouts(m, t);
    return known->second;
  }

  /// The least N_act over the layouts. Storage matters only through the level that is fed.
  const Activations& least_activations(Mapping& m, Tensor t) {
    std::optional<Activations>& least =
        least_activations_.at(static_cast<std::size_t>(fed_level(a_, m, t) + 1));
    if (!least) least = least_over_layouts(m, t);
    return *least;
  }

  Activations least_over_layouts(Mapping& m, Tensor t) {
    std::optional<Activations> least;
    for (const LayoutChoice& choice : layouts_[index(t)]) {
      set_layout(m, t, choice);
      const Fraction n = row_activations(a_, w_, m, t, model_);
      if (!least || n < least->first) least = Activations{n, choice};
    }
    return *least;
  }

  [[nodiscard]] bool better(const CostOracle::Totals& totals) const {
    if (best_.values.empty()) return true;
    for (std::size_t g = 0; g < objective_.goals.size(); ++g) {
      const Fraction value = totals.value(objective_.goals[g], objective_);
      if (value != best_.values[g]) return value < best_.values[g];
    }
    return false;
  }

  void keep(const Mapping& m, const Triple& triple, const CostOracle::Totals& totals) {
    best_.values.clear();
    for (const Goal goal : objective_.goals) {
      best_.values.push_back(totals.value(goal, objective_));
    }
    best_.mapping = m;
    for (const Tensor t : kAllTensors) {
      set_storage(*best_.mapping, t, patterns_[index(t)][triple[index(t)]]);
    }
    for (const Tensor t : kAllTensors) {
      set_layout(*best_.mapping, t, least_over_layouts(*best_.mapping, t).second);
    }
  }

  const Architecture& a_;
  const Workload& w_;
  const Objective& objective_;
  RowModel model_;
  const Restriction& part_;
  CostOracle oracle_;
  std::array<std::vector<std::vector<bool>>, kTensors> patterns_;
  // of the current factorization
  std::array<std::array<bool, 8>, kMaxLevels> bits_fit_{};
  std::vector<Triple> triples_;
  std::array<std::vector<LayoutChoice>, kTensors> layouts_;
  bool shares_banks_ = model_ == RowModel::trace && std::ranges::any_of(kAllTensors, [&](Tensor t) {
                         return shares_bank(a_, t);
                       });
  // of the current order
  std::map<std::array<int, 4>, Activations> together_;  // by tensor and fed levels of all
  std::array<std::vector<TensorCost>, kTensors> costs_;
  std::array<std::optional<Activations>, kMaxLevels> least_activations_;  // by fed level + 1
  Optimum best_;
};

}  // namespace

Optimum brute_force(const Architecture& a, const Workload& w, const Objective& objective,
                    RowModel model, const Restriction& part) {
  return BruteForce(a, w, objective, model, part).run();
}

Restriction both(const Restriction& a, const Restriction& b) {
  const auto all = [](auto x, auto y) {
    return [x, y](const auto&... arguments) {
      return (!x || x(arguments...)) && (!y || y(arguments...));
    };
  };
  return {all(a.loops, b.loops), all(a.storage, b.storage), all(a.layout, b.layout)};
}

void for_each_mapping(const Architecture& a, const Workload& w,
                      const std::function<void(const Mapping&)>& visit) {
  const auto every = [](const auto& choices, const auto& then) {
    for (const auto& choice : choices) then(choice);
  };
  const auto with_all_layouts = [&](Mapping& m) {
    every(layout_choices(a, w, m, Tensor::input), [&](const LayoutChoice& x) {
      every(layout_choices(a, w, m, Tensor::weight), [&](const LayoutChoice& y) {
        every(layout_choices(a, w, m, Tensor::output), [&](const LayoutChoice& z) {
          set_layout(m, Tensor::input, x);
          set_layout(m, Tensor::weight, y);
          set_layout(m, Tensor::output, z);
          if (broken_rule(a, w, m).empty()) visit(m);
        });
      });
    });
  };
  using Pattern = std::vector<bool>;
  for_each_factorization(a, w, [&](Mapping& m) {
    for_each_order(m, [&] {
      every(storage_patterns(a, Tensor::input), [&](const Pattern& x) {
        every(storage_patterns(a, Tensor::weight), [&](const Pattern& y) {
          every(storage_patterns(a, Tensor::output), [&](const Pattern& z) {
            set_storage(m, Tensor::input, x);
            set_storage(m, Tensor::weight, y);
            set_storage(m, Tensor::output, z);
            with_all_layouts(m);
          });
        });
      });
    });
  });
}

}  // namespace oracle
