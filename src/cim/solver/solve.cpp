// solve(): one goal after the other, each under the optima of those before it.
//
// Spatial schemes are taken best first, by a lower bound. First the schemes of best bounds are
// searched with few labels per cell, which finds an optimum more often than not; then schemes are
// solved in rounds, those of a round in parallel, until no open scheme has a bound below the best
// value. Rounds do not depend on the number of threads, so neither do the mapping and the counts.
//
// A search that is stopped before it has a mapping answers with one that is made at once
// (heuristic/first_mapping.hpp), and with the least bound of what is open.

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "cim/heuristic/first_mapping.hpp"
#include "cim/heuristic/greedy.hpp"
#include "cim/mapper/label_search.hpp"
#include "cim/solver/any_mapping.hpp"
#include "cim/solver/known_start.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/guard.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"
#include "search/best_first.hpp"

namespace pimbb::cim {
namespace mapper {
namespace {

/// Searches with few labels, one after the other: schemes, and labels per cell. Narrow ones may end
/// nowhere; once there is a mapping, bounds make wide ones cheap.
struct Beam {
  std::size_t schemes;
  std::size_t width;
};
constexpr std::array kBeams{Beam{8, 6}, Beam{4, 50}};
constexpr std::size_t kFirstRound = 2;     // schemes at a time
constexpr std::size_t kLargestRound = 16;  // schemes
constexpr std::size_t kRefined = 16;       // bounds at a time
// The guard is asked after every 1,024 schemes. The first ones take milliseconds, so a run that is
// stopped at once has them nevertheless, with their bounds.
constexpr std::size_t kUnguardedSchemes = 64;  // times 1,024

class Solver {
 public:
  /// `any`: the first mapping found is the answer.
  Solver(const Architecture& a, const Workload& layer, const Question& question,
         const RunLimits& limits, bool any = false, KnownStart start = {})
      : a_(a),
        layer_(layer),
        question_(question),
        limits_(limits),
        any_(any),
        start_(std::move(start)),
        clock_(limits),
        units_(a),
        elements_(layer),
        problem_(a, layer_, question_, units_, elements_),
        factors_(question.factors) {
    units_.check_range(a, largest());
  }

  Solution run() {
    Solution solution;
    std::optional<run::TooLarge> too_large;
    try {
      prepare();
      minimise_all(solution);
    } catch (const run::Stopped&) {
      solution.status = Status::unknown;
    } catch (const run::TooLarge& schemes) {
      solution.status = Status::unknown;
      too_large = schemes;
    }
    if (best_) solution.mapping = best_->mapping;
    if (best_ && question_.pricing.semantics != Semantics::simulator) report(solution);
    if (solution.status == Status::unknown && !any_) answer_at_once(solution);
    if (!solution.mapping && too_large) refuse(*too_large);
    static_cast<SolveStatistics&>(solution) = spent_;
    solution.seconds = clock_.seconds();
    return solution;
  }

  /// The mapping of the heuristic, with bounds of the whole space.
  Solution run_greedy() {
    Solution solution;
    const auto stopped = [this] { return clock_.stopped(); };
    try {
      prepare();
      const heuristic::Greedy greedy =
          heuristic::greedy_mapping(a_, layer_, question_, guard(), stopped);
      spent_.candidates = greedy.evaluated;
      solution.mapping = greedy.mapping;
    } catch (const run::Stopped&) {
      solution.mapping.reset();
    } catch (const run::TooLarge& schemes) {
      refuse(schemes);
    }
    if (!solution.mapping && clock_.stopped()) {
      answer_at_once(solution);
    } else if (solution.mapping) {
      solution.status = Status::feasible;
      solution.metrics = evaluate(a_, layer_, *solution.mapping, question_.pricing);
      add_greedy_goals(solution);
    } else {
      solution.reason = "greedy filling finds no feasible mapping";
    }
    static_cast<SolveStatistics&>(solution) = spent_;
    solution.seconds = clock_.seconds();
    return solution;
  }

 private:
  void add_greedy_goals(Solution& solution) const {
    // Bounds of schemes are about the closed semantics.
    const bool bounded = question_.pricing.semantics != Semantics::simulator;
    for (const Goal goal : question_.objective.goals) {
      const Target target(units_, question_, goal);
      const Rational value =
          question_.objective.value(goal, solution.metrics->latency, solution.metrics->energy);
      const Rational bound = bounded ? target.unscaled(least_bound(target)) : Rational();
      solution.goals.push_back({goal, value, std::min(value, bound)});
    }
  }

  /// The answer of a search that was stopped before it had a mapping.
  void answer_at_once(Solution& solution) const {
    if (solution.goals.empty()) {
      for (const Goal goal : question_.objective.goals) {
        const Target target(units_, question_, goal);
        solution.goals.push_back({goal, {}, target.unscaled(least_bound(target))});
      }
    }
    solution.mapping = mapping_at_once();
    if (!solution.mapping) return;
    solution.metrics = evaluate(a_, layer_, *solution.mapping, question_.pricing);
    solution.status = Status::optimal;
    for (GoalResult& result : solution.goals) {
      result.value = question_.objective.value(result.goal, solution.metrics->latency,
                                               solution.metrics->energy);
      if (result.value < result.bound) throw std::logic_error("a bound exceeds a mapping's value");
      if (result.value != result.bound) solution.status = Status::feasible;
    }
  }

  [[nodiscard]] std::optional<Mapping> mapping_at_once() const {
    if (candidates_.empty()) {
      // Which schemes have the fewest products is not known.
      if (is_full_only()) return std::nullopt;
      const std::vector<Scheme> simple = heuristic::simple_schemes(a_, layer_);
      return heuristic::first_mapping(a_, layer_, question_, {&simple[0], &simple[1]});
    }
    const Target target(units_, question_, question_.objective.goals[0]);
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const Candidate& c : candidates_) fewest = std::min(fewest, products(*c.scheme));
    std::vector<const Candidate*> best;
    for (const Candidate& c : candidates_) {
      if (is_full_only() && products(*c.scheme) > fewest) continue;
      best.push_back(&c);
    }
    const auto bound = [&](const Candidate* c) {
      return target.value(c->bound.latency, c->bound.total);
    };
    std::ranges::stable_sort(best, {}, bound);
    std::vector<const Scheme*> schemes;
    for (const Candidate* c : best) schemes.push_back(c->scheme);
    return heuristic::first_mapping(a_, layer_, question_, schemes);
  }

  /// Whether the mapping must have a scheme of fewest products; bounds of `greedy` are about all.
  [[nodiscard]] bool is_full_only() const {
    return question_.method != Method::exact || question_.schemes == SchemeRule::full;
  }

  [[noreturn]] void refuse(const run::TooLarge& schemes) const {
    throw LimitError("memory limit: found " + std::to_string(limits_.memory_limit) +
                     " bytes; the spatial schemes of layer '" + layer_.name + "' on '" + a_.name +
                     "' need more than " + std::to_string(schemes.needed));
  }

  struct Candidate {
    const Scheme* scheme;
    DimensionSteps steps;
    SchemeBound bound;
    bool refined = false;  // by the costs-to-go
  };
  using Open = search::BestFirst<std::size_t, Wide>;  // numbers of candidates

  /// The layer that no scheme exceeds.
  [[nodiscard]] Workload largest() const {
    Workload largest = layer_;
    if (question_.pricing.padding == Padding::ceil) {
      for (std::int64_t& bound : largest.bounds) bound = 2 * bound - 1;
    }
    return largest;
  }

  [[nodiscard]] run::Guard guard() const {
    return {[this] { return clock_.stopped(); }, limits_.memory_limit, 0, {}};
  }

  void prepare() {
    const SchemeRule rule = question_.method == Method::ws ? SchemeRule::full : question_.schemes;
    run::Guard patient = guard();
    patient.stop = [this, asked = std::size_t{0}]() mutable {
      return ++asked > kUnguardedSchemes && clock_.stopped();
    };
    schemes_ = spatial_schemes(a_, layer_, question_.pricing.padding, rule, patient);
    spent_.schemes = schemes_.size();
    const bool symmetric = is_symmetric(a_, layer_);
    for (const Scheme& scheme : schemes_) {
      // Of a scheme and its mirror image, which has the same costs, one is enough.
      if (symmetric && before(mirrored(scheme), scheme)) continue;
      Candidate candidate{&scheme, {}, quick_bound(problem_, scheme), false};
      for (std::size_t j = 0; j < kDims; ++j) {
        candidate.steps[j] = &factors_.of(scheme.extents[j]);
      }
      candidates_.push_back(candidate);
    }
  }

  void minimise_all(Solution& solution) {
    std::vector<std::pair<Goal, Wide>> caps;
    bool complete = true;
    for (const Goal goal : question_.objective.goals) {
      Target target(units_, question_, goal);
      for (const auto& [capped, value] : caps) target.add_cap(capped, value);
      if (solution.goals.empty()) begin_with_known(target);
      if (best_) {
        best_->total = units_.total(dynamic(best_->mapping), best_->latency);
        best_->value = target.value(best_->latency, best_->total);
      }
      const bool none = complete && !solution.goals.empty() && !best_;
      const Wide bound = none       ? Wide{}
                         : complete ? minimise(target, complete)
                                    : least_bound(target);
      solution.goals.push_back({goal, {}, target.unscaled(bound)});
      if (best_) caps.emplace_back(goal, best_->value);
    }
    if (best_) {
      solution.status = complete ? Status::optimal : Status::feasible;
    } else {
      solution.status = complete ? Status::infeasible : Status::unknown;
      if (complete) solution.reason = why_none();
    }
  }

  void begin_with_known(const Target& target) {
    if (start_.mapping) {
      const Metrics metrics = evaluate(a_, layer_, *start_.mapping, question_.pricing);
      best_ = Found{{}, *metrics.latency.in_units(units_.cycle), {}, *start_.mapping};
    }
    if (start_.least) least_ = target.scaled_floor(*start_.least);
  }

  [[nodiscard]] std::string why_none() const {
    std::string reason = "no mapping satisfies all constraints";
    for (const GoalCap& cap : question_.caps) {
      reason += " with " + std::string(name(cap.goal)) + " at most " + cap.most.to_string();
    }
    return reason;
  }

  /// Of all mappings, with or without the schemes.
  [[nodiscard]] Wide least_bound(const Target& target) const {
    if (candidates_.empty()) {
      const SchemeBound bound = space_bound(problem_);
      return target.value(bound.latency, bound.total);
    }
    Wide least = Wide::infinity();
    for (const Candidate& c : candidates_) {
      least = std::min(least, target.value(c.bound.latency, c.bound.total));
    }
    return least;
  }

  [[nodiscard]] Wide cutoff() const { return best_ ? best_->value : Wide::infinity(); }

  [[nodiscard]] Wide bound_of(const Target& target, std::size_t candidate) const {
    const SchemeBound& bound = candidates_[candidate].bound;
    return target.value(bound.latency, bound.total);
  }

  /// The proven bound of a goal; `complete` if it is the optimum, or there is no mapping.
  Wide minimise(const Target& target, bool& complete) {
    Open open;
    for (std::size_t k = 0; k < candidates_.size(); ++k) open.push(bound_of(target, k), k, k);
    if (!start_.mapping) first_mappings(target, open);
    for (std::size_t size = 2;; size = std::min(kLargestRound, 2 * size)) {
      if (clock_.stopped() || spent_.labels >= node_limit() || is_enough()) break;
      const std::vector<Open::Entry> round = take(target, open, size);
      if (round.empty()) break;
      const std::vector<SchemeOutcome> outcomes = search_round(target, round, 0);
      for (std::size_t k = 0; k < round.size(); ++k) {
        if (!outcomes[k].complete) open.leave_open(round[k].bound);
      }
      progress(target, open.least_bound());
    }
    const auto left = open.least_bound();
    if (left && *left < cutoff() && !is_least()) {
      complete = false;
      return *left;
    }
    return best_ ? best_->value : Wide{};
  }

  [[nodiscard]] bool is_enough() const { return (any_ && best_) || is_least(); }

  /// Whether the best mapping is known to be optimal before all schemes are closed.
  [[nodiscard]] bool is_least() const { return best_ && least_ && best_->value <= *least_; }

  /// The next schemes by refined bounds, as many as `size`, that may be better than the best. Those
  /// whose bounds break a cap are closed.
  std::vector<Open::Entry> take(const Target& target, Open& open, std::size_t size) {
    std::vector<Open::Entry> round;
    while (round.size() < size && !open.empty() && open.front().bound < cutoff() &&
           !clock_.stopped()) {
      const SchemeBound& bound = candidates_[open.front().part].bound;
      if (!target.keeps_caps(bound.latency, bound.total)) {
        open.pop();
      } else if (candidates_[open.front().part].refined) {
        round.push_back(open.pop());
      } else {
        refine(target, open);
      }
    }
    return round;
  }

  /// Refines bounds of the next schemes, in parallel.
  void refine(const Target& target, Open& open) {
    std::vector<std::size_t> next;
    while (next.size() < kRefined && !open.empty() && !candidates_[open.front().part].refined) {
      next.push_back(open.pop().part);
    }
    run::parallel_for(next.size(), [&](std::size_t k) {
      Candidate& c = candidates_[next[k]];
      const SchemeBound better = scheme_bound(problem_, *c.scheme, c.steps);
      c.bound.latency = std::max(c.bound.latency, better.latency);
      c.bound.total = std::max(c.bound.total, better.total);
      c.refined = true;
    });
    for (const std::size_t k : next) open.push(bound_of(target, k), k, k);
  }

  [[nodiscard]] std::uint64_t node_limit() const {
    return limits_.node_limit.value_or(~std::uint64_t{0});
  }

  /// A good mapping before the proof.
  void first_mappings(const Target& target, Open& open) {
    for (const Beam& beam : kBeams) {
      std::vector<Open::Entry> taken;
      while (taken.size() < beam.schemes && !clock_.stopped() && !is_enough()) {
        const std::vector<Open::Entry> round = take(target, open, kFirstRound);
        if (round.empty()) break;
        search_round(target, round, beam.width);
        taken.insert(taken.end(), round.begin(), round.end());
      }
      for (Open::Entry& entry : taken) open.push(std::move(entry));
    }
  }

  std::vector<SchemeOutcome> search_round(const Target& target,
                                          const std::vector<Open::Entry>& round,
                                          std::size_t width) {
    std::vector<SchemeOutcome> outcomes(round.size());
    const Wide most = cutoff();
    LabelLimits limits;
    const std::uint64_t room = node_limit() - std::min(node_limit(), spent_.labels);
    limits.labels = width > 0 ? ~std::uint64_t{0} : room / std::max<std::size_t>(1, round.size());
    limits.bytes = limits_.memory_limit / std::max<std::size_t>(1, round.size());
    limits.stop = [this] { return clock_.stopped(); };
    limits.width = width;
    run::parallel_for(round.size(), [&](std::size_t k) {
      const Candidate& c = candidates_[round[k].part];
      outcomes[k] = search_scheme(problem_, *c.scheme, c.steps, target, most, limits);
    });
    std::uint64_t bytes = 0;
    for (SchemeOutcome& outcome : outcomes) {
      if (outcome.best && outcome.best->value < cutoff()) best_ = std::move(outcome.best);
      spent_.solved += width == 0 ? 1 : 0;
      spent_.states += outcome.states;
      spent_.labels += outcome.labels;
      spent_.candidates += outcome.candidates;
      bytes += outcome.bytes;
    }
    spent_.memory = std::max(spent_.memory, bytes);
    return outcomes;
  }

  void progress(const Target& target, const std::optional<Wide>& bound) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(target.goal());
    if (best_) line.incumbent = target.unscaled(best_->value).to_double();
    const Wide least = bound ? std::min(*bound, cutoff()) : cutoff();
    line.bound = target.unscaled(least).to_double();
    line.nodes = spent_.labels;
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  [[nodiscard]] Energy dynamic(const Mapping& mapping) const {
    const Workload layer = padded(layer_, question_.pricing.padding, mapping.unrolled());
    const cost::Nest nest(a_, units_, layer, elements_, mapping);
    return cost::dynamic_energy(nest);
  }

  /// Fills in mapping and metrics, computed anew by the evaluator.
  void report(Solution& solution) const {
    Pricing pricing = question_.pricing;
    if (const auto broken = find_violation(a_, layer_, best_->mapping, pricing.padding)) {
      throw std::logic_error("the search found an infeasible mapping: " + broken->message);
    }
    solution.metrics = evaluate(a_, layer_, best_->mapping, pricing);
    if (units_.cycles(best_->latency) != solution.metrics->latency) {
      throw std::logic_error("the search and the evaluator disagree on the latency of a mapping");
    }
    for (GoalResult& result : solution.goals) {
      result.value = question_.objective.value(result.goal, solution.metrics->latency,
                                               solution.metrics->energy);
      if (solution.status == Status::optimal && result.value != result.bound) {
        throw std::logic_error("the search and the evaluator disagree on the cost of a mapping");
      }
    }
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  const RunLimits& limits_;
  bool any_;
  KnownStart start_;
  run::Clock clock_;
  cost::Units units_;
  Elements elements_;
  Problem problem_;
  FactorTables factors_;
  std::vector<Scheme> schemes_;
  std::vector<Candidate> candidates_;
  std::optional<Found> best_;
  std::optional<Wide> least_;  // of the first goal, if it is known
  SolveStatistics spent_;
};

/// What is left of the limits after a part of the work.
RunLimits rest_of(const RunLimits& limits, const Solution& spent, double seconds) {
  RunLimits rest = limits;
  if (rest.time_limit) rest.time_limit = std::max(0.0, *rest.time_limit - seconds);
  if (rest.node_limit) *rest.node_limit -= std::min(*rest.node_limit, spent.labels);
  return rest;
}

void add_counts(Solution& solution, const Solution& other) {
  solution.schemes = other.schemes;
  solution.solved += other.solved;
  solution.states += other.states;
  solution.labels += other.labels;
  solution.candidates += other.candidates;
  solution.memory = std::max(solution.memory, other.memory);
}

std::vector<Rational> values_of(const Objective& objective, const Metrics& metrics) {
  std::vector<Rational> values;
  for (const Goal goal : objective.goals) {
    values.push_back(objective.value(goal, metrics.latency, metrics.energy));
  }
  return values;
}

bool keeps_caps(const Question& question, const Metrics& metrics) {
  return std::ranges::all_of(question.caps, [&](const GoalCap& cap) {
    return question.objective.value(cap.goal, metrics.latency, metrics.energy) <= cap.most;
  });
}

/// The simulator prices given mappings; no search follows its timers. Every simulated latency is at
/// least the time of the products and the occupancy of each port: the least value of that
/// relaxation is a proven bound. The mappings that are optimal for the relaxation and under the
/// recursion are priced by the simulator, and the better one is the answer; it is optimal if it
/// meets the bound.
Solution simulated(const Architecture& a, const Workload& layer, const Question& question,
                   const RunLimits& limits) {
  const run::Clock clock(limits);
  Solution solution;
  std::vector<Mapping> found;
  const auto run = [&](const Question& part) {
    const RunLimits rest = rest_of(limits, solution, clock.seconds());
    Solution result = Solver(a, layer, part, rest).run();
    add_counts(solution, result);
    if (result.mapping) found.push_back(*result.mapping);
    return result;
  };
  for (const Goal goal : question.objective.goals) {
    Question relaxed = question;
    relaxed.objective.goals = {goal};
    if (relaxed.pricing.contention == Contention::none) {
      relaxed.pricing.contention = Contention::ports;
    }
    const Solution bound = run(relaxed);
    if (bound.status == Status::infeasible) return bound;
    solution.goals.push_back({goal, {}, bound.goals.empty() ? 0 : bound.goals[0].bound});
  }
  Question recursion = question;
  recursion.pricing.semantics = Semantics::recursion;
  run(recursion);
  std::vector<Rational> best;
  for (const Mapping& mapping : found) {
    Metrics metrics = evaluate(a, layer, mapping, question.pricing);
    const std::vector<Rational> values = values_of(question.objective, metrics);
    if (!keeps_caps(question, metrics)) continue;
    if (!best.empty() && !(values < best)) continue;
    best = values;
    solution.mapping = mapping;
    solution.metrics = std::move(metrics);
  }
  solution.seconds = clock.seconds();
  if (best.empty()) return solution;
  solution.status = Status::optimal;
  for (std::size_t g = 0; g < best.size(); ++g) {
    solution.goals[g].value = best[g];
    if (best[g] != solution.goals[g].bound) solution.status = Status::feasible;
  }
  return solution;
}

void check_caps(const Question& question) {
  if (question.caps.empty()) return;
  if (question.method == Method::greedy) {
    throw InputError(
        "at most: found a limit on a goal with method 'greedy', allowed are exact and ws");
  }
  for (const GoalCap& cap : question.caps) {
    if (cap.most.sign() < 0) {
      throw InputError("at most: found " + std::string(name(cap.goal)) + " at most " +
                       cap.most.to_string() + ", allowed are limits >= 0");
    }
    if (std::ranges::count(question.caps, cap.goal, &GoalCap::goal) > 1) {
      throw InputError("at most: found two limits on " + std::string(name(cap.goal)) +
                       ", allowed is one");
    }
  }
}

}  // namespace
}  // namespace mapper

namespace mapper {
namespace {

/// Runs `search` for the layer as it is padded, on the threads of the limits.
Solution checked(const Architecture& architecture, const Workload& workload,
                 const Question& question, const RunLimits& limits,
                 const std::function<Solution(const Workload&)>& search) {
  validate(architecture);
  validate(workload);
  check_caps(question);
  // What is added to odd bounds does not depend on the scheme.
  const bool even = question.pricing.padding == Padding::even;
  const Workload layer = even ? padded(workload, Padding::even) : workload;
  const int threads = run::thread_count(limits);
  Solution solution;
  run::on_threads(threads, [&] { solution = search(layer); });
  solution.threads = threads;
  return solution;
}

}  // namespace

Solution any_mapping(const Architecture& architecture, const Workload& workload,
                     const Question& question, const RunLimits& limits) {
  return checked(architecture, workload, question, limits, [&](const Workload& layer) {
    return Solver(architecture, layer, question, limits, true).run();
  });
}

Solution solve_from(const KnownStart& start, const Architecture& architecture,
                    const Workload& workload, const Question& question, const RunLimits& limits) {
  return checked(architecture, workload, question, limits, [&](const Workload& layer) {
    return Solver(architecture, layer, question, limits, false, start).run();
  });
}

}  // namespace mapper

Solution solve(const Architecture& architecture, const Workload& workload, const Question& question,
               const RunLimits& limits) {
  if (question.objective.goals.empty()) {
    throw InputError("objective: found no goal, allowed are one or more");
  }
  return mapper::checked(
      architecture, workload, question, limits, [&](const Workload& layer) -> Solution {
        if (question.method == Method::greedy) {
          return mapper::Solver(architecture, layer, question, limits).run_greedy();
        }
        if (question.pricing.semantics == Semantics::simulator) {
          return mapper::simulated(architecture, layer, question, limits);
        }
        return mapper::Solver(architecture, layer, question, limits).run();
      });
}

}  // namespace pimbb::cim
