// Solving layers in parallel, and what the answers tell about others.
#include "dram_pim/network/layer_pool.hpp"

#include <algorithm>

#include "dram_pim/network/loop_needs.hpp"
#include "dram_pim/network/together.hpp"
#include "pimbb/dram_pim/padded.hpp"

namespace pimbb::dram_pim::network {
namespace {

Architecture restricted(const Architecture& architecture, const Demand& demand) {
  Architecture part = architecture;
  for (std::size_t m = 0; m < demand.stores.size(); ++m) {
    if (!demand.stores[m]) continue;
    part.levels[m].stores = *demand.stores[m];
    part.levels[m].bypass_free = false;
  }
  return part;
}

/// What a layer's first goal may cost, given its best known mapping, if there is one.
std::optional<Rational> at_most(const LayerPool::Asked& asked, const Solution* known,
                                const Objective& objective) {
  if (known == nullptr) return asked.at_most;
  const Rational value = values_of(objective, *known->metrics)[0];
  return asked.at_most ? std::min(*asked.at_most, value) : value;
}

}  // namespace

Demand Demand::of(const Workload& workload) const {
  std::uint8_t dims = 0;
  for (const Dim j : kAllDims) {
    dims = static_cast<std::uint8_t>(dims | (workload.bound(j) > 1 ? 1U : 0U) << index(j));
  }
  Demand own = *this;
  for (LevelPrecedence& level : own.order.inside) {
    for (const Dim j : kAllDims) {
      const bool has_loop = workload.bound(j) > 1;
      level[index(j)] = has_loop ? static_cast<std::uint8_t>(level[index(j)] & dims) : 0;
    }
  }
  return own;
}

bool Demand::kept_by(const Architecture& architecture, const Mapping& mapping,
                     RowModel model) const {
  for (std::size_t m = 0; m < stores.size(); ++m) {
    if (stores[m] && *stores[m] != mapping.levels[m].stores) return false;
  }
  if (!order.any()) return true;
  LoopPrecedence pairs = needs(architecture, mapping, model);
  unite(pairs, order);
  return !has_cycle(pairs);
}

bool Demand::follows_from(const Demand& other) const {
  for (std::size_t m = 0; m < stores.size(); ++m) {
    if (stores[m] && (m >= other.stores.size() || stores[m] != other.stores[m])) return false;
  }
  for (std::size_t m = 0; m < order.inside.size(); ++m) {
    for (std::size_t j = 0; j < kDims; ++j) {
      const std::uint8_t there = m < other.order.inside.size() ? other.order.inside[m][j] : 0;
      if ((order.inside[m][j] & ~there) != 0) return false;
    }
  }
  return true;
}

std::optional<search::Blend> direction_of(const Objective& objective, Goal goal) {
  if (!traits(goal).linear || traits(goal).activations) return std::nullopt;
  const GoalCosts weights = objective.weights(goal);
  if (weights.latency.sign() == 0 && weights.energy.sign() == 0) return std::nullopt;
  return search::Blend{weights.latency, weights.energy};
}

LayerPool::LayerPool(const Architecture& architecture, const Network& merged,
                     const Question& question, const RunLimits& limits)
    : a_(architecture),
      network_(merged),
      question_(question),
      limits_(limits),
      clock_(limits),
      lines_(merged.layers.size()),
      at_once_(merged.layers.size()) {}

LayerPool::Key LayerPool::key(std::size_t i, const Objective& objective) {
  const bool blends = objective.is_weighted();
  return {i, objective.goals, blends ? objective.alpha.to_string() : "",
          blends ? objective.beta.to_string() : ""};
}

const Solution* LayerPool::find(std::size_t i, const Demand& whole,
                                const Objective& objective) const {
  const Demand demand = whole.of(layer(i).workload);
  const auto solved = known_.find(key(i, objective));
  if (solved == known_.end()) return nullptr;
  for (const KnownSolution& known : solved->second) {
    const Solution& solution = known.solution;
    if (known.demand == demand) return &solution;
    if (!known.demand.follows_from(demand)) continue;
    if (solution.status == Status::infeasible) return &solution;
    if (solution.status == Status::optimal &&
        demand.kept_by(a_, *solution.mapping, question_.row_model)) {
      return &solution;
    }
  }
  return nullptr;
}

bool LayerPool::solve(const std::vector<Asked>& layers, const Demand& demand,
                      const Objective& objective) {
  std::vector<Asked> open;
  std::ranges::copy_if(layers, std::back_inserter(open), [&](const Asked& asked) {
    return find(asked.layer, demand, objective) == nullptr;
  });
  const auto own = [&](const Asked& asked) { return demand.of(layer(asked.layer).workload); };
  // The optimum costs no more than what is known; with another cap it may.
  std::vector<const Solution*> best;
  for (const Asked& asked : open) {
    best.push_back(asked.cap ? nullptr : best_known(asked.layer, own(asked), objective));
  }
  std::vector<Solution> solutions =
      solve_together(limits_, open.size(), [&](std::size_t k, RunLimits limits) {
        const Demand demanded = own(open[k]);
        Question question = question_;
        question.objective = objective;
        question.precedence = demanded.order;
        question.at_most = at_most(open[k], best[k], objective);
        if (open[k].cap) question.caps.push_back(*open[k].cap);
        limits.time_limit = clock_.left();
        if (open[k].nodes) limits.node_limit = open[k].nodes;
        return solve_padded(restricted(a_, demanded), layer(open[k].layer).workload, question,
                            limits);
      });
  bool within = true;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const std::size_t i = open[k].layer;
    Solution& solution = solutions[k];
    if (solution.status == Status::unknown && best[k] != nullptr) {
      solution.status = Status::feasible;
      solution.mapping = best[k]->mapping;
      solution.padded = best[k]->padded;
      solution.metrics = best[k]->metrics;
      judge(solution, i, demand, objective);
    }
    const bool exceeds = open[k].at_most && solution.status == Status::infeasible;
    const bool cut_short =
        open[k].nodes && solution.status != Status::optimal && !exceeds && !clock_.stopped();
    within = within && !exceeds;
    if (!exceeds && !cut_short) {
      remember(i, own(open[k]), objective, std::move(solution));
      continue;
    }
    spent_ += solution;
    if (exceeds && !open[k].cap) remember_bound(i, own(open[k]), objective, *open[k].at_most);
    if (cut_short && !solution.goals.empty()) {
      remember_bound(i, own(open[k]), objective, solution.goals.front().bound);
    }
  }
  return within;
}

void LayerPool::remember(std::size_t i, const Demand& demand, const Objective& objective,
                         Solution solution) {
  spent_ += solution;
  if (!solution.goals.empty() && solution.status != Status::infeasible) {
    remember_bound(i, demand, objective, solution.goals.front().bound);
  }
  known_[key(i, objective)].push_back({demand, std::move(solution)});
}

/// Of all known mappings that satisfy a demand, one that costs least in the first goal, if there is
/// any. Null for heuristics, which are not limited.
const Solution* LayerPool::best_known(std::size_t i, const Demand& demand,
                                      const Objective& objective) const {
  if (is_heuristic(question_.method)) return nullptr;
  const Solution* best = nullptr;
  std::optional<Rational> least;
  for (const auto& [key, solutions] : known_) {
    if (std::get<0>(key) != i) continue;
    for (const auto& [_, solution] : solutions) {
      if (!solution.mapping || !demand.kept_by(a_, *solution.mapping, question_.row_model)) {
        continue;
      }
      Rational value = values_of(objective, *solution.metrics)[0];
      if (least && value >= *least) continue;
      least = std::move(value);
      best = &solution;
    }
  }
  return best;
}

/// What the first goal costs at least.
void LayerPool::remember_bound(std::size_t i, const Demand& demand, const Objective& objective,
                               const Rational& bound) {
  const auto direction = direction_of(objective, objective.goals.front());
  if (direction) lines_[i].push_back({demand, *direction, bound});
}

Values LayerPool::floor(std::size_t i, const Demand& whole, const Objective& objective) const {
  const Demand demand = whole.of(layer(i).workload);
  Values floor(objective.goals.size());
  const auto wanted = direction_of(objective, objective.goals.front());
  if (!wanted) return floor;
  const auto weight = [](const search::Blend& d) { return d.alpha + d.beta; };
  std::vector<const SupportLine*> lines;  // the best of every direction
  for (const SupportLine& line : lines_[i]) {
    if (!line.demand.follows_from(demand)) continue;
    const auto same = std::ranges::find_if(lines, [&](const SupportLine* other) {
      return search::turn(line.direction, other->direction).sign() == 0;
    });
    if (same == lines.end()) {
      lines.push_back(&line);
    } else if (line.bound * weight((*same)->direction) > (*same)->bound * weight(line.direction)) {
      *same = &line;
    }
  }
  for (const SupportLine* a : lines) {
    if (search::turn(a->direction, *wanted).sign() == 0) {
      floor[0] = max(floor[0], a->bound * weight(*wanted) / weight(a->direction));
    }
    for (const SupportLine* b : lines) {
      const Rational det = search::turn(a->direction, b->direction);
      const Rational s = search::turn(*wanted, b->direction);  // wanted = (s a + t b) / det
      const Rational t = search::turn(a->direction, *wanted);
      if (det.sign() <= 0 || s.sign() < 0 || t.sign() < 0) continue;
      floor[0] = max(floor[0], (s * a->bound + t * b->bound) / det);
    }
  }
  return floor;
}

const Solution& LayerPool::at_once(std::size_t i, const Demand& demand,
                                   const Objective& objective) {
  const Demand own = demand.of(layer(i).workload);
  const auto known = std::ranges::find(at_once_[i], own, &KnownSolution::demand);
  Solution solution = known != at_once_[i].end() ? known->solution : hurried(i, own, objective);
  judge(solution, i, demand, objective);
  return at_once_[i].emplace_back(KnownSolution{own, std::move(solution)}).solution;
}

/// The goals of a mapping that was found for others.
void LayerPool::judge(Solution& solution, std::size_t i, const Demand& demand,
                      const Objective& objective) const {
  solution.goals.clear();
  if (!solution.metrics) return;
  const Values value = values_of(objective, *solution.metrics);
  const Values floor = this->floor(i, demand, objective);
  for (std::size_t k = 0; k < value.size(); ++k) {
    solution.goals.push_back({objective.goals[k], value[k], floor[k]});
  }
}

Solution LayerPool::hurried(std::size_t i, const Demand& own, const Objective& objective) const {
  Question question = question_;
  question.objective = objective;
  question.precedence = own.order;
  RunLimits limits = limits_;
  limits.time_limit = 0;
  limits.on_progress = nullptr;
  return solve_padded(restricted(a_, own), layer(i).workload, question, limits);
}

}  // namespace pimbb::dram_pim::network
