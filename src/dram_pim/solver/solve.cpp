// solve(): one goal after the other, each under the optima of those before it.

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <set>
#include <stdexcept>

#include "answers/selection.hpp"
#include "answers/staircase.hpp"
#include "dram_pim/heuristic/greedy.hpp"
#include "dram_pim/heuristic/local_search.hpp"
#include "dram_pim/heuristic/random_search.hpp"
#include "dram_pim/mapper/fill_screen.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/choice_floors.hpp"
#include "dram_pim/solver/confines.hpp"
#include "dram_pim/solver/list_fills.hpp"
#include "dram_pim/solver/make_row_pricing.hpp"
#include "dram_pim/solver/memory_need.hpp"
#include "dram_pim/solver/minimise.hpp"
#include "dram_pim/solver/search_beside.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/front.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/error.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim {
namespace mapper {
namespace {

/// Mappings that a local search looks at before the exact one: so many at least; up to kDenseTries
/// one for each kTilesForATry tiles, beyond them one for each kTilesForAnotherTry. The better the
/// mapping, the fewer tiles are of interest.
constexpr std::uint64_t kFirstTries = 600;
constexpr std::uint64_t kTilesForATry = 16;
constexpr std::uint64_t kDenseTries = 2000;
constexpr std::uint64_t kTilesForAnotherTry = 64;
/// Tiles that fit the row buffer and are worth it, for goals with quick tables and for others.
constexpr std::size_t kTilesForQuick = std::size_t{1} << 15;
constexpr std::size_t kTilesForSlow = std::size_t{1} << 14;
/// And after a limit.
constexpr std::uint64_t kLastTries = 300;
constexpr double kLastSeconds = 0.1;  // if it was a limit of time
/// The same of a solve that has no time at all, such as one of many layers of a network.
constexpr std::uint64_t kHurriedTries = 60;
/// And beside the search of a large problem without a time limit: what is found counts only if
/// the time is up, so that timing influences nothing else.
constexpr std::uint64_t kTriesBeside = 50'000;
constexpr std::uint64_t kEndlessTries = ~std::uint64_t{0};
/// Tiles from which on a problem may take longer than its time limit; seconds that the search
/// beside waits at most.
constexpr std::uint64_t kSomeTiles = std::uint64_t{1} << 14;
constexpr double kLateSeconds = 1;
/// Tiles whose bounds take less than 0.1 s whatever the goal is.
constexpr std::uint64_t kFewTiles = std::uint64_t{1} << 12;
/// Tiles of which it takes longer to search them than to list fills.
constexpr std::uint64_t kTilesForFills = std::uint64_t{1} << 12;
/// Tiles of a large problem.
constexpr std::uint64_t kManyTiles = std::uint64_t{1} << 17;
/// Mappings that each of two local searches looks at each time that a long search asks them.
constexpr std::uint64_t kTriesBetween = 500;
/// Storage choices that are too many to be searched one by one without relaxations.
constexpr std::uint64_t kManyChoices = 64;
/// And that take minutes.
constexpr std::uint64_t kTooManyChoices = std::uint64_t{1} << 13;

class Solver {
 public:
  Solver(const Architecture& a, const Workload& w, const Question& question,
         const RunLimits& limits, const ChoiceFloors& floors, LayerStore* layers = nullptr,
         std::stop_token unwanted = {})
      : a_(a),
        w_(w),
        question_(question),
        limits_(limits),
        floors_(floors),
        layers_(layers),
        unwanted_(std::move(unwanted)),
        confines_(confines_of(a, w, question)),
        effort_(limits) {
    if (question.precedence.any() && question.method != Method::exact) {
      throw InputError("precedence: loop orders can be fixed with method 'exact' only; found '" +
                       std::string(name(question.method)) + "'");
    }
  }

  /// A mapping after a local search alone, if one is found.
  Solution run_briefly(std::uint64_t tries) {
    Solution solution;
    solution.method = question_.method;
    solution.reason = obstacle(a_, w_, question_.method);
    if (!solution.reason.empty()) {
      solution.status = Status::infeasible;
      return solution;
    }
    scale_ = make_scale(a_, w_);
    if (const Incumbent best = locally_improved({}, {tries, 3}, {})) {
      solution.status = Status::feasible;
      report(solution, best->second);
    }
    return solution;
  }

  Solution run() {
    Solution solution;
    solution.method = question_.method;
    solution.reason = obstacle(a_, w_, question_.method);
    if (!solution.reason.empty()) {
      solution.status = Status::infeasible;
    } else {
      scale_ = make_scale(a_, w_);
      known_.emplace(a_, w_, question_.row_model, *scale_);
      size_up();
      if (is_heuristic(question_.method)) {
        try_heuristic(solution);
      } else {
        search(solution);
      }
    }
    finish(solution);
    solution.seconds = effort_.seconds();
    return solution;
  }

  Front run_front(const std::vector<Goal>& axes) {
    Front front;
    front.axes = axes;
    front.reason = obstacle(a_, w_, question_.method);
    if (!front.reason.empty()) {
      front.status = FrontStatus::infeasible;
    } else {
      scale_ = make_scale(a_, w_);
      known_.emplace(a_, w_, question_.row_model, *scale_);
      size_up();
      within_memory([&] { search_front(front); });
    }
    finish(front);
    front.seconds = effort_.seconds();
    return front;
  }

 private:
  /// Hands out what the run has taken.
  void finish(SolveStatistics& statistics) {
    if (pricing_) {
      const RowPricing::TableUse seams = pricing_->table_use();
      effort_.spent.seam_tables = seams.lookups;
      effort_.spent.known_seam_tables = seams.lookups - seams.distinct;
    }
    effort_.spent.memory = std::max(effort_.spent.memory, effort_.account.peak());
    statistics = effort_.spent;
  }

  void search(Solution& solution) {
    within_memory([&] { minimise_all(solution); });
  }

  /// Says which memory limit would be enough, if there is no room for the tables.
  void within_memory(const std::function<void()>& body) const {
    try {
      body();
    } catch (const run::TooLarge& tables) {
      throw LimitError("memory limit: found " + std::to_string(limits_.memory_limit) +
                       " bytes; the tables for layer '" + w_.name + "' on '" + a_.name +
                       "' need at least " + std::to_string(tables.needed));
    }
  }

  void size_up() {
    for (const std::int64_t bound : w_.bounds) tiles_ *= divisors_of(bound).size();
    choices_ = count_storage_choices(a_, question_.constraints);
    large_ = tiles_ >= kManyTiles || choices_ >= kManyChoices;
  }

  /// Whether the tables of the exact search take milliseconds. Under an unbounded row buffer they
  /// take seconds for a hundred thousand tiles.
  [[nodiscard]] bool quick_tables() const {
    return !large_ && (tiles_ < kSomeTiles || a_.levels[a_.row_buffer()].capacity);
  }

  /// The same of the bounds that a goal's search begins with. Those of rows that all tensors open
  /// together take 20 us a tile.
  [[nodiscard]] bool quick_bound(Goal goal) const {
    const bool joint = goal == Goal::activations && is_traced(question_.row_model);
    return quick_tables() && (!joint || tiles_ < kFewTiles);
  }

  /// The mapping of a heuristic, and how far it may be from the best: the bounds that the exact
  /// search begins with, goal by goal, or those that need no tables where these take long.
  void try_heuristic(Solution& solution) {
    const Mapping smallest = smallest_mapping(a_, w_);
    Mapping mapping;
    if (question_.method == Method::greedy) {
      mapping = heuristic::greedy(a_, w_, question_.row_model, smallest);
      effort_.spent.leaves = 1;
    } else {
      auto best = heuristic::random_search(a_, w_, question_.objective, question_.row_model,
                                           question_.seed, question_.samples, smallest,
                                           [this] { return effort_.stopped(); });
      mapping = std::move(best.mapping);
      effort_.spent.leaves = best.samples;
    }
    const Costs costs = scaled(evaluate(a_, w_, mapping, question_.row_model));
    for (const Goal goal : question_.objective.goals) {
      const Target target = make_target(goal, {});
      solution.goals.push_back(
          {goal, {}, quick_bound(goal) ? root_bound(goal) : target.unscaled(known_->of(target))});
    }
    solution.status = Status::feasible;
    report(solution, {std::move(mapping), costs});
  }

  /// The tiles; false if the solve is to stop before they are there.
  bool build_space() {
    try {
      const run::Guard guard = effort_.guard();
      need_memory(guard);
      space_.emplace(a_, w_, question_.row_model, confines_, *scale_, guard, layers_);
      return true;
    } catch (const run::Stopped&) {
      return false;
    }
  }

  /// Whether rows and arrivals of what is of no interest are left out: what takes longer than to
  /// tell it by floors, for layers with one storage choice.
  [[nodiscard]] bool may_leave_out(const Target& target) const {
    const Rules& rules = question_.rules;
    const std::uint64_t tiles = space_->lattice.size();
    const std::uint64_t bytes = InsideFloors::bytes(a_.row_buffer() + 1, tiles);
    return choices_ == 1 && TileScreen::is_worth_it(tiles, target.has_caps()) &&
           rules.has(Rule::lattice) && rules.has(Rule::tiles) &&
           (target.uses_latency() || target.uses_energy()) && bytes <= effort_.account.room() / 4;
  }

  /// The storage choice of a question that has only one: constraints may leave it of several.
  [[nodiscard]] std::vector<TensorFlags> only_choice(const run::Guard& guard) const {
    const auto all = storage_choices(a_, guard);
    const auto only = std::ranges::find_if(
        all, [&](const auto& stores) { return confines_.constraints.keeps(stores); });
    assert(only != all.end());
    return *only;
  }

  /// What is known of the tiles without a mapping: floors, if a mapping that is looked for or the
  /// target's caps may leave tiles out by these, otherwise the instance. False if the solve is to
  /// stop before.
  bool build_on_space(const Target& target, bool mapping_wanted) {
    const bool limited = mapping_wanted || target.has_caps();
    if (!limited || !may_leave_out(target)) return build_instance(target, {});
    try {
      const run::Guard guard = effort_.guard();
      only_storage_.emplace(a_, w_, *scale_, only_choice(guard));
      const std::size_t levels = a_.row_buffer() + 1;
      Interest interest{{}, fills_};
      if (target.has_caps()) {
        interest.hopeless = [&](const Costs& least) { return !target.keeps_caps(least); };
      }
      inside_ = inside_floors(*space_, *only_storage_, levels, guard, interest);
      inside_memory_.emplace(
          effort_.account.hold(InsideFloors::bytes(levels, space_->lattice.size())));
      return true;
    } catch (const run::Stopped&) {
      return false;
    }
  }

  /// What does not depend on the goal, from the tiles; where there are floors, only what a mapping
  /// within `target` that is no worse than `best` may have. False if the solve is to stop before.
  bool build_instance(const Target& target, const Incumbent& best) {
    try {
      const run::Guard guard = effort_.guard();
      std::optional<ArrivalScreen> screen;
      if (inside_) {
        const auto hopeless = [&](const Costs& least) {
          return !target.keeps_caps(least) || (best && target.value(least) > best->first);
        };
        screen.emplace(*space_, *only_storage_, *inside_, hopeless, guard);
      }
      instance_.emplace(std::move(*space_), guard, screen ? &*screen : nullptr);
      space_.reset();
      pricing_ = make_row_pricing(*instance_, guard.room);
      instance_memory_.emplace(effort_.account.hold(instance_->bytes()));
      Minimiser::Improve improve;
      if (wants_improvement()) {
        improve = {2, [this](std::size_t part, const Target& for_goal, const Incumbent& known,
                             const std::function<bool()>& enough) {
                     return improved(part, for_goal, known, enough);
                   }};
      }
      minimiser_.emplace(*instance_, *pricing_, question_, effort_, *known_, std::move(improve),
                         scaled_floors(), inside_.get());
      return true;
    } catch (const run::Stopped&) {
      return false;
    }
  }

  /// Known bounds of storage choices, rounded down to the units of costs.
  [[nodiscard]] Minimiser::Floors scaled_floors() const {
    Minimiser::Floors scaled;
    if (!question_.rules.has(Rule::lattice)) return scaled;
    const auto floor_of = [&](Goal goal, const Rational& least) {
      return static_cast<Int128>(make_target(goal, {}).scaled_cap(least).value_or(Wide{}).low);
    };
    for (const ChoiceFloor& floor : floors_) {
      scaled[floor.stores] = {floor_of(Goal::latency, floor.least.latency),
                              floor_of(Goal::energy, floor.least.energy),
                              floor_of(Goal::activations, floor.least.activations)};
    }
    return scaled;
  }

  /// Whether long searches ask a local search for better incumbents. Under an unbounded row buffer
  /// many nodes have the bound of the optimum, and no order of their loops attains it.
  [[nodiscard]] bool wants_improvement() const {
    const Rules& rules = question_.rules;
    return question_.row_model == RowModel::trace && !a_.levels[a_.row_buffer()].capacity &&
           rules.has(Rule::lattice) && rules.has(Rule::descent);
  }

  /// The limits on goals in the units of targets; nothing if no mapping is within one of them.
  std::optional<std::vector<std::pair<Goal, Wide>>> scaled_caps() {
    std::vector<std::pair<Goal, Wide>> caps;
    for (const GoalCap& cap : question_.all_caps()) {
      const auto most = make_target(cap.goal, {}).scaled_cap(cap.most);
      if (!most) return std::nullopt;
      caps.emplace_back(cap.goal, *most);
    }
    if (question_.below) {
      const Goal goal = question_.objective.goals.front();
      const auto less = make_target(goal, {}).scaled_below(*question_.below);
      if (!less) return std::nullopt;
      caps.emplace_back(goal, *less);
    }
    return caps;
  }

  /// Whether fills are looked at one by one: under a bounded row buffer the search is quicker.
  [[nodiscard]] bool lists_fills() const {
    return is_traced(question_.row_model) && tiles_ >= kTilesForFills &&
           !a_.levels[a_.row_buffer()].capacity;
  }

  /// Throws run::TooLarge if there is no room for the tiles.
  void need_memory(const run::Guard& guard) const {
    const std::uint64_t need = memory_need(a_, w_, question_.row_model, *scale_, guard);
    if (need > guard.room) throw run::TooLarge(need);
  }

  /// Whether a mapping may be within the caps, as far as tiles of single levels tell.
  bool fills_are_hopeful(const std::vector<std::pair<Goal, Wide>>& caps) {
    const Target target = make_target(question_.objective.goals.front(), caps);
    const bool worth_it = target.has_caps() && TileScreen::is_worth_it(tiles_, true);
    if (!worth_it || choices_ > 1 || !question_.rules.has(Rule::tiles)) return true;
    try {
      const run::Guard guard = effort_.guard();
      const Storage storage(a_, w_, *scale_, only_choice(guard));
      Costs all = known_->least();
      for (const auto& [stores, floor] : scaled_floors()) {
        if (stores != storage.stores()) continue;
        all = {std::max(all.latency, floor.latency), std::max(all.energy, floor.energy),
               std::max(all.activations, floor.activations)};
      }
      const auto hopeless = [&](const Costs& least) { return !target.keeps_caps(least); };
      if (!mapper::fills_are_hopeful(a_, w_, storage, all, hopeless, guard)) return false;
      if (!lists_fills()) return true;
      need_memory(guard);
      fills_ = list_fills(a_, w_, question_.row_model, confines_, storage, all, hopeless, guard);
      return !fills_ || !fills_->empty();
    } catch (const run::Stopped&) {
      return true;
    }
  }

  /// Whether to look for a mapping first, once the tiles are known: what it leaves out takes longer
  /// than the look does. Activations take much longer.
  [[nodiscard]] bool is_worth_a_mapping(const Target& target) const {
    const bool quick = target.uses_latency() || target.uses_energy();
    return space_->lattice.size() >= (quick ? kTilesForQuick : kTilesForSlow);
  }

  /// A mapping, if many tiles make it worth it and one is found, and whether the instance was
  /// built; at the same time, as far as the mapping is of no use for the instance.
  std::pair<Incumbent, bool> begin(const std::vector<std::pair<Goal, Wide>>& caps) {
    Incumbent best;
    const Target target = make_target(question_.objective.goals.front(), caps);
    bool complete = large_ || build_space();  // a large one takes long: beside the look
    const bool wanted = large_ || (complete && is_worth_a_mapping(target));
    run::parallel_for(2, [&](std::size_t k) {
      if (k == 1) {
        complete = complete && (space_ || build_space()) && build_on_space(target, wanted);
      } else if (!effort_.stopped() && !question_.below) {  // which needs none
        if (wanted) best = first_answer();
        start_beside(best);
      }
    });
    if (complete && !instance_) complete = build_instance(target, best);
    return {std::move(best), complete};
  }

  void minimise_all(Solution& solution) {
    auto caps = scaled_caps();
    if (!caps || !fills_are_hopeful(*caps)) return none_within(solution);
    const std::uint64_t last_tries = effort_.stopped() ? kHurriedTries : kLastTries;
    auto [best, complete] = begin(*caps);
    if (complete && nothing_left()) return none_within(solution);
    for (const Goal goal : question_.objective.goals) {
      Target target = make_target(goal, *caps);
      if (best) best->first = target.value(best->second.costs);
      if (complete) {
        if (pricing_->wants_first_mapping() && !best && !question_.below) best = seed(target);
        Minimum minimum = minimiser_->run(target, std::move(best));
        best = std::move(minimum.best);
        complete = minimum.complete;
        solution.goals.push_back({goal, {}, target.unscaled(minimum.bound)});
        if (best) caps->emplace_back(goal, best->first);
      } else {
        solution.goals.push_back({goal, {}, target.unscaled(known_->of(target))});
      }
    }
    if (!complete) best = last_answer(std::move(best), last_tries);
    if (!best && !complete) return;  // unknown
    if (!best) return none_within(solution);
    solution.status = complete ? Status::optimal : Status::feasible;
    report(solution, best->second);
  }

  /// Whether constraints leave no tile of the row buffer, or no unrolling.
  [[nodiscard]] bool nothing_left() const {
    return instance_->arrivals.empty() || instance_->vectors.array().empty() ||
           instance_->vectors.internal().empty();
  }

  /// The best mapping known when a limit has ended the search, improved once more, for a moment if
  /// the time is up, and not if nobody wants it. Limits of nodes and of memory repeat exactly; what
  /// was found beside depends on time.
  Incumbent last_answer(Incumbent best, std::uint64_t tries) {
    effort_.lend = {};
    if (unwanted_.stop_requested()) return best;
    Incumbent other = beside_.result();
    if (effort_.stopped()) best = better(std::move(best), std::move(other));
    std::function<bool()> stop;
    if (tries > kHurriedTries) {
      stop = [this, end = effort_.seconds() + kLastSeconds] {
        return effort_.out_of_time() && effort_.seconds() >= end;
      };
    }
    return locally_improved(std::move(best), {tries, 3}, std::move(stop));
  }

  /// A mapping before any table is built.
  [[nodiscard]] Incumbent first_answer() const {
    const std::uint64_t tries = std::max(
        {kFirstTries, tiles_ / kTilesForAnotherTry, std::min(kDenseTries, tiles_ / kTilesForATry)});
    return locally_improved({}, {tries, 1}, [this] { return effort_.stopped(); });
  }

  /// The search for a better mapping than this one goes on beside the exact search.
  void start_beside(const Incumbent& best) {
    const bool alone = run::thread_room() == 1;
    if (const std::uint64_t tries = tries_beside(alone); tries > 0) {
      beside_.start(
          [this, best, tries](const std::function<bool()>& enough) {
            return locally_improved(best, {tries, 2},
                                    [&] { return enough() || effort_.out_of_time(); });
          },
          turns(alone));
      if (alone) effort_.lend = [this] { beside_.lend(); };
    }
  }

  /// How long the search beside waits: by then the problem may be solved.
  [[nodiscard]] double lateness() const {
    return std::min(kLateSeconds, limits_.time_limit.value_or(20) / 20);
  }

  /// Most of the time is the local search's at first, when the mapping known is poor, half of it in
  /// the beginning, when a better one is likely, little later. The more storage choices there are,
  /// the later the exact search comes to an end.
  [[nodiscard]] SearchBeside::When turns(bool alone) const {
    SearchBeside::When when{alone, lateness()};
    if (choices_ >= kManyChoices) when.mostly = 1;
    if (choices_ >= kTooManyChoices) when.evenly = std::numeric_limits<double>::infinity();
    return when;
  }

  /// With a time limit, mappings are looked at until it is reached; otherwise for a while, if there
  /// is a thread for it.
  [[nodiscard]] std::uint64_t tries_beside(bool alone) const {
    if (limits_.time_limit) return tiles_ >= kSomeTiles ? kEndlessTries : 0;
    return large_ && !alone ? kTriesBeside : 0;
  }

  void search_front(Front& front) {
    const auto caps = scaled_caps();
    Staircase stairs(front.axes);
    FrontOutcome found{{}, {{}}};
    if (!caps) {
      found.open.clear();
    } else if (Target target = make_target(Goal::latency, *caps);
               build_space() && build_instance(target, {})) {
      target.set_front(stairs);
      found = nothing_left() ? FrontOutcome{} : minimiser_->run_front(target, stairs, {});
    }
    if (found.points.empty() && !found.open.empty()) {  // a limit, before there was a mapping
      if (Incumbent some = last_answer({}, kHurriedTries)) {
        found.points.push_back(std::move(some->second));
      }
    }
    for (const Solved& solved : found.points) {
      Solution point;
      for (const Goal axis : front.axes) point.goals.push_back({axis, {}, {}});
      report(point, solved);
      std::vector<Rational> costs;
      for (const GoalResult& result : point.goals) costs.push_back(result.value);
      front.points.push_back(
          {std::move(costs), std::move(*point.mapping), std::move(*point.metrics)});
    }
    if (front.points.empty() && found.open.empty()) {
      front.status = FrontStatus::infeasible;
      front.reason = none_within();
    } else if (!front.points.empty()) {
      settle(front, found.open);
    }
  }

  /// Sorts the points and says what is not settled, given corners that are still open.
  void settle(Front& front, const std::vector<Costs>& corners) const {
    std::ranges::sort(front.points, {}, &FrontPoint::costs);
    std::vector<answers::Vector> points;
    for (const FrontPoint& point : front.points) points.push_back(point.costs);
    std::vector<answers::Vector> least;
    for (const Costs& corner : corners) {
      answers::Vector vector;
      for (const Goal axis : front.axes) {
        vector.push_back(make_target(axis, {}).unscaled(Wide::from(cost_of(axis, corner))));
      }
      least.push_back(std::move(vector));
    }
    front.open = answers::open_boxes(points, least, front.axes.size());
    front.status = front.open.empty() ? FrontStatus::complete : FrontStatus::partial;
    front.covered = answers::covered_share(points, front.open);
  }

  void none_within(Solution& solution) const {
    solution.status = Status::infeasible;
    solution.reason = none_within();
  }

  [[nodiscard]] std::string none_within() const {
    std::string reason = "no mapping satisfies all constraints";
    const std::vector<std::string> constraints = constraint_texts(a_, question_.constraints);
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      reason += (k == 0 ? " (" : ", ") + constraints[k];
    }
    if (!constraints.empty()) reason += ")";
    if (question_.at_most) reason += " and costs at most " + question_.at_most->to_string();
    if (question_.below) {
      reason += " and costs less than " + question_.below->to_string();
    }
    for (const GoalCap& cap : question_.caps) {
      reason += " with " + std::string(name(cap.goal)) + " at most " + cap.most.to_string();
    }
    return reason;
  }

  [[nodiscard]] bool keeps_caps(const Metrics& metrics) const {
    if (question_.below &&
        question_.objective.value(question_.objective.goals.front(), metrics) >= *question_.below) {
      return false;
    }
    return std::ranges::all_of(question_.all_caps(), [&](const GoalCap& cap) {
      return question_.objective.value(cap.goal, metrics) <= cap.most;
    });
  }

  [[nodiscard]] Target make_target(Goal goal,
                                   const std::vector<std::pair<Goal, Wide>>& caps) const {
    Target target(*scale_, question_.objective, goal);
    for (const auto& [capped, value] : caps) target.add_cap(capped, value);
    return target;
  }

  /// Fills in mapping and metrics, computed anew by the plain evaluator.
  void report(Solution& solution, const Solved& solved) const {
    solution.mapping = solved.mapping;
    solution.metrics = evaluate(a_, w_, solved.mapping, question_.row_model);
    prefer_nchw(solution);
    if (const auto departure = find_departure(a_, w_, solved.mapping, question_.method)) {
      throw std::logic_error("the search left the dataflow: " + *departure);
    }
    if (const auto breach = find_breach(a_, solved.mapping, question_.constraints)) {
      throw std::logic_error("the search left the constraints: " + *breach);
    }
    if (!within(question_.layouts, a_, solved.mapping)) {
      throw std::logic_error("the search left the range of a layout");
    }
    if (!keeps_caps(*solution.metrics)) {
      throw std::logic_error("the search left the limits on goals");
    }
    if (const auto disorder = find_disorder(a_, solved.mapping, question_.precedence)) {
      throw std::logic_error("the search left the order of loops: " + *disorder);
    }
    for (GoalResult& result : solution.goals) {
      result.value = question_.objective.value(result.goal, *solution.metrics);
      const Target target(*scale_, question_.objective, result.goal);
      if (target.unscaled(target.value(solved.costs)) != result.value) {
        throw std::logic_error("the search and the evaluator disagree on the cost of a mapping");
      }
    }
  }

  /// The order NCHW for an input of free order that opens as many rows in it.
  void prefer_nchw(Solution& solution) const {
    if (solution.mapping->input_order != InputOrder::nhwc) return;
    Mapping other = *solution.mapping;
    other.input_order = InputOrder::nchw;
    if (!within(question_.layouts, a_, other)) return;
    const Metrics metrics = evaluate(a_, w_, other, question_.row_model);
    if (metrics.row_activations != solution.metrics->row_activations) return;
    solution.mapping = std::move(other);
  }

  /// What is left to spend.
  [[nodiscard]] RunLimits rest_of_limits() const {
    RunLimits limits = limits_;
    if (limits.time_limit) {
      limits.time_limit = std::max(0.0, *limits.time_limit - effort_.seconds());
    }
    if (limits.node_limit) limits.node_limit = effort_.nodes_left();
    limits.memory_limit = effort_.account.room();
    return limits;
  }

  /// A lower bound over the whole space, without a search.
  [[nodiscard]] Rational root_bound(Goal goal) {
    Question question = question_;
    question.objective.goals = {goal};
    question.method = Method::exact;
    RunLimits limits = rest_of_limits();
    limits.node_limit = 0;
    limits.on_progress = nullptr;
    try {
      const Solution root = solve(a_, w_, question, limits);
      effort_.account.note(root.memory);
      effort_.spent.choices += root.choices;
      effort_.spent.lp_solves += root.lp_solves;
      effort_.spent.lp_iterations += root.lp_iterations;
      return root.goals.front().bound;
    } catch (const LimitError&) {  // no room for the tables of the exact search
      return make_target(goal, {}).unscaled(known_->of(make_target(goal, {})));
    }
  }

  /// First incumbent of the trace model: the better one of the greedy mappings that keep to the
  /// question.
  ///
  /// On 520 cases of the corpus (ResNet-18, MobileNet-V1, BERT): 1.7 % fewer nodes than without.
  /// The optimum of the hybrid model in its place takes a search of its own, a third more nodes
  /// in all, and is no better a start: priced by the trace it costs 14 times the optimum in the
  /// geometric mean, the greedy mapping 3.4 times.
  [[nodiscard]] Incumbent seed(const Target& target) const {
    const Mapping smallest = smallest_mapping(a_, w_);
    const RowModel model = question_.row_model;
    Incumbent best = incumbent(target, heuristic::greedy(a_, w_, model, smallest));
    if (auto mapping = heuristic::greedy_in_rows(a_, w_, model, smallest)) {
      Incumbent other = incumbent(target, std::move(*mapping));
      if (other && (!best || other->first < best->first)) best = std::move(other);
    }
    return best;
  }

  /// A feasible mapping with its value, if it is within the question and the target's caps.
  [[nodiscard]] Incumbent incumbent(const Target& target, Mapping mapping) const {
    if (!admits(mapping)) return {};
    const Costs costs = scaled(evaluate(a_, w_, mapping, question_.row_model));
    if (!target.keeps_caps(costs)) return {};
    return std::pair{target.value(costs), Solved{std::move(mapping), costs}};
  }

  /// Whether a feasible mapping, whose loops may be reordered, is within the question.
  [[nodiscard]] bool admits(Mapping& mapping) const {
    confines_.orders.sort(mapping);
    return within(question_.layouts, a_, mapping) &&
           !find_departure(a_, w_, mapping, question_.method) &&
           !find_disorder(a_, mapping, question_.precedence) &&
           !find_breach(a_, mapping, question_.constraints);
  }

  /// The one of less cost, in the order of the goals; each may be missing.
  [[nodiscard]] Incumbent better(Incumbent a, Incumbent b) const {
    if (!a || !b) return a ? a : b;
    for (const Goal goal : question_.objective.goals) {
      const Target target = make_target(goal, {});
      const Wide x = target.value(a->second.costs);
      const Wide y = target.value(b->second.costs);
      if (x != y) return x < y ? a : b;
    }
    return a;
  }

  struct Tries {
    std::uint64_t count;
    std::uint64_t seed;
  };

  /// A mapping that is at least as good as `best`, in the order of the goals, after a local search;
  /// nothing if none is known that the question allows.
  [[nodiscard]] Incumbent locally_improved(Incumbent best, const Tries& tries,
                                           std::function<bool()> stop) const {
    const auto admissible = [this](Mapping& mapping) { return admits(mapping); };
    Mapping start = best ? best->second.mapping : smallest_mapping(a_, w_, question_.method);
    heuristic::RandomBest found =
        heuristic::local_search({a_, w_, question_.objective, question_.row_model, admissible,
                                 std::move(stop), tries.count, tries.seed},
                                start, smallest_mapping(a_, w_));
    if (found.mapping.levels.empty()) return best;
    if (!keeps_caps(found.metrics)) return best;
    const Goal first = question_.objective.goals.front();
    const Costs costs = scaled(found.metrics);
    return std::pair{make_target(first, {}).value(costs), Solved{std::move(found.mapping), costs}};
  }

  /// An incumbent after a local search, for the target's goal; each part searches otherwise.
  [[nodiscard]] Incumbent improved(std::size_t part, const Target& target, const Incumbent& best,
                                   const std::function<bool()>& enough) const {
    Incumbent other = locally_improved(best, {kTriesBetween, 4 + part},
                                       [&] { return enough() || effort_.stopped(); });
    if (!other || !target.keeps_caps(other->second.costs)) return {};
    other->first = target.value(other->second.costs);
    return other;
  }

  [[nodiscard]] Costs scaled(const Metrics& metrics) const {
    return {scale_->scaled_latency(metrics.latency), scale_->scaled_energy(metrics.energy),
            scale_->scaled_activations(metrics.activations())};
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& question_;
  const RunLimits& limits_;
  const ChoiceFloors& floors_;
  LayerStore* layers_;
  std::stop_token unwanted_;
  Confines confines_;
  Effort effort_;
  std::optional<Scale> scale_;
  std::optional<KnownBounds> known_;
  std::optional<TileSpace> space_;              // until the instance takes it over
  std::optional<Storage> only_storage_;         // if there are floors
  std::optional<std::vector<Factors>> fills_;   // of mappings of interest, if they were listed
  std::shared_ptr<const InsideFloors> inside_;  // floors under it
  std::optional<run::Account::Hold> inside_memory_;
  std::optional<Instance> instance_;
  std::unique_ptr<RowPricing> pricing_;
  std::optional<run::Account::Hold> instance_memory_;
  std::optional<Minimiser> minimiser_;
  std::uint64_t tiles_ = 1;    // divisor vectors of the bounds
  std::uint64_t choices_ = 1;  // of what levels store
  bool large_ = false;         // tables or relaxations take so long that a mapping is wanted first
  SearchBeside beside_;        // ends before what it uses
};

/// Throws InputError if a part of the question is not valid or does not apply.
void check(const Architecture& architecture, const Workload& workload, const Question& question) {
  validate(architecture);
  validate(workload);
  if (is_heuristic(question.method) && question.layouts != LayoutRanges{}) {
    throw InputError("layouts: found a range with method '" + std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  if (is_heuristic(question.method) && question.constraints.any()) {
    throw InputError("constraints: found some with method '" + std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  validate(architecture, question.constraints);
  if (const auto misfit = find_misfit(architecture, workload, question.constraints)) {
    throw InputError(
        (question.constraints.source.empty() ? "constraints" : question.constraints.source) + ": " +
        *misfit);
  }
  if (is_heuristic(question.method) &&
      (question.at_most || question.below || !question.caps.empty())) {
    throw InputError("at most: found a limit on a goal with method '" +
                     std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  if (architecture.levels.size() > mapper::kMaxLevels) {
    throw InputError("architecture '" + architecture.name + "': memory_hierarchy: found " +
                     std::to_string(architecture.levels.size()) + " levels, allowed are 4 .. " +
                     std::to_string(mapper::kMaxLevels));
  }
}

}  // namespace
}  // namespace mapper

namespace {

[[noreturn]] void refuse_axes(std::string_view found, std::string_view what) {
  throw InputError(std::string(what) + ": found '" + std::string(found) +
                   "', allowed are two or three different ones of latency, energy, activations");
}

void check_axes(const std::vector<Goal>& axes, std::string_view what) {
  const bool one_cost = std::ranges::all_of(axes, [](Goal axis) {
    return axis == Goal::latency || axis == Goal::energy || axis == Goal::activations;
  });
  const bool distinct = std::set<Goal>(axes.begin(), axes.end()).size() == axes.size();
  if (one_cost && distinct && (axes.size() == 2 || axes.size() == 3)) return;
  refuse_axes(Objective{axes, 1, 1}.to_string(), what);
}

}  // namespace

std::vector<Goal> parse_axes(std::string_view text, std::string_view what) {
  std::vector<Goal> axes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto found = std::ranges::find(kGoalNames, text.substr(begin, end - begin));
    if (found == kGoalNames.end()) {
      axes.clear();
      break;
    }
    axes.push_back(static_cast<Goal>(found - kGoalNames.begin()));
    begin = end + 1;
  }
  if (axes.empty()) refuse_axes(text, what);
  check_axes(axes, what);
  return axes;
}

SolveStatistics& SolveStatistics::operator+=(const SolveStatistics& other) {
  nodes += other.nodes;
  leaves += other.leaves;
  mappings += other.mappings;
  choices += other.choices;
  lp_solves += other.lp_solves;
  lp_iterations += other.lp_iterations;
  seam_tables += other.seam_tables;
  known_seam_tables += other.known_seam_tables;
  bounds += other.bounds;
  bounds_searched += other.bounds_searched;
  memory = std::max(memory, other.memory);
  return *this;
}

Solution solve(const Architecture& architecture, const Workload& workload, const Question& question,
               const RunLimits& limits) {
  return mapper::solve_beyond(architecture, workload, question, limits, {});
}

Solution mapper::solve_briefly(const Architecture& architecture, const Workload& workload,
                               const Question& question, std::uint64_t tries) {
  return Solver(architecture, workload, question, {}, {}).run_briefly(tries);
}

Solution mapper::solve_beyond(const Architecture& architecture, const Workload& workload,
                              const Question& question, const RunLimits& limits,
                              const ChoiceFloors& floors, LayerStore* layers,
                              std::stop_token unwanted) {
  mapper::check(architecture, workload, question);
  const int threads = run::thread_count(limits);
  Solution solution;
  run::on_threads(threads, [&] {
    solution =
        Solver(architecture, workload, question, limits, floors, layers, std::move(unwanted)).run();
  });
  solution.threads = threads;
  return solution;
}

Front solve_front(const Architecture& architecture, const Workload& layer,
                  const std::vector<Goal>& axes, const Question& question, const RunLimits& limits,
                  const FrontOptions& options) {
  mapper::check(architecture, layer, question);
  check_axes(axes, "axes");
  if (is_heuristic(question.method)) {
    throw InputError("front: found method '" + std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  if (layer.may_be_padded()) {
    throw InputError("front: layer '" + layer.name +
                     "' may be padded; allowed are layers with fixed bounds");
  }
  const int threads = run::thread_count(limits);
  Front front;
  run::on_threads(threads, [&] {
    front = mapper::Solver(architecture, layer, question, limits, {}).run_front(axes);
  });
  front.threads = threads;
  front.found = front.points.size();
  front.within = answers::keep_selected(front.points, options);
  return front;
}

}  // namespace pimbb::dram_pim
