// Steps, tried in a fixed order until none improves the mapping.
#include "dram_pim/heuristic/local_search.hpp"

#include <algorithm>

#include "dram_pim/heuristic/array_filling.hpp"
#include "dram_pim/heuristic/factor_moves.hpp"
#include "dram_pim/heuristic/greedy.hpp"
#include "dram_pim/heuristic/nest_builder.hpp"
#include "exact/factors.hpp"
#include "exact/splitmix64.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

/// Random steps away from the best mapping, and attempts for each to find a feasible one.
constexpr int kLeavingSteps = 3;
constexpr int kAttempts = 50;

/// Many steps leave the rows that are opened as they are. Of such mappings the one of less energy
/// is better: it moves larger tiles, which later steps can keep in fewer rows. (Of 52 large layers,
/// answers open 0.91 of the rows after 0.1 s. The other goals gain nothing by such a rule.)
Objective with_ties(Objective objective) {
  if (objective.goals == std::vector{Goal::activations}) objective.goals.push_back(Goal::energy);
  return objective;
}

class Descent {
 public:
  explicit Descent(const LocalSearch& search)
      : s_(search),
        objective_(with_ties(search.objective)),
        places_(places_of(search.architecture)),
        random_(search.seed) {
    for (const Direction d : kAllDirections) {
      if (s_.architecture.pe_array.extent(d) > 1) wide_.push_back(d);
    }
    for (const Dim j : kAllDims) {
      primes_[index(j)] = prime_factors_of(s_.workload.bound(j));
      auto& primes = primes_[index(j)];
      primes.erase(std::unique(primes.begin(), primes.end()), primes.end());
    }
  }

  [[nodiscard]] bool done() const { return best_.samples >= s_.tries || (s_.stop && s_.stop()); }
  [[nodiscard]] const RandomBest& best() const { return best_; }

  /// Makes way for mappings that are not better than the current one.
  void start_anew() { has_current_ = false; }
  /// Goes a few random steps from the best mapping, whatever they cost.
  void leave_best() {
    start_anew();
    if (best_.mapping.levels.empty()) return;
    current_ = best_.mapping;
    for (int steps = 0; steps < kLeavingSteps; ++steps) step_anywhere();
    look_at(std::move(current_));
  }
  /// Goes to the best mapping with one direction of the array filled anew, whatever it costs.
  void refill_best() {
    start_anew();
    if (best_.mapping.levels.empty() || wide_.empty()) return;
    Mapping filled = best_.mapping;
    fill_array(s_.architecture, filled, wide_[random_.below(wide_.size())], random_);
    if (make_room(s_.architecture, s_.workload, filled, random_)) look_at(std::move(filled));
  }
  /// Takes a mapping for the current one if it is better; it need be neither feasible nor
  /// admissible.
  bool look_at(Mapping candidate) { return improves(std::move(candidate)); }

  /// From the current mapping.
  void descend() {
    if (!has_current_) return;
    for (bool better = true; better && !done();) {
      better = false;
      for (const auto step :
           {&Descent::move_factors, &Descent::order_loops, &Descent::store, &Descent::lay_out}) {
        better = (this->*step)() || better;
      }
      if (!better) better = exchange_factors();
    }
  }

 private:
  /// Takes a mapping for the current one if it is better.
  bool improves(Mapping candidate) {
    if (done()) return false;
    ++best_.samples;
    if (find_violation(s_.architecture, s_.workload, candidate)) {
      if (candidate.layout == decltype(candidate.layout){}) return false;
      candidate.layout = {};  // a larger tile may only be too large for its layout
      if (find_violation(s_.architecture, s_.workload, candidate)) return false;
    }
    if (s_.admits && !s_.admits(candidate)) return false;
    if (has_current_ && costs_more_without_rows(candidate)) return false;
    Metrics metrics = evaluate(s_.architecture, s_.workload, candidate, s_.row_model);
    if (has_current_ && !better(objective_, metrics, metrics_)) return false;
    current_ = std::move(candidate);
    metrics_ = std::move(metrics);
    has_current_ = true;
    if (best_.mapping.levels.empty() || better(objective_, metrics_, best_.metrics)) {
      best_.mapping = current_;
      best_.metrics = metrics_;
    }
    return true;
  }

  /// Whether a mapping would cost more than the current one even if it opened no rows; much cheaper
  /// to know than what it costs.
  [[nodiscard]] bool costs_more_without_rows(const Mapping& candidate) const {
    const Goal goal = objective_.goals.front();
    const Metrics least = evaluate_with_rows(s_.architecture, s_.workload, candidate, {});
    return objective_.value(goal, least) > objective_.value(goal, metrics_);
  }

  /// Prime factors of j at a place, and all of them together.
  [[nodiscard]] std::vector<std::int64_t> parts(Place place, Dim j) const {
    const std::int64_t all = factor_at(current_, place, j);
    std::vector<std::int64_t> found;
    for (const std::int64_t p : primes_[index(j)]) {
      if (all % p == 0) found.push_back(p);
    }
    if (!found.empty() && found.back() != all) found.push_back(all);
    return found;
  }

  bool move_factors() {
    bool any = false;
    for (const Dim j : kAllDims) {
      for (Place from = places_; from-- > 0;) {
        for (const std::int64_t part : parts(from, j)) {
          for (Place to = 0; to < places_; ++to) {
            if (to == from || factor_at(current_, from, j) % part != 0) continue;
            Mapping candidate = current_;
            move_factor(candidate, j, part, from, to);
            any = improves(std::move(candidate)) || any;
            if (done()) return any;
          }
        }
      }
    }
    return any;
  }

  /// One random prime factor from one random place to another, if the mapping stays feasible.
  void step_anywhere() {
    const auto pick = [this](std::size_t options) {
      return static_cast<std::size_t>(random_.below(options));
    };
    for (int attempts = 0; attempts < kAttempts; ++attempts) {
      const Dim j = kAllDims[pick(kDims)];
      const Place from = pick(places_);
      const Place to = pick(places_);
      const auto found = parts(from, j);
      if (from == to || found.empty()) continue;
      Mapping candidate = current_;
      move_factor(candidate, j, found[pick(found.size())], from, to);
      if (find_violation(s_.architecture, s_.workload, candidate)) continue;
      current_ = std::move(candidate);
      return;
    }
  }

  bool exchange_factors() {
    for (Place here = 0; here < places_; ++here) {
      for (Place there = here + 1; there < places_; ++there) {
        for (const Dim j : kAllDims) {
          for (const Dim k : kAllDims) {
            if (exchange(here, there, j, k)) return true;
            if (done()) return false;
          }
        }
      }
    }
    return false;
  }

  bool exchange(Place here, Place there, Dim j, Dim k) {
    for (const std::int64_t out : parts(here, j)) {
      for (const std::int64_t in : parts(there, k)) {
        if (j == k && out == in) continue;
        Mapping candidate = current_;
        move_factor(candidate, j, out, here, there);
        if (factor_at(candidate, there, k) % in != 0) continue;
        move_factor(candidate, k, in, there, here);
        if (improves(std::move(candidate))) return true;
        if (done()) return false;
      }
    }
    return false;
  }

  /// Makes each tensor stationary at each level: the loops that do not index it innermost.
  bool order_loops() {
    bool any = false;
    for (std::size_t m = 1; m < s_.architecture.levels.size(); ++m) {
      for (const Tensor t : kAllTensors) {
        Mapping candidate = current_;
        std::vector<Loop>& loops = candidate.levels[m].loops;
        std::stable_partition(loops.begin(), loops.end(),
                              [t](const Loop& loop) { return relevant(t, loop.dim); });
        if (candidate != current_) any = improves(std::move(candidate)) || any;
      }
    }
    return any;
  }

  bool store() {
    bool any = false;
    for (std::size_t m = 0; m < s_.architecture.row_buffer(); ++m) {
      if (!s_.architecture.levels[m].bypass_free) continue;
      for (const Tensor t : kAllTensors) {
        if (!s_.architecture.storable(m)[index(t)]) continue;
        Mapping candidate = current_;
        bool& stores = candidate.levels[m].stores[index(t)];
        stores = !stores;
        any = improves(std::move(candidate)) || any;
      }
    }
    return any;
  }

  /// The other layout of each tensor, the input in the smallest block; the other order of a
  /// sequential input, if it is free.
  bool lay_out() {
    bool any = false;
    for (const Tensor t : kAllTensors) {
      Mapping candidate = current_;
      Layout& layout = candidate.layout[index(t)];
      layout = layout == Layout::sequential ? Layout::row_aligned : Layout::sequential;
      if (t == Tensor::input && layout == Layout::row_aligned) {
        const BlockEdges edges = block_edges(s_.architecture, s_.workload, current_);
        candidate.input_block = {edges.heights.front(), edges.widths.front()};
        candidate.input_order = InputOrder::nchw;
      }
      any = improves(std::move(candidate)) || any;
    }
    if (s_.architecture.has_free_input_order() &&
        current_.layout[index(Tensor::input)] == Layout::sequential) {
      Mapping candidate = current_;
      InputOrder& order = candidate.input_order;
      order = order == InputOrder::nchw ? InputOrder::nhwc : InputOrder::nchw;
      any = improves(std::move(candidate)) || any;
    }
    return any;
  }

  const LocalSearch& s_;
  const Objective objective_;
  Place places_;
  std::vector<Direction> wide_;                          // of more than one PE or MAC
  std::array<std::vector<std::int64_t>, kDims> primes_;  // different ones
  SplitMix64 random_;
  Mapping current_;
  Metrics metrics_;
  bool has_current_ = false;
  RandomBest best_;
};

/// Pairs of descents from near the best mapping, after each from random ones.
constexpr int kReturns = 2;
/// Random mappings for each descent.
constexpr std::uint64_t kSamples = 32;
/// A descent takes hundreds of tries, so that a short search has time for one: it begins with the
/// best of more. (Of 200 large layers after 0.1 s, random search was better at 2 with 112 of them,
/// at 3 with 128, at none with 96.)
std::uint64_t first_samples(std::uint64_t tries) {
  return std::clamp<std::uint64_t>(tries / 5, kSamples, 96);
}

}  // namespace

RandomBest local_search(const LocalSearch& search, const Mapping& start, const Mapping& smallest) {
  Descent descent(search);
  descent.look_at(start);
  descent.look_at(greedy(search.architecture, search.workload, search.row_model, smallest));
  if (auto in_rows =
          greedy_in_rows(search.architecture, search.workload, search.row_model, smallest)) {
    descent.look_at(std::move(*in_rows));
  }
  RandomMappings others(search.architecture, search.workload, search.seed, smallest);
  for (std::uint64_t samples = first_samples(search.tries); !descent.done(); samples = kSamples) {
    for (std::uint64_t k = 0; k < samples && !descent.done(); ++k) descent.look_at(others.next());
    descent.descend();
    for (int k = 0; k < kReturns && !descent.done(); ++k) {
      descent.refill_best();
      descent.descend();
      descent.leave_best();
      descent.descend();
    }
    descent.start_anew();
  }
  return descent.best();
}

}  // namespace pimbb::dram_pim::heuristic
