// Several searches at a time, and answers that need none.
#include "dram_pim/device_network/layer_answers.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "dram_pim/device/split_space.hpp"
#include "dram_pim/device_network/time_share.hpp"
#include "dram_pim/network/layer_pool.hpp"
#include "dram_pim/network/together.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim::device_network {
namespace {

bool same_question(const Objective& a, const Objective& b) {
  if (a.goals != b.goals) return false;
  return !a.is_weighted() || (a.alpha == b.alpha && a.beta == b.beta);
}

/// The least a blend can be between two directions whose optimum is the same mapping, so that
/// mapping's own.
DeviceSolution reworded(const DeviceSolution& solution, const Objective& objective) {
  DeviceSolution same = solution;
  static_cast<SolveStatistics&>(same) = {};
  same.seconds = 0;
  same.goals.clear();
  for (const Goal goal : objective.goals) {
    const Rational value = objective.value(goal, solution.metrics->costs());
    same.goals.push_back({goal, value, value});
  }
  return same;
}

}  // namespace

LayerAnswers::LayerAnswers(const Device& device, const std::vector<Variant>& variants,
                           const Question& question, const RunLimits& limits)
    : device_(device),
      variants_(variants.begin(), variants.end()),
      question_(question),
      limits_(limits),
      clock_(limits),
      needs_(variants_.size()) {}

std::size_t LayerAnswers::add(Variant variant) {
  variants_.push_back(std::move(variant));
  needs_.emplace_back();
  return variants_.size() - 1;
}

const DeviceSolution* LayerAnswers::find(const Asked& asked, const Objective& objective) const {
  for (const Known& known : known_) {
    if (known.variant == asked.variant && known.share == asked.share &&
        same_question(known.objective, objective)) {
      return &known.solution;
    }
  }
  return nullptr;
}

/// From two directions around the one of a blend, if one mapping is the best in both.
std::optional<DeviceSolution> LayerAnswers::inferred(std::size_t variant,
                                                     const Objective& objective) const {
  if (objective.goals != std::vector{Goal::blended}) return std::nullopt;
  const search::Blend wanted{objective.alpha, objective.beta};
  const DeviceSolution* before = nullptr;  // the closest directions on either side
  const DeviceSolution* after = nullptr;
  std::optional<search::Blend> left;
  std::optional<search::Blend> right;
  for (const Known& known : known_) {
    if (known.variant != variant || !known.share.whole()) continue;
    const auto direction = network::direction_of(known.objective, known.objective.goals.front());
    if (!direction || known.solution.status != Status::optimal) continue;
    const int turn = search::turn(*direction, wanted).sign();
    if (turn >= 0 && (!left || search::turn(*left, *direction).sign() > 0)) {
      left = direction;
      before = &known.solution;
    }
    if (turn <= 0 && (!right || search::turn(*direction, *right).sign() > 0)) {
      right = direction;
      after = &known.solution;
    }
  }
  if (before == nullptr || after == nullptr) return std::nullopt;
  const bool same = before->metrics->latency == after->metrics->latency &&
                    before->metrics->energy == after->metrics->energy;
  if (!same) return std::nullopt;
  return reworded(*before, objective);
}

/// Some mapping of every layer is better than none when the time is over: one search, cut short.
DeviceSolution LayerAnswers::hurried(const Asked& asked, const Objective& objective,
                                     RunLimits limits, device::SliceBounds bounds) const {
  limits.time_limit = std::nullopt;
  limits.stop = {};
  limits.node_limit = 1;
  return solved(asked, objective, limits, bounds);
}

DeviceSolution LayerAnswers::solved(const Asked& asked, const Objective& objective,
                                    const RunLimits& limits, device::SliceBounds bounds) const {
  const Variant& v = variants_[asked.variant];
  Question question = question_;
  question.objective = objective;
  device::SliceFilter allowed;
  if (!asked.share.whole()) {
    allowed = [&, share = asked.share](const Factors& slice) {
      return share.admits(bank_need(device_, *v.layer, v.moves, slice));
    };
  }
  if (v.given) {
    return device::solve_split(device_, *v.layer, v.moves, question, limits, *v.given, allowed);
  }
  return device::solve_within(device_, *v.layer, v.moves, question, limits, allowed, bounds);
}

const DeviceSolution& LayerAnswers::keep(const Asked& asked, const Objective& objective,
                                         DeviceSolution solution) {
  spent_ += solution;
  return known_.emplace_front(Known{asked.variant, asked.share, objective, std::move(solution)})
      .solution;
}

/// That the search is alive: which layers are solved by then depends on the threads, so not where
/// reports are to repeat.
void LayerAnswers::tell(std::uint64_t nodes) const {
  if (!limits_.on_progress || limits_.timeless) return;
  Progress progress;
  progress.goal = name(question_.objective.goals.front());
  progress.nodes = nodes;
  progress.seconds = clock_.seconds();
  limits_.on_progress(progress);
}

std::vector<const DeviceSolution*> LayerAnswers::solve(const std::vector<Asked>& asked,
                                                       const Objective& objective) {
  std::vector<const DeviceSolution*> answers(asked.size());
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    if (!asked[k].again) answers[k] = find(asked[k], objective);
    if (answers[k] != nullptr) continue;
    if (asked[k].share.whole()) {
      if (auto known = inferred(asked[k].variant, objective)) {
        answers[k] = &keep(asked[k], objective, *std::move(known));
        continue;
      }
    }
    open.push_back(k);
  }
  std::vector<std::optional<DeviceSolution>> solutions(open.size());
  const auto caller = std::this_thread::get_id();
  std::atomic<std::uint64_t> nodes{spent_.nodes};
  const std::size_t threads =
      std::min(static_cast<std::size_t>(run::thread_count(limits_)), open.size());
  network::each_together(limits_, open.size(), [&](std::size_t i, RunLimits limits) {
    const Asked& one = asked[open[i]];
    if (const auto left = clock_.left()) {
      limits.time_limit = time_share(*left, threads, open.size() - i, one.again);
    }
    try {
      solutions[i] = clock_.stopped() ? hurried(one, objective, limits, device::SliceBounds::quick)
                                      : solved(one, objective, limits, device::SliceBounds::sharp);
    } catch (const LimitError&) {
      if (!limits.time_limit && !clock_.stopped()) throw;
      solutions[i] = hurried(one, objective, limits, device::SliceBounds::quick);
    }
    nodes += solutions[i]->nodes;
    if (std::this_thread::get_id() == caller) tell(nodes);
  });
  for (std::size_t i = 0; i < open.size(); ++i) {
    answers[open[i]] = &keep(asked[open[i]], objective, *std::move(solutions[i]));
  }
  return answers;
}

/// A search that is over as soon as it has a bound. Under a time limit, of which half is for the
/// bounds of all that are open, the bound may be a quick one.
DeviceSolution LayerAnswers::floor_search(const Asked& asked, const Objective& objective,
                                          RunLimits limits, std::size_t open) const {
  if (!clock_.stopped()) {
    const auto left = clock_.left();
    if (left) {
      const std::size_t threads =
          std::min(static_cast<std::size_t>(run::thread_count(limits_)), open);
      limits.time_limit = time_share(*left / 2, threads, open, {});
    }
    limits.node_limit = 1;
    try {
      return solved(asked, objective, limits, device::SliceBounds::sharp);
    } catch (const LimitError&) {  // among its slices
      if (!left && !clock_.stopped()) throw;
    }
  }
  return hurried(asked, objective, limits, device::SliceBounds::of_all);
}

std::vector<Rational> LayerAnswers::energy_floors(const std::vector<std::size_t>& variants) {
  std::vector<Rational> floors(variants.size());
  network::each_together(limits_, variants.size(), [&](std::size_t k, const RunLimits& limits) {
    Objective energy;
    energy.goals = {Goal::energy};
    const DeviceSolution cut = floor_search({variants[k], {}}, energy, limits, variants.size() - k);
    if (!cut.goals.empty()) floors[k] = cut.goals.front().bound;
  });
  return floors;
}

const slices::CostFloor& LayerAnswers::cost_floor(const Workload& layer) {
  auto& floor = cost_floors_[&layer];
  if (!floor) {
    floor = std::make_unique<slices::CostFloor>(device_.unit, slice_of(layer, layer.tops()),
                                                question_.row_model);
  }
  return *floor;
}

/// Of several slices the least of each cost.
GoalCosts LayerAnswers::floor(const Variant& variant, const slices::CostFloor& costs,
                              Floor kind) const {
  std::optional<GoalCosts> least;
  for (const Factors& slice : variant.given->slices) {
    const mapper::Costs scaled = kind == Floor::closed      ? costs.scaled(slice)
                                 : kind == Floor::tightened ? costs.tightened(slice)
                                                            : costs.over_divisors(slice);
    const SplitCost split =
        split_cost(device_, *variant.layer, variant.moves, variant.given->split, slice);
    const GoalCosts all = device_costs(device_, split, costs.unscaled(scaled));
    if (!least) least = all;
    least->latency = std::min(least->latency, all.latency);
    least->energy = std::min(least->energy, all.energy);
    least->activations = std::min(least->activations, all.activations);
  }
  return least.value_or(GoalCosts{});
}

std::vector<GoalCosts> LayerAnswers::floors(const std::vector<std::size_t>& variants,
                                            Floor floor_of) {
  constexpr std::size_t kChunk = 64;
  std::vector<GoalCosts> floors(variants.size());
  std::vector<const slices::CostFloor*> costs;
  for (const std::size_t v : variants) costs.push_back(&cost_floor(*variants_[v].layer));
  network::each_together(limits_, (variants.size() + kChunk - 1) / kChunk,
                         [&](std::size_t chunk, const RunLimits&) {
                           const std::size_t end = std::min(variants.size(), (chunk + 1) * kChunk);
                           const Floor own = clock_.stopped() ? Floor::closed : floor_of;
                           for (std::size_t k = chunk * kChunk; k < end; ++k) {
                             floors[k] = floor(variants_[variants[k]], *costs[k], own);
                           }
                         });
  return floors;
}

const std::vector<BankNeed>& LayerAnswers::needs(std::size_t variant) {
  auto& needs = needs_[variant];
  if (needs) return *needs;
  const Variant& v = variants_[variant];
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  const auto add = [&](const Factors& slice, std::int64_t) {
    const BankNeed need = bank_need(device_, *v.layer, v.moves, slice);
    all.emplace_back(need.weight, need.io);
  };
  if (v.given) {
    for (const Factors& slice : v.given->slices) add(slice, 1);
  } else {
    device::SplitSpace(device_, *v.layer, v.moves)
        .for_each_slice([&](const Factors& slice, std::int64_t units) {
          add(slice, units);
          return true;
        });
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  needs.emplace();
  for (const auto& [weight, io] : all) needs->push_back({weight, io});
  return *needs;
}

}  // namespace pimbb::dram_pim::device_network
