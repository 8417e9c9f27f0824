// The optimum first, then all classes within a cutoff, scheme after scheme, in rounds.
//
// For the best k the cutoff is a guess: the optimum, then a little more, until there are k classes
// within it. With a list of goals, the last goal is given more room first. For a share of the
// optimum, parts of it come first. Every cutoff is searched completely, so that what a limit leaves
// is a proven list as far as the last one. Within a cutoff, schemes are taken best first, by a
// lower bound; those of a round are searched in parallel and begin with the cutoff of the round
// before, which the list, once it is full, lowers. Neither the list nor the counts depend on the
// order, and the rounds do not depend on the number of threads.
#include "pimbb/cim/top.hpp"

#include <algorithm>
#include <stdexcept>

#include "answers/top_range.hpp"
#include "cim/answers/class_search.hpp"
#include "cim/answers/class_text.hpp"
#include "exact/rational_impl.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/guard.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"
#include "search/best_first.hpp"

namespace pimbb::cim {
namespace classes {
namespace {

Rational to_rational(UInt128 count) {
  using namespace boost::multiprecision;
  return make_rational(cpp_rational(cpp_int(count)));
}

ClassCount count_of(const pimbb::answers::Tally& tally) {
  return {tally.classes, to_rational(tally.members)};
}

std::vector<Rational> values_of(const Objective& objective, const Metrics& metrics) {
  std::vector<Rational> values;
  for (const Goal goal : objective.goals) {
    values.push_back(objective.value(goal, metrics.latency, metrics.energy));
  }
  return values;
}

/// The mapping of a solution, where no class was searched to the end.
void list_known(TopClasses& top, const Architecture& architecture, const Question& question,
                const Solution& solution) {
  MappingClass& known = top.classes.emplace_back();
  known.mapping = *solution.mapping;
  known.metrics = *solution.metrics;
  known.values = values_of(question.objective, known.metrics);
  top.texts.push_back(class_text(architecture, known.mapping));
}

/// What is left of the limits after the search for the optimum.
RunLimits rest_after(RunLimits limits, const Solution& optimum) {
  if (limits.time_limit) limits.time_limit = std::max(0.0, *limits.time_limit - optimum.seconds);
  if (limits.node_limit) *limits.node_limit -= std::min(*limits.node_limit, optimum.labels);
  return limits;
}

class TopSearch {
 public:
  /// `layer` is padded but for Padding::ceil.
  TopSearch(const Architecture& a, const Workload& layer, const Question& question,
            const TopRange& range, const RunLimits& limits, const Solution& optimum)
      : a_(a),
        layer_(layer),
        question_(question),
        range_(range),
        limits_(rest_after(limits, optimum)),
        optimum_(optimum),
        clock_(limits_),
        units_(a),
        elements_(layer),
        problem_(a, layer_, question_, units_, elements_),
        factors_(question.factors),
        floor_(optimum.goals[0].value) {
    for (const Goal goal : question.objective.goals) targets_.emplace_back(units_, question, goal);
    for (std::size_t g = 0; g < targets_.size(); ++g) {
      least_.value[g] = targets_[g].scaled_floor(optimum.goals[g].value);
    }
  }

  void run(TopClasses& top) {
    bool complete = false;
    try {
      prepare();
      complete = range_.within ? search_within() : search_best();
    } catch (const run::Stopped&) {
      open_.reset();
    }
    top.add_search(spent_);
    if (known_ && !report(top, *known_)) complete = false;
    if (range_.within && known_) top.within = count_of(known_->all());
    top.status = complete ? TopStatus::complete : TopStatus::partial;
    if (complete) return;
    top.bound = open_ ? max(floor_, targets_[0].unscaled(*open_)) : floor_;
    if (top.classes.empty()) list_known(top, a_, question_, optimum_);
  }

 private:
  static constexpr std::size_t kLargestRound = 16;
  static constexpr std::size_t kRefined = 16;  // bounds at a time
  /// Classes that are priced anew, and listed, when the time is up.
  static constexpr std::size_t kListedAfterStop = 100;

  struct Candidate {
    const mapper::Scheme* scheme;
    mapper::DimensionSteps steps;
    mapper::SchemeBound bound;
    bool refined = false;
  };
  using Open = search::BestFirst<std::size_t, Wide>;

  void prepare() {
    const SchemeRule rule = question_.method == Method::ws ? SchemeRule::full : question_.schemes;
    const run::Guard guard{[this] { return clock_.stopped(); }, limits_.memory_limit, 0, {}};
    schemes_ = mapper::spatial_schemes(a_, layer_, question_.pricing.padding, rule, guard);
    for (const mapper::Scheme& scheme : schemes_) {
      Candidate candidate{&scheme, {}, quick_bound(problem_, scheme), false};
      for (std::size_t j = 0; j < kDims; ++j) {
        candidate.steps[j] = &factors_.of(scheme.extents[j]);
      }
      candidates_.push_back(candidate);
    }
    spent_.schemes = schemes_.size();
  }

  /// Parts of the share first, so that a limit leaves a proven list.
  bool search_within() {
    std::optional<ClassCost> last;
    for (const std::int64_t part : {0, 1, 8, 64}) {
      ClassCost most;
      most.value.fill(Wide::infinity());
      most.value[0] = targets_[0].scaled_floor((Rational(1) + Rational(part, 64) * *range_.within) *
                                               optimum_.goals[0].value);
      if (last && most == *last) continue;
      BestClasses best(range_.most, most, false);
      if (!search_all(best)) {
        if (!known_) known_ = std::move(best);
        return false;
      }
      known_ = std::move(best);
      last = most;
      floor_ = targets_[0].unscaled(most.value[0]);
    }
    return true;
  }

  /// The guess with more room for goal g, the goals before it at the optimum.
  [[nodiscard]] ClassCost guess(std::size_t g, int step) const {
    ClassCost most = least_;
    for (std::size_t h = g; h < most.value.size(); ++h) most.value[h] = Wide::infinity();
    const Rational share = step == 0 ? Rational(0) : Rational(std::int64_t{1} << 2 * step, 4096);
    most.value[g] = targets_[g].scaled_floor((Rational(1) + share) * optimum_.goals[g].value);
    return most;
  }

  bool search_best() {
    constexpr int kSteps = 12;
    for (std::size_t g = targets_.size(); g-- > 0;) {
      for (int step = 0; step <= kSteps; ++step) {
        const ClassCost most = guess(g, step);
        if (step > 0 && most.value[g] == least_.value[g]) continue;
        BestClasses best(range_.most, most, true);
        if (!search_all(best)) {
          if (!known_) known_ = std::move(best);
          return false;
        }
        known_ = std::move(best);
        if (g == 0) floor_ = targets_[0].unscaled(most.value[0]);
        if (known_->full()) return true;
      }
    }
    BestClasses best(range_.most, std::nullopt, true);
    const bool complete = search_all(best);
    if (complete) known_ = std::move(best);
    return complete;
  }

  // ---- all classes that `best` has a use for

  struct Cutoff {
    mapper::Target target;
    Wide first;  ///< the first goal must be less
  };

  [[nodiscard]] Cutoff cutoff_of(const BestClasses& best) const {
    const std::vector<Goal>& goals = question_.objective.goals;
    Cutoff cutoff{mapper::Target(units_, question_, goals[0]), Wide::infinity()};
    const ClassCost* most = best.cutoff();
    if (most != nullptr && most->value[0] < Wide::infinity()) {
      cutoff.first = most->value[0] + Wide::from(1);
    }
    bool pinned = most != nullptr && most->value[0] == least_.value[0];
    for (std::size_t g = 1; g < goals.size(); ++g) {
      cutoff.target.add_cap(goals[g], pinned ? most->value[g] : Wide::infinity());
      pinned = pinned && most->value[g] == least_.value[g];
    }
    return cutoff;
  }

  [[nodiscard]] Wide bound_of(std::size_t candidate) const {
    const mapper::SchemeBound& bound = candidates_[candidate].bound;
    return targets_[0].value(bound.latency, bound.total);
  }

  /// Whether the search is complete; else `open_` is a bound of what is missing.
  bool search_all(BestClasses& best) {
    Open open;
    for (std::size_t k = 0; k < candidates_.size(); ++k) open.push(bound_of(k), k, k);
    open_.reset();
    for (std::size_t size = 2;; size = std::min(kLargestRound, 2 * size)) {
      const Cutoff cutoff = cutoff_of(best);
      const std::vector<Open::Entry> round = take(cutoff, open, size);
      const bool stopped =
          clock_.stopped() || (limits_.node_limit && spent_.labels >= *limits_.node_limit);
      if (round.empty() && !stopped) return true;
      if (stopped || !search_round(cutoff, round, best)) {
        open_ = round.empty() ? open.least_bound() : round.front().bound;
        return !open_ || !(*open_ < cutoff.first);
      }
      report_progress(best, round.front().bound);
    }
  }

  std::vector<Open::Entry> take(const Cutoff& cutoff, Open& open, std::size_t size) {
    std::vector<Open::Entry> round;
    while (round.size() < size && !open.empty() && open.front().bound < cutoff.first &&
           !clock_.stopped()) {
      const Candidate& next = candidates_[open.front().part];
      if (!cutoff.target.keeps_caps(next.bound.latency, next.bound.total)) {
        open.pop();
      } else if (next.refined) {
        round.push_back(open.pop());
      } else {
        refine(open);
      }
    }
    return round;
  }

  void refine(Open& open) {
    std::vector<std::size_t> next;
    while (next.size() < kRefined && !open.empty() && !candidates_[open.front().part].refined) {
      next.push_back(open.pop().part);
    }
    run::parallel_for(next.size(), [&](std::size_t k) {
      Candidate& c = candidates_[next[k]];
      const mapper::SchemeBound better = scheme_bound(problem_, *c.scheme, c.steps);
      c.bound.latency = std::max(c.bound.latency, better.latency);
      c.bound.total = std::max(c.bound.total, better.total);
      c.refined = true;
    });
    for (const std::size_t k : next) open.push(bound_of(k), k, k);
  }

  /// Whether all schemes of the round are complete.
  bool search_round(const Cutoff& cutoff, const std::vector<Open::Entry>& round,
                    BestClasses& best) {
    mapper::LabelLimits limits;
    if (limits_.node_limit) {
      limits.labels =
          (*limits_.node_limit - std::min(*limits_.node_limit, spent_.labels)) / round.size();
    }
    limits.bytes = limits_.memory_limit / round.size();
    limits.stop = [this] { return clock_.stopped(); };
    std::optional<ClassCost> most;
    if (best.cutoff() != nullptr) most = *best.cutoff();
    std::vector<BestClasses> parts(round.size(), BestClasses(range_.most, most, !range_.within));
    std::vector<ClassOutcome> outcomes(round.size());
    const ClassQuestion question{problem_, targets_, cutoff.target, cutoff.first};
    run::parallel_for(round.size(), [&](std::size_t k) {
      const Candidate& c = candidates_[round[k].part];
      outcomes[k] = search_classes(question, *c.scheme, c.steps, limits, parts[k]);
    });
    bool complete = true;
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < round.size(); ++k) {
      best.merge(std::move(parts[k]));
      complete = complete && outcomes[k].complete;
      ++spent_.solved;
      spent_.states += outcomes[k].states;
      spent_.labels += outcomes[k].labels;
      spent_.candidates += outcomes[k].candidates;
      bytes += outcomes[k].bytes;
    }
    spent_.memory = std::max(spent_.memory, bytes);
    return complete;
  }

  void report_progress(const BestClasses& best, const Wide& bound) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(targets_[0].goal());
    if (!best.list().empty()) {
      line.incumbent = targets_[0].unscaled(best.list().rbegin()->first.first.value[0]).to_double();
    }
    line.bound = targets_[0].unscaled(bound).to_double();
    line.nodes = optimum_.labels + spent_.labels;
    line.seconds = optimum_.seconds + clock_.seconds();
    limits_.on_progress(line);
  }

  // ---- the answer

  /// Whether all classes are listed.
  bool report(TopClasses& top, const BestClasses& best) {
    top.optimal = count_of(best.least());
    top.tied = best.tied();
    for (const auto& [key, found] : best.list()) {
      if (top.classes.size() >= kListedAfterStop && clock_.stopped()) {
        floor_ = targets_[0].unscaled(key.first.value[0]);
        open_.reset();
        return false;
      }
      add(top, key.second, found);
    }
    return true;
  }

  /// One more class, its costs computed anew by the plain evaluator.
  void add(TopClasses& top, const std::string& text, const FoundClass& found) const {
    const Pricing& pricing = question_.pricing;
    if (const auto broken = find_violation(a_, layer_, found.mapping, pricing.padding)) {
      throw std::logic_error("the search of classes found an infeasible mapping: " +
                             broken->message);
    }
    MappingClass& listed = top.classes.emplace_back();
    listed.mapping = found.mapping;
    listed.metrics = evaluate(a_, layer_, found.mapping, pricing);
    listed.values = values_of(question_.objective, listed.metrics);
    listed.mappings = to_rational(found.members);
    top.texts.push_back(text);
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  const TopRange& range_;
  RunLimits limits_;
  const Solution& optimum_;
  run::Clock clock_;
  cost::Units units_;
  Elements elements_;
  mapper::Problem problem_;
  mapper::FactorTables factors_;
  Rational floor_;  ///< what is missing has a first goal of at least this
  std::vector<mapper::Target> targets_;
  ClassCost least_;  ///< of the optimum
  std::vector<mapper::Scheme> schemes_;
  std::vector<Candidate> candidates_;
  std::optional<BestClasses> known_;
  std::optional<Wide> open_;
  SolveStatistics spent_;
};

void check_top(const Question& question, const TopRange& range) {
  if (question.method == Method::greedy) {
    throw InputError("top: found method 'greedy', allowed are exact and ws");
  }
  if (question.pricing.semantics == Semantics::simulator) {
    throw InputError("top: found semantics 'simulator', allowed are recursion and table3");
  }
  pimbb::answers::validate(range);
}

/// What is known when a limit ends the search before the optimum is proven.
void report_unproven(TopClasses& top, const Architecture& architecture, const Question& question,
                     const Solution& solution) {
  top.bound = solution.goals.empty() ? Rational(0) : solution.goals[0].bound;
  if (solution.mapping) list_known(top, architecture, question, solution);
}

}  // namespace
}  // namespace classes

TopClasses best_mappings(const Architecture& architecture, const Workload& workload,
                         const Question& question, const TopRange& range, const RunLimits& limits) {
  classes::check_top(question, range);
  const Solution optimum = solve(architecture, workload, question, limits);
  TopClasses top;
  static_cast<SolveStatistics&>(top) += optimum;  // from nothing
  top.threads = optimum.threads;
  const run::Clock clock(limits);
  if (optimum.status == Status::infeasible) {
    top.status = TopStatus::infeasible;
    top.reason = optimum.reason.empty() ? "no mapping is feasible" : optimum.reason;
  } else if (optimum.status != Status::optimal) {
    classes::report_unproven(top, architecture, question, optimum);
  } else {
    const bool even = question.pricing.padding == Padding::even;
    const Workload layer = even ? padded(workload, Padding::even) : workload;
    try {
      run::on_threads(run::thread_count(limits), [&] {
        classes::TopSearch(architecture, layer, question, range, limits, optimum).run(top);
      });
    } catch (const run::TooLarge& schemes) {
      throw LimitError("memory limit: found " + std::to_string(limits.memory_limit) +
                       " bytes; the spatial schemes of layer '" + workload.name + "' on '" +
                       architecture.name + "' need more than " + std::to_string(schemes.needed));
    }
  }
  top.seconds = optimum.seconds + clock.seconds();
  return top;
}

}  // namespace pimbb::cim
