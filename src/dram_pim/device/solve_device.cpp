// Goal after goal, the slices of a layer in the order of their bounds.
//
// A slice is priced in three steps, each only if the one before leaves hope: its floor and the
// least that its transfers cost; all its splits exactly, of which the undominated ones are offers;
// and the search for its best mapping. For a later goal of a list only slices count that keep what
// earlier goals attained.
#include <algorithm>
#include <map>

#include "dram_pim/device/offers.hpp"
#include "dram_pim/device/slice_search.hpp"
#include "dram_pim/device/solve_within.hpp"
#include "dram_pim/device/split_space.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "dram_pim/slices/goals_in_order.hpp"
#include "dram_pim/solver/progress_pace.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/error.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"
#include "search/least_candidate.hpp"

namespace pimbb::dram_pim {
namespace device {
namespace {

using Found = search::Examined<Rational>;

/// The least that the transfers of any split into given slices cost.
class TransferFloor {
 public:
  TransferFloor(const Device& device, const Workload& layer, const Moves& moves)
      : device_(device), layer_(layer), moves_(moves) {
    for (const DeviceLevel& level : device.levels) {
      way_ += level.latency;
      energy_ += level.energy;
      slowest(level.write_bandwidth, write_);
      slowest(level.read_bandwidth, read_);
    }
  }

  /// A link moves at least the blocks of one child, all links of a level the whole weight and
  /// output.
  [[nodiscard]] SplitCost of(const Factors& slice, std::int64_t units) const {
    SplitCost cost;
    cost.units = units;
    if (device_.levels.empty()) return cost;
    Rational down;
    for (const Tensor t : {Tensor::input, Tensor::weight}) {
      if (moves_[index(t)]) down += bytes(t, slice);
    }
    const bool in = moves_[index(Tensor::input)] || moves_[index(Tensor::weight)];
    const bool out = moves_[index(Tensor::output)];
    if (in) cost.in = way_ + (write_ ? down / *write_ : Rational());
    if (out) cost.out = way_ + (read_ ? bytes(Tensor::output, slice) / *read_ : Rational());
    Rational moved = moves_[index(Tensor::input)] ? bytes(Tensor::input, slice) : Rational();
    if (moves_[index(Tensor::weight)]) moved += bytes(Tensor::weight, layer_.bounds);
    if (out) moved += bytes(Tensor::output, layer_.bounds);
    cost.link_energy = moved * energy_;
    return cost;
  }

 private:
  static void slowest(const std::optional<Rational>& one, std::optional<Rational>& all) {
    if (one && (!all || *one < *all)) all = one;
  }
  [[nodiscard]] Rational bytes(Tensor t, const Factors& bounds) const {
    return layer_.tile_elements(t, bounds) * device_.unit.moved_bytes(t);
  }

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  Rational way_, energy_;
  std::optional<Rational> write_, read_;
};

class DeviceSolver {
 public:
  /// `given`: the only split, if there is one.
  DeviceSolver(const Device& device, const Workload& layer, const Moves& moves,
               const Question& question, const RunLimits& limits, const SliceFilter& allowed,
               const GivenSplit* given, SliceBounds worth)
      : device_(device),
        layer_(layer),
        moves_(moves),
        question_(question),
        limits_(limits),
        given_(given),
        sharp_(worth == SliceBounds::sharp),
        transfers_(device, layer_, moves),
        floor_(device.unit, slice_of(layer, largest_slice(layer, given)), question.row_model),
        solver_(device.unit, question_, limits),
        pace_(limits.timeless),
        caps_(question.all_caps()) {
    question_.caps.clear();
    question_.at_most.reset();
    const auto add = [&](const Factors& bounds, std::int64_t units) {
      if (!allowed || allowed(bounds)) add_candidate(bounds, units);
    };
    if (given_ == nullptr) {
      space_.emplace(device, layer, moves);
      space_->for_each_slice(add);
    } else {
      for (const Factors& bounds : given_->slices) {
        add(bounds, split_cost(device_, layer_, moves_, given_->split, bounds).units);
      }
    }
    run::on_threads(run::thread_count(limits), [&] { price_candidates(); });
  }

  DeviceSolution run() {
    slices::GoalsInOrder found;
    run::on_threads(run::thread_count(limits_), [&] {
      found = slices::minimise_in_order(
          question_.objective.goals, caps_, [&](Goal goal) { return minimise(goal); },
          [&](Goal goal) { return best_ ? std::optional(value(goal, costs_)) : std::nullopt; });
    });
    return finish(std::move(found));
  }

 private:
  struct Candidate {
    Factors bounds;
    std::int64_t units = 1;
    GoalCosts floor, least;                    // of the slice; of the device
    std::optional<std::vector<Offer>> offers;  // once it was taken
    std::uint64_t splits = 0;                  // that were priced for them
  };
  /// What a look at a candidate has found.
  struct Looked {
    Found::State state = Found::State::settled;
    Rational bound = {};           // if raised or stopped
    const Offer* offer = nullptr;  // of something better
    const Solution* slice = nullptr;
  };

  static Factors largest_slice(const Workload& layer, const GivenSplit* given) {
    if (given == nullptr) return layer.tops();
    Factors most = kOnes;
    for (const Factors& slice : given->slices) {
      for (std::size_t j = 0; j < kDims; ++j) most[j] = std::max(most[j], slice[j]);
    }
    return most;
  }

  void add_candidate(const Factors& bounds, std::int64_t units) {
    const bool full = (candidates_.size() + 1) * sizeof(Candidate) > limits_.memory_limit;
    if (full || (candidates_.size() % 4096 == 4095 && solver_.stopped())) {
      throw LimitError("device '" + device_.name + "' with layer '" + layer_.name + "': " +
                       (full ? "the memory limit" : "a limit") + " was reached among more than " +
                       std::to_string(candidates_.size()) + " slices; allow more, or less padding");
    }
    candidates_.push_back({bounds, units, {}, {}, {}});
  }

  [[nodiscard]] std::vector<Split> splits(const Factors& bounds) const {
    return given_ == nullptr ? space_->splits(bounds) : std::vector<Split>{given_->split};
  }

  /// Where a limit ends this early, costs of 0 are bounds, too.
  void price_candidates() {
    constexpr std::size_t kChunk = 256;
    run::parallel_for((candidates_.size() + kChunk - 1) / kChunk, [&](std::size_t k) {
      if (solver_.stopped()) return;
      const std::size_t end = std::min(candidates_.size(), (k + 1) * kChunk);
      for (std::size_t i = k * kChunk; i < end; ++i) {
        Candidate& candidate = candidates_[i];
        candidate.floor = floor_.unscaled(uses_energy() ? floor_.tightened(candidate.bounds)
                                                        : floor_.scaled(candidate.bounds));
        candidate.least = device_costs(device_, transfers_.of(candidate.bounds, candidate.units),
                                       candidate.floor);
      }
    });
  }

  [[nodiscard]] Rational value(Goal goal, const GoalCosts& costs) const {
    return question_.objective.value(goal, costs);
  }
  [[nodiscard]] bool may_keep(const GoalCosts& least) const {
    return std::ranges::all_of(caps_,
                               [&](const GoalCap& c) { return value(c.goal, least) <= c.most; });
  }
  /// If a limit ends the search: a bound on all mappings.
  std::optional<Rational> minimise(Goal goal) {
    search::CandidateSearch<Rational> open;
    bounds_.assign(candidates_.size(), {});
    for (std::uint64_t number = 0; number < candidates_.size(); ++number) {
      const GoalCosts& least = candidates_[number].least;
      if (!may_keep(least)) continue;
      bounds_[number] = value(goal, least);
      open.add(bounds_[number], number);
    }
    if (sharp_ && uses_energy()) make_offers(goal);
    std::optional<Rational> cutoff;
    if (best_) cutoff = value(goal, costs_);
    return open.run(
        cutoff, solver_.at_once(), [&](std::uint64_t number) { return look(number, goal); },
        [&](std::uint64_t number, const Looked& looked) { return settle(number, looked, goal); });
  }

  /// The offers of those candidates that a search has to take before it can settle any: bounds rise
  /// as they are taken, and one is settled when its raised bound is the least. In parallel. Half of
  /// the time is left for mappings: if it has come, the most promising candidate is searched first.
  void make_offers(Goal goal) {
    constexpr std::size_t kAtOnce = 64;
    std::vector<std::size_t> order;
    for (std::size_t number = 0; number < candidates_.size(); ++number) {
      if (!candidates_[number].offers && may_keep(candidates_[number].least)) {
        order.push_back(number);
      }
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return bounds_[k]; });
    std::optional<Rational> least;  // of raised bounds
    std::size_t promising = 0;
    if (best_) least = value(goal, costs_);
    for (std::size_t begin = 0; begin < order.size(); begin += kAtOnce) {
      if (least && bounds_[order[begin]] >= *least) return;
      if (solver_.late()) break;
      const std::size_t count = std::min(kAtOnce, order.size() - begin);
      std::vector<std::optional<Rational>> raised(count);
      run::parallel_for(count, [&](std::size_t k) {
        const auto offers = hopeful_offers(candidates_[order[begin + k]], goal);
        if (!offers.empty()) raised[k] = offers.front().first;
      });
      for (std::size_t k = 0; k < count; ++k) {
        if (!raised[k] || (least && *raised[k] >= *least)) continue;
        least = raised[k];
        promising = order[begin + k];
      }
    }
    if (best_ || !least || !solver_.late()) return;
    bounds_[promising] = *least;
    settle(promising, look(promising, goal), goal);
  }

  /// Whether bounds of the energy are of use.
  [[nodiscard]] bool uses_energy() const {
    const auto uses = [](Goal goal) { return goal != Goal::latency && goal != Goal::activations; };
    return std::ranges::any_of(question_.objective.goals, uses) ||
           std::ranges::any_of(caps_, uses, &GoalCap::goal);
  }

  /// Offers with the bound of the goal, least first.
  std::vector<std::pair<Rational, const Offer*>> hopeful_offers(Candidate& candidate, Goal goal) {
    if (!candidate.offers) {
      if (sharp_ && uses_energy()) {
        candidate.floor = floor_.unscaled(floor_.over_divisors(candidate.bounds));
      }
      std::vector<Split> all = splits(candidate.bounds);
      candidate.splits = all.size();
      candidate.offers = offers_of(device_, layer_, moves_, std::move(all), candidate.bounds);
    }
    std::vector<std::pair<Rational, const Offer*>> hopeful;
    for (const Offer& offer : *candidate.offers) {
      const GoalCosts least = costs_under(device_, offer, candidate.floor);
      if (may_keep(least)) hopeful.emplace_back(value(goal, least), &offer);
    }
    std::ranges::stable_sort(hopeful, {}, &std::pair<Rational, const Offer*>::first);
    return hopeful;
  }

  /// Raises the bound, or searches under each offer.
  Looked look(std::uint64_t number, Goal goal) {
    if (solver_.stopped() && (best_ || solver_.solves() > 0)) return {Found::State::stopped};
    Candidate& candidate = candidates_[number];
    const auto offers = hopeful_offers(candidate, goal);
    if (offers.empty()) return {};
    if (bounds_[number] < offers.front().first) {
      return {Found::State::raised, offers.front().first};
    }
    const Slice slice{slice_of(layer_, candidate.bounds), candidate.floor,
                      sharp_ && uses_energy() ? floor_.choices_over_divisors(candidate.bounds)
                                              : mapper::ChoiceFloors()};
    if (find_misfit(device_.unit, slice.layer, question_.constraints)) return {};
    SliceSearch search(device_, question_, solver_);
    Looked looked;
    std::optional<Rational> below;
    if (best_) below = value(goal, costs_);
    for (const auto& [bound, offer] : offers) {
      if (below && bound >= *below) break;
      if (const auto better = search.least(slice, *offer, goal, caps_, below)) {
        looked.offer = offer;
        looked.slice = better->slice;
        below = better->value;
      }
      if (search.stopped()) {
        looked.state = Found::State::stopped;
        looked.bound = bounds_[number];
        break;
      }
    }
    return looked;
  }

  Found settle(std::uint64_t number, const Looked& looked, Goal goal) {
    Found found{looked.state, {}, looked.bound};
    if (looked.state == Found::State::raised) bounds_[number] = looked.bound;
    if (looked.offer != nullptr && take(candidates_[number], *looked.offer, *looked.slice, goal)) {
      found.cutoff = value(goal, costs_);
    }
    report(goal, number);
    return found;
  }

  /// Whether it is better than what is known.
  bool take(const Candidate& candidate, const Offer& offer, const Solution& solution, Goal goal) {
    const Metrics& m = *solution.metrics;
    const GoalCosts costs =
        device_costs(device_, split_cost(device_, layer_, moves_, offer.split, candidate.bounds),
                     {m.latency, m.energy, m.activations()});
    if (best_ && value(goal, costs) >= value(goal, costs_)) return false;
    best_ = DeviceMapping{offer.split, candidate.bounds, *solution.mapping};
    costs_ = costs;
    ++improvements_;
    return true;
  }

  void report(Goal goal, std::uint64_t number) {
    if (!limits_.on_progress) return;
    const Wide improvement = Wide::from(improvements_);
    const std::uint64_t nodes = solver_.spent().nodes;
    if (!pace_.due(goal, best_ ? &improvement : nullptr, nodes, solver_.seconds())) return;
    Progress progress;
    progress.goal = name(goal);
    if (best_) progress.incumbent = value(goal, costs_).to_double();
    progress.bound = bounds_[number].to_double();
    progress.nodes = nodes;
    progress.seconds = solver_.seconds();
    limits_.on_progress(progress);
  }

  /// Why nothing fits: what is in the way of the smallest slice.
  std::string reason() {
    if (!solver_.reason().empty()) return solver_.reason();
    const auto smallest = std::ranges::min_element(
        candidates_, {}, [&](const Candidate& c) { return slice_of(layer_, c.bounds).macs(); });
    if (smallest == candidates_.end()) return "no split leads to a slice";
    const Workload slice = slice_of(layer_, smallest->bounds);
    if (const auto misfit = find_misfit(device_.unit, slice, question_.constraints)) return *misfit;
    Question question = question_;
    question.objective.goals = {Goal::latency};
    return dram_pim::solve(device_.unit, slice, question, limits_).reason;
  }

  DeviceSolution finish(slices::GoalsInOrder found) {
    DeviceSolution solution;
    static_cast<SolveStatistics&>(solution) = solver_.spent();
    solution.goals = std::move(found.goals);
    for (const Candidate& candidate : candidates_) solution.splits += candidate.splits;
    solution.slices = candidates_.size();
    solution.slices_solved = solver_.solves();
    if (best_) {
      solution.status = found.proven ? Status::optimal : Status::feasible;
      solution.metrics = evaluate(device_, layer_, moves_, *best_, question_.row_model);
      solution.mapping = std::move(best_);
    } else {
      solution.status = found.proven ? Status::infeasible : Status::unknown;
      if (found.proven) solution.reason = reason();
    }
    solution.seconds = solver_.seconds();
    solution.threads = run::thread_count(limits_);
    return solution;
  }

  const Device& device_;
  const Workload layer_;
  const Moves moves_;
  Question question_;
  const RunLimits& limits_;
  const GivenSplit* given_;
  const bool sharp_;
  std::optional<SplitSpace> space_;  // without a given split
  const TransferFloor transfers_;
  const slices::CostFloor floor_;
  slices::SliceSolver solver_;
  mapper::ProgressPace pace_;
  std::vector<Candidate> candidates_;
  std::vector<Rational> bounds_;  // of the goal, by candidate
  std::vector<GoalCap> caps_;     // the question's and, by then, the optima of earlier goals
  std::optional<DeviceMapping> best_;
  GoalCosts costs_;  // of `best_`
  std::int64_t improvements_ = 0;
};

}  // namespace
}  // namespace device

void validate(const Device& device, const Question& question) {
  if (question.method != Method::exact) {
    throw InputError("method: found '" + std::string(name(question.method)) +
                     "' with a device, allowed is exact");
  }
  for (const GoalCap& cap : question.all_caps()) {
    const bool energy = cap.goal == Goal::energy && device.static_power.sign() == 0;
    if (cap.goal == Goal::latency || cap.goal == Goal::activations || energy) continue;
    throw InputError("at most: found a limit on " + std::string(name(cap.goal)) +
                     " with a device, allowed are latency, activations, and energy where "
                     "static_power is 0");
  }
}

DeviceSolution solve(const Device& device, const Workload& layer, const Moves& moves,
                     const Question& question, const RunLimits& limits) {
  return device::solve_within(device, layer, moves, question, limits, {});
}

DeviceSolution device::solve_within(const Device& device, const Workload& layer, const Moves& moves,
                                    const Question& question, const RunLimits& limits,
                                    const SliceFilter& allowed, SliceBounds bounds) {
  validate(device);
  validate(layer);
  validate(device, question);
  return DeviceSolver(device, layer, moves, question, limits, allowed, nullptr, bounds).run();
}

DeviceSolution device::solve_split(const Device& device, const Workload& layer, const Moves& moves,
                                   const Question& question, const RunLimits& limits,
                                   const GivenSplit& given, const SliceFilter& allowed) {
  validate(device);
  validate(layer);
  validate(device, question);
  return DeviceSolver(device, layer, moves, question, limits, allowed, &given, SliceBounds::sharp)
      .run();
}

Solution DeviceSolution::claim() const {
  const SolveStatistics& effort = *this;
  Solution claim;
  static_cast<SolveStatistics&>(claim) = effort;
  claim.status = status;
  claim.goals = goals;
  claim.reason = reason;
  claim.seconds = seconds;
  claim.threads = threads;
  if (mapping) claim.mapping = mapping->mapping;
  return claim;
}

}  // namespace pimbb::dram_pim
