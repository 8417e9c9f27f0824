// Goal after goal, the slices of a layer in the order of their bounds.
//
// First of all a good split gets a mapping by a local search: the answer if there is no time for
// more. Then all slices are listed that may lead to something better. A slice is priced in steps,
// each only if the one before leaves hope: by integers (slice_screen.hpp); its floor and the least
// that its transfers cost; all its splits exactly, of which the undominated ones are offers; and
// the search for its best mapping. For a later goal of a list only slices count that keep what
// earlier goals attained.
#include <algorithm>
#include <span>

#include "dram_pim/device/first_split.hpp"
#include "dram_pim/device/offers.hpp"
#include "dram_pim/device/slice_screen.hpp"
#include "dram_pim/device/slice_search.hpp"
#include "dram_pim/device/solve_within.hpp"
#include "dram_pim/device/split_space.hpp"
#include "dram_pim/device/transfer_floor.hpp"
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

/// Splits that are priced for the first mapping.
constexpr std::size_t kFirstSplits = 300;
/// Mappings of the slice of such a split that are looked at.
constexpr std::uint64_t kTriesOfFirst = 100;
/// Slices that are listed where the time is over and no mapping is known.
constexpr std::uint64_t kLastSlices = 20'000;

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
        worth_(worth),
        transfers_(device, layer, moves),
        floor_(device.unit, slice_of(layer, largest_slice(layer, given)), question.row_model),
        solver_(device.unit, question_, limits),
        pace_(limits.timeless),
        caps_(question.all_caps()) {
    question_.caps.clear();
    question_.at_most.reset();
    uses_energy_ = uses_energy();
    sharp_ = uses_energy_ && worth == SliceBounds::sharp;
    if (given_ == nullptr) whole_ = floor_of_all();
    if (worth == SliceBounds::of_all) {
      unlisted_ = true;
      return;
    }
    run::on_threads(run::thread_count(limits), [&] {
      find_first(allowed);
      list_candidates(allowed);
    });
  }

  DeviceSolution run() {
    slices::GoalsInOrder found;
    run::on_threads(run::thread_count(limits_), [&] {
      found = slices::minimise_in_order(
          question_.objective.goals, caps_, [&](Goal goal) { return minimise(goal); },
          [&](Goal goal) { return known_value(goal); });
    });
    return finish(std::move(found));
  }

 private:
  struct Candidate {
    Factors bounds;
    std::int64_t units = 1;
    GoalCosts floor = {}, least = {};               // of the slice; of the device
    bool sharp = false;                             // the floor knows the sizes of tiles
    std::optional<std::vector<Offer>> offers = {};  // once it was taken
    std::uint64_t splits = 0;                       // that were priced for them
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

  /// A bound on all mappings of the layer: no slice has less than its part of the work.
  [[nodiscard]] GoalCosts floor_of_all() const {
    const std::int64_t units = device_.units();
    Factors least = layer_.bounds;
    for (std::int64_t& bound : least) bound = bound / units + (bound % units != 0 ? 1 : 0);
    GoalCosts parts = floor_.unscaled(floor_.of_parts(layer_.bounds));
    parts.latency /= units;
    return device_costs(device_, transfers_.of(least, 1), parts);
  }

  /// A mapping before any slice is listed.
  void find_first(const SliceFilter& allowed) {
    std::optional<FirstSplit> first;
    const auto price = [&](const Split& split, const Factors& bounds) {
      const SplitCost cost = split_cost(device_, layer_, moves_, split, bounds);
      const GoalCosts least = floor_.unscaled(floor_.scaled(bounds));
      return value(question_.objective.goals.front(), device_costs(device_, cost, least));
    };
    if (given_ == nullptr) {
      first = first_split(device_, layer_, moves_, price, allowed, kFirstSplits);
    } else {
      first = first_of_given(allowed, price);
    }
    if (!first) return;
    if (!split_violation(device_, layer_, moves_, first->split, first->slice).empty()) return;
    const Workload slice = slice_of(layer_, first->slice);
    if (find_misfit(device_.unit, slice, question_.constraints)) return;
    take_first(*first, slice);
  }

  template <class Price>
  std::optional<FirstSplit> first_of_given(const SliceFilter& allowed, const Price& price) const {
    std::optional<FirstSplit> first;
    std::optional<Rational> least;
    const std::size_t count = std::min(given_->slices.size(), kFirstSplits);
    for (std::size_t k = 0; k < count; ++k) {
      const Factors& bounds = given_->slices[k];
      if (allowed && !allowed(bounds)) continue;
      Rational cost = price(given_->split, bounds);
      if (least && *least <= cost) continue;
      least = std::move(cost);
      first = {given_->split, bounds};
    }
    return first;
  }

  /// What a short local search finds, if it is within the caps.
  void take_first(const FirstSplit& first, const Workload& slice) {
    Question question = question_;
    const SplitCost cost = split_cost(device_, layer_, moves_, first.split, first.slice);
    if (question.objective.is_weighted()) {  // as in region.hpp
      question.objective.alpha += question.objective.beta * device_.static_power;
      question.objective.alpha *= device_.stretch();
      question.objective.beta *= cost.units;
    }
    const Solution found = mapper::solve_briefly(device_.unit, slice, question, kTriesOfFirst);
    if (!found.mapping) return;
    const Metrics& m = *found.metrics;
    First known{{first.split, first.slice, *found.mapping},
                device_costs(device_, cost, {m.latency, m.energy, m.activations()})};
    if (may_keep(known.costs)) first_ = std::move(known);
  }

  /// Prices all slices that may be better than what is known, unless the time is over.
  void list_candidates(const SliceFilter& allowed) {
    std::optional<SliceScreen> screen;
    Int128 most_macs = SplitSpace::kAnyMacs;
    if (first_) {
      if (worth_ == SliceBounds::quick || solver_.out_of_time()) {
        unlisted_ = true;
        return;
      }
      const Goal goal = question_.objective.goals.front();
      screen.emplace(
          SliceScreen::Setting{device_, layer_, moves_, transfers_, floor_.scale(), whole_},
          question_.objective, goal, value(goal, first_->costs));
      most_macs = floor_.most_macs(screen->most_latency());
    }
    std::vector<Candidate> fresh;
    const auto visit = [&](const Factors& bounds, std::int64_t units) {
      ++listed_;
      if (!allowed || allowed(bounds)) fresh.push_back({.bounds = bounds, .units = units});
      if (fresh.size() == kListed) keep_hopeful(fresh, screen);
      unlisted_ =
          listed_ % kListed == 0 && solver_.out_of_time() && (first_ || listed_ >= kLastSlices);
      return !unlisted_;
    };
    if (given_ == nullptr) {
      space_.emplace(device_, layer_, moves_);
      space_->for_each_slice(visit, most_macs);
    } else {
      for (const Factors& bounds : given_->slices) {
        const SplitCost cost = split_cost(device_, layer_, moves_, given_->split, bounds);
        if (!visit(bounds, cost.units)) break;
      }
    }
    keep_hopeful(fresh, screen);
  }

  /// Prices new candidates, in parallel, and moves those to the others that the screen lets pass.
  void keep_hopeful(std::vector<Candidate>& fresh, const std::optional<SliceScreen>& screen) {
    constexpr std::size_t kChunk = 256;
    std::vector<char> hopeful(fresh.size());
    run::for_each_chunk(fresh.size(), kChunk, [&](const run::Chunk& chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        hopeful[i] = price(fresh[i], screen) ? 1 : 0;
      }
    });
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (hopeful[i] == 0) continue;
      if ((candidates_.size() + 1) * sizeof(Candidate) > limits_.memory_limit) {
        throw LimitError("device '" + device_.name + "' with layer '" + layer_.name +
                         "': the memory limit was reached among more than " +
                         std::to_string(candidates_.size()) +
                         " slices; allow more, or less padding");
      }
      candidates_.push_back(std::move(fresh[i]));
    }
    fresh.clear();
  }

  /// False if the screen refuses the candidate.
  [[nodiscard]] bool price(Candidate& candidate, const std::optional<SliceScreen>& screen) const {
    const auto passes = [&](const mapper::Costs& least) {
      return !screen || screen->passes(candidate.bounds, candidate.units, least);
    };
    mapper::Costs least = floor_.scaled(candidate.bounds);
    if (!passes(least)) return false;
    if (uses_energy_) {
      least = floor_.tightened(candidate.bounds);
      if (!passes(least)) return false;
    }
    candidate.floor = floor_.unscaled(least);
    candidate.least =
        device_costs(device_, transfers_.of(candidate.bounds, candidate.units), candidate.floor);
    return true;
  }

  [[nodiscard]] std::vector<Split> splits(const Factors& bounds) const {
    return given_ == nullptr ? space_->splits(bounds) : std::vector<Split>{given_->split};
  }

  [[nodiscard]] Rational value(Goal goal, const GoalCosts& costs) const {
    return question_.objective.value(goal, costs);
  }
  /// Of the best mapping that the search has found.
  [[nodiscard]] std::optional<Rational> known_value(Goal goal) const {
    return best_ ? std::optional(value(goal, costs_)) : std::nullopt;
  }
  [[nodiscard]] bool may_keep(const GoalCosts& least) const {
    return std::ranges::all_of(caps_,
                               [&](const GoalCap& c) { return value(c.goal, least) <= c.most; });
  }
  /// If a limit ends the search: a bound on all mappings; the first mapping counts then.
  std::optional<Rational> minimise(Goal goal) {
    std::optional<Rational> bound;
    const bool pointless = unlisted_ && (first_ || candidates_.empty());
    if (!pointless) bound = search(goal);
    if (!bound && !unlisted_) return std::nullopt;
    if (first_ && may_keep(first_->costs) &&
        (!best_ || value(goal, first_->costs) < value(goal, costs_))) {
      best_ = first_->mapping;
      costs_ = first_->costs;
    }
    const Rational of_all = value(goal, whole_);
    return bound && !unlisted_ ? max(*bound, of_all) : of_all;
  }

  /// Among the candidates; if a limit ends it: a bound of these.
  std::optional<Rational> search(Goal goal) {
    std::vector<std::size_t> order;
    bounds_.assign(candidates_.size(), {});
    for (std::size_t number = 0; number < candidates_.size(); ++number) {
      const GoalCosts& least = candidates_[number].least;
      if (!may_keep(least)) continue;
      bounds_[number] = value(goal, least);
      order.push_back(number);
    }
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return bounds_[k]; });
    if (sharp_) make_offers(order, goal);
    search::CandidateSearch<Rational> open;
    for (const std::size_t number : order) open.add(bounds_[number], number);
    return open.run(
        known_value(goal), solver_.at_once(),
        [&](std::uint64_t number) { return look(number, goal); },
        [&](std::uint64_t number, const Looked& looked) { return settle(number, looked, goal); });
  }

  /// The offers of those candidates that a search has to take before it can settle any: bounds rise
  /// as they are taken, and one is settled when its raised bound is the least. In parallel.
  /// Whenever one is the most promising so far it is searched: of candidates that cannot undercut
  /// its mapping no more need be known. Half of the time is left for mappings. `order`: by bounds.
  void make_offers(const std::vector<std::size_t>& order, Goal goal) {
    constexpr std::size_t kAtOnce = 64;
    std::optional<Rational> least;  // of raised bounds and of known mappings
    for (std::size_t begin = 0; begin < order.size() && !solver_.late(); begin += kAtOnce) {
      const std::optional<Rational> limit = known_value(goal);
      if (limit && (!least || *limit < *least)) least = limit;
      if (least && bounds_[order[begin]] >= *least) return;
      const std::size_t count = std::min(kAtOnce, order.size() - begin);
      std::optional<std::size_t> promising;
      for (const std::size_t number : raised({order.data() + begin, count}, goal, limit)) {
        if (least && bounds_[number] >= *least) continue;
        least = bounds_[number];
        promising = number;
      }
      const bool more = begin + count < order.size();
      if (promising && more) settle(*promising, look(*promising, goal), goal);
    }
  }

  /// The candidates of these whose bounds were raised; to the limit, where that is enough.
  std::vector<std::size_t> raised(std::span<const std::size_t> numbers, Goal goal,
                                  const std::optional<Rational>& limit) {
    std::vector<std::optional<Rational>> bounds(numbers.size());
    run::parallel_for(numbers.size(), [&](std::size_t k) {
      Candidate& candidate = candidates_[numbers[k]];
      if (candidate.sharp || solver_.out_of_time()) return;
      const Bounded offers = hopeful_offers(candidate, goal, limit);
      bounds[k] = offers.empty() ? limit : offers.front().first;
    });
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      if (!bounds[k]) continue;
      bounds_[numbers[k]] = *bounds[k];
      all.push_back(numbers[k]);
    }
    return all;
  }

  /// Whether bounds of the energy are of use.
  [[nodiscard]] bool uses_energy() const {
    const auto uses = [](Goal goal) { return goal != Goal::latency && goal != Goal::activations; };
    return std::ranges::any_of(question_.objective.goals, uses) ||
           std::ranges::any_of(caps_, uses, &GoalCap::goal);
  }

  /// Offers of a candidate with the bound of the goal.
  using Bounded = std::vector<std::pair<Rational, const Offer*>>;

  /// The hopeful offers of a candidate, least first. None if a look at the sizes of tiles finds
  /// that none is below the limit: it takes long, and ends as soon as that is clear.
  Bounded hopeful_offers(Candidate& candidate, Goal goal, const std::optional<Rational>& limit) {
    if (!candidate.offers) {
      std::vector<Split> all = splits(candidate.bounds);
      candidate.splits = all.size();
      candidate.offers = offers_of(device_, layer_, moves_, std::move(all), candidate.bounds);
    }
    const auto hopeless = [&](const mapper::Costs& least) {
      const GoalCosts floor = floor_.unscaled(least);
      return std::ranges::none_of(*candidate.offers, [&](const Offer& offer) {
        const GoalCosts costs = costs_under(device_, offer, floor);
        return may_keep(costs) && (!limit || value(goal, costs) < *limit);
      });
    };
    if (sharp_ && !candidate.sharp) {
      const auto least = floor_.over_divisors_unless(candidate.bounds, hopeless);
      if (!least) return {};
      candidate.floor = floor_.unscaled(*least);
      candidate.sharp = true;
    }
    Bounded hopeful;
    for (const Offer& offer : *candidate.offers) {
      const GoalCosts least = costs_under(device_, offer, candidate.floor);
      if (may_keep(least)) hopeful.emplace_back(value(goal, least), &offer);
    }
    std::ranges::stable_sort(hopeful, {}, &std::pair<Rational, const Offer*>::first);
    return hopeful;
  }

  /// Raises the bound, or searches under each offer.
  Looked look(std::uint64_t number, Goal goal) {
    const bool hurried = first_ && solver_.out_of_time();
    if (hurried || (solver_.stopped() && (best_ || solver_.solves() > 0))) {
      return {Found::State::stopped};
    }
    Candidate& candidate = candidates_[number];
    std::optional<Rational> below = known_value(goal);
    const Bounded offers = hopeful_offers(candidate, goal, below);
    if (offers.empty()) return {};
    if (bounds_[number] < offers.front().first) {
      return {Found::State::raised, offers.front().first};
    }
    const Slice slice{
        slice_of(layer_, candidate.bounds), candidate.floor,
        sharp_ ? floor_.choices_over_divisors(candidate.bounds) : mapper::ChoiceFloors()};
    if (find_misfit(device_.unit, slice.layer, question_.constraints)) return {};
    SliceSearch search(device_, question_, solver_);
    Looked looked;
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
    solution.slices = listed_;
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
  const SliceBounds worth_;
  bool uses_energy_ = false;         // bounds of the energy are of use
  bool sharp_ = false;               // they are worth to know the sizes of tiles
  std::optional<SplitSpace> space_;  // without a given split
  const TransferFloor transfers_;
  const slices::CostFloor floor_;
  slices::SliceSolver solver_;
  mapper::ProgressPace pace_;
  GoalCosts whole_;                             // bounds of all mappings
  static constexpr std::size_t kListed = 4096;  // slices between two looks at the clock
  std::uint64_t listed_ = 0;
  bool unlisted_ = false;  // the time was over before all slices were listed
  std::vector<Candidate> candidates_;
  std::vector<Rational> bounds_;  // of the goal, by candidate
  std::vector<GoalCap> caps_;     // the question's and, by then, the optima of earlier goals
  struct First {
    DeviceMapping mapping;
    GoalCosts costs;
  };
  std::optional<First> first_;  // known before the search; counts if a limit ends that
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
