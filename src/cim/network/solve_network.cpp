// Sums layer by layer; EDP by blends of latency and energy (search/least_product.hpp).
#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "cim/network/fitting_blend.hpp"
#include "pimbb/cim/network.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "search/least_product.hpp"

namespace pimbb::cim {
namespace {

using Values = std::vector<Rational>;

/// All layers solved for one list of goals that are sums.
struct Pass {
  Objective objective;
  std::vector<Solution> layers;
  Values value;  ///< of the totals; empty if some layer has no mapping
  Values bound;  ///< proven, given the optima of the goals before it; 0 where nothing is known
  Rational latency, energy;
  [[nodiscard]] bool has_all() const { return !value.empty(); }
  [[nodiscard]] bool is_proven() const { return has_all() && value == bound; }
};

Rational weight_of(const NetworkLayer& layer) { return layer.workload.weight * layer.repetitions; }

Status weaker(Status a, Status b) {
  const auto weakness = [](Status status) {
    switch (status) {
      case Status::optimal: return 0;
      case Status::feasible: return 1;
      case Status::unknown: return 2;
      default: return 3;
    }
  };
  return weakness(a) < weakness(b) ? b : a;
}

class NetworkSolver {
 public:
  NetworkSolver(const Architecture& a, const Network& merged, const Question& question,
                const RunLimits& limits)
      : a_(a), network_(merged), question_(question), limits_(limits), clock_(limits) {}

  NetworkSolution run(const std::function<void(const LayerSolution&)>& on_layer, bool per_layer) {
    const std::vector<Goal>& goals = question_.objective.goals;
    const auto edp = std::ranges::find(goals, Goal::edp);
    NetworkSolution result;
    if (edp == goals.end() || per_layer) {
      result = finished(pass(question_.objective, on_layer), edp == goals.end());
    } else if (question_.method == Method::greedy) {
      Pass all = pass(question_.objective, on_layer);
      if (all.has_all()) all.value = values_of(all.latency, all.energy);
      std::ranges::fill(all.bound, Rational());  // of sums of products, not of a product of sums
      result = finished(all, true);
    } else {
      quiet_ = true;
      const auto place = static_cast<std::size_t>(edp - goals.begin());
      result = place > 0 ? finished(on_a_line(place), true) : on_the_hull();
      for (const LayerSolution& layer : result.layers) {
        if (on_layer) on_layer(layer);
      }
    }
    result.blends = blends_;
    result.seconds = clock_.seconds();
    return result;
  }

 private:
  Pass pass(const Objective& objective,
            const std::function<void(const LayerSolution&)>& on_layer = {}) {
    Pass all{objective, {}, Values(objective.goals.size()), Values(objective.goals.size()), 0, 0};
    Question question = question_;
    question.objective = objective;
    bool complete = true;
    for (std::size_t k = 0; k < network_.layers.size(); ++k) {
      all.layers.push_back(solve(a_, network_.layers[k].workload, question, share(k)));
      complete = add(all, network_.layers[k], all.layers.back()) && complete;
      if (on_layer) on_layer(layer_of(all, k));
    }
    if (!complete) all.value.clear();
    // Bounds behind a goal that is not closed hold for no mapping of the network in particular.
    for (std::size_t g = 0; g + 1 < all.bound.size(); ++g) {
      if (!all.value.empty() && all.value[g] == all.bound[g]) continue;
      std::fill(all.bound.begin() + static_cast<std::ptrdiff_t>(g) + 1, all.bound.end(),
                Rational());
      break;
    }
    return all;
  }

  /// The limits of the search for layer k: an equal part of the time that is left.
  [[nodiscard]] RunLimits share(std::size_t k) const {
    RunLimits own = limits_;
    if (const auto left = clock_.left()) {
      own.time_limit = *left / static_cast<double>(network_.layers.size() - k);
    }
    if (quiet_) own.on_progress = nullptr;
    return own;
  }

  static bool add(Pass& all, const NetworkLayer& layer, const Solution& solution) {
    const Rational count = weight_of(layer);
    for (std::size_t g = 0; g < solution.goals.size(); ++g) {
      all.bound[g] += count * solution.goals[g].bound;
      if (solution.mapping) all.value[g] += count * solution.goals[g].value;
    }
    if (!solution.metrics) return false;
    all.latency += count * solution.metrics->latency;
    all.energy += count * solution.metrics->energy;
    return true;
  }

  [[nodiscard]] LayerSolution layer_of(const Pass& all, std::size_t k) const {
    const NetworkLayer& layer = network_.layers[k];
    return {layer.workload, layer.repetitions, all.objective, all.layers[k]};
  }

  /// `has_goals`: the objective's goals are those of the pass, and sums or values of the totals.
  [[nodiscard]] NetworkSolution finished(const Pass& all, bool has_goals) const {
    NetworkSolution result;
    for (std::size_t k = 0; k < all.layers.size(); ++k) {
      result.layers.push_back(layer_of(all, k));
      result.status = weaker(result.status, all.layers[k].status);
      if (all.layers[k].metrics) {
        result.totals.macs += weight_of(network_.layers[k]) * network_.layers[k].workload.macs();
      }
    }
    result.totals.latency = all.latency;
    result.totals.energy = all.energy;
    if (!has_goals || !all.has_all()) return result;
    const Objective& objective = question_.objective;
    bool proven = true;
    for (std::size_t g = 0; g < all.value.size(); ++g) {
      result.goals.push_back({objective.goals[g], all.value[g], all.bound[g]});
      proven = proven && all.value[g] == all.bound[g];
    }
    // Of single layers, some may be optimal for a blend only.
    if (result.status == Status::optimal && !proven) result.status = Status::feasible;
    if (result.status == Status::feasible && proven) result.status = Status::optimal;
    return result;
  }

  [[nodiscard]] Objective objective_of(std::vector<Goal> goals, const search::Blend& blend) const {
    Objective objective;
    objective.goals = std::move(goals);
    objective.alpha = blend.alpha;
    objective.beta = blend.beta;
    return objective;
  }

  /// With the goals before EDP at their optimum, latency and energy are on a line, where their
  /// product is least at one of its ends.
  Pass on_a_line(std::size_t edp) {
    const Objective& whole = question_.objective;
    std::optional<Pass> best;
    Values floor;
    for (const auto& [first, second] :
         {std::pair{Goal::latency, Goal::energy}, std::pair{Goal::energy, Goal::latency}}) {
      std::vector<Goal> goals(whole.goals.begin(),
                              whole.goals.begin() + static_cast<std::ptrdiff_t>(edp));
      for (const Goal goal : {first, second}) {
        if (std::ranges::count(goals, goal) == 0) goals.push_back(goal);
      }
      Pass end = pass(objective_of(std::move(goals), {whole.alpha, whole.beta}));
      ++blends_;
      const bool proven = end.is_proven();
      Values least(whole.goals.size());
      std::copy_n(end.bound.begin(), edp, least.begin());
      if (end.has_all()) end.value = values_of(end.latency, end.energy);
      if (proven) least = end.value;
      floor = floor.empty() ? least : std::min(floor, least);
      if (!best || (end.has_all() && (!best->has_all() || end.value < best->value))) {
        best = std::move(end);
      }
    }
    best->bound = best->has_all() ? std::min(floor, best->value) : floor;
    return std::move(*best);
  }

  [[nodiscard]] Values values_of(const Rational& latency, const Rational& energy) const {
    Values values;
    for (const Goal goal : question_.objective.goals) {
      values.push_back(question_.objective.value(goal, latency, energy));
    }
    return values;
  }

  /// EDP first. The goals behind it depend on latency and energy alone, so they choose among the
  /// minimisers.
  NetworkSolution on_the_hull() {
    const search::ProductMinimum minimum = search::minimise_product(
        [this](const search::Blend& asked) { return support(asked); },
        [this] { return clock_.stopped() || !passes_.front().has_all(); },
        [this](const Rational& best, const Rational& bound) { report(best, bound); });
    if (!passes_.front().has_all()) return finished(passes_.front(), false);
    const search::ProductPoint* best = nullptr;
    for (const search::ProductPoint& point : minimum.best) {
      if (best == nullptr || values_of(point.x, point.y) < values_of(best->x, best->y)) {
        best = &point;
      }
    }
    Pass all = passes_[best->id];
    all.value = values_of(all.latency, all.energy);
    all.bound = all.value;
    if (!minimum.proven) {
      std::ranges::fill(all.bound, Rational());
      all.bound.front() = std::min(minimum.bound, all.value.front());
    }
    return finished(all, true);
  }

  search::Support support(const search::Blend& asked) {
    search::Blend direction = network::fitting_blend(asked);
    std::vector<Goal> goals{Goal::blended};
    if (direction.beta.sign() == 0) {
      goals = {Goal::latency, Goal::energy};
      direction = {1, 0};
    } else if (direction.alpha.sign() == 0) {
      goals = {Goal::energy, Goal::latency};
      direction = {0, 1};
    }
    const Pass& found = passes_.emplace_back(pass(objective_of(std::move(goals), direction)));
    ++blends_;
    if (!found.has_all()) return {direction, {}, {}};
    return {direction, {found.latency, found.energy, passes_.size() - 1}, found.bound.front()};
  }

  void report(const Rational& best, const Rational& bound) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(Goal::edp);
    line.incumbent = best.to_double();
    line.bound = std::min(best, bound).to_double();
    for (const Pass& pass : passes_) {
      for (const Solution& solution : pass.layers) line.nodes += solution.labels;
    }
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  const Architecture& a_;
  const Network& network_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  std::deque<Pass> passes_;  // of EDP's blends
  std::uint64_t blends_ = 0;
  bool quiet_ = false;  // layers' own progress is not shown
};

}  // namespace

search::Blend network::fitting_blend(const search::Blend& direction) {
  const search::Blend whole = search::coprime(direction);
  const Rational most = Rational(std::int64_t{1} << 62);
  return whole.alpha < most && whole.beta < most ? whole : search::coarser(direction, 62);
}

NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const Question& question, const RunLimits& limits,
                              const std::function<void(const LayerSolution&)>& on_layer,
                              bool per_layer) {
  if (!question.caps.empty()) {
    throw InputError("at most: found a limit on a goal of a network, allowed with one layer");
  }
  const Network merged = merge_equal_layers(network);
  return NetworkSolver(architecture, merged, question, limits).run(on_layer, per_layer);
}

}  // namespace pimbb::cim
