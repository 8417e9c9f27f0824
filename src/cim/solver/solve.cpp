// solve(): one goal after the other, each under the optima of those before it.
//
// Spatial schemes are taken best first, by a lower bound. First the schemes of best bounds are
// searched with few labels per cell, which finds an optimum more often than not; then schemes are
// solved in rounds, those of a round in parallel, until no open scheme has a bound below the best
// value. Rounds do not depend on the number of threads, so neither do the mapping and the counts.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <thread>

#include "cim/mapper/label_search.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/guard.hpp"
#include "run/parallel_for.hpp"
#include "search/best_first.hpp"

namespace pimbb::cim {
namespace mapper {
namespace {

constexpr std::size_t kFirstSchemes = 8;   // searched with few labels
constexpr std::size_t kFirstRound = 2;     // of them at a time
constexpr std::size_t kFirstWidth = 6;     // labels per cell
constexpr std::size_t kLargestRound = 16;  // schemes

class Solver {
 public:
  Solver(const Architecture& a, const Workload& layer, const Question& question,
         const RunLimits& limits)
      : a_(a),
        layer_(layer),
        question_(question),
        limits_(limits),
        clock_(limits),
        units_(a),
        elements_(layer),
        problem_(a, layer_, question_, units_, elements_),
        factors_(question.factors) {
    units_.check_range(a, largest());
  }

  Solution run() {
    Solution solution;
    try {
      prepare();
      minimise_all(solution);
    } catch (const run::Stopped&) {
      solution.status = Status::unknown;
    }
    if (best_) report(solution);
    static_cast<SolveStatistics&>(solution) = spent_;
    solution.seconds = clock_.seconds();
    return solution;
  }

 private:
  struct Candidate {
    const Scheme* scheme;
    DimensionSteps steps;
    SchemeBound bound;
  };

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
    try {
      schemes_ = spatial_schemes(a_, layer_, question_.pricing.padding, rule, guard());
    } catch (const run::TooLarge& schemes) {
      throw LimitError("memory limit: found " + std::to_string(limits_.memory_limit) +
                       " bytes; the spatial schemes of layer '" + layer_.name + "' on '" + a_.name +
                       "' need more than " + std::to_string(schemes.needed));
    }
    spent_.schemes = schemes_.size();
    const bool symmetric = is_symmetric(a_, layer_);
    for (const Scheme& scheme : schemes_) {
      // Of a scheme and its mirror image, which has the same costs, one is enough.
      if (symmetric && before(mirrored(scheme), scheme)) continue;
      Candidate candidate{&scheme, {}, {}};
      for (std::size_t j = 0; j < kDims; ++j) {
        candidate.steps[j] = &factors_.of(scheme.extents[j]);
      }
      candidates_.push_back(candidate);
    }
    run::parallel_for(candidates_.size(), [&](std::size_t k) {
      Candidate& c = candidates_[k];
      if (k % 16 == 0) guard().check();
      c.bound = scheme_bound(problem_, *c.scheme, c.steps);
    });
  }

  void minimise_all(Solution& solution) {
    std::vector<std::pair<Goal, Wide>> caps;
    bool complete = true;
    for (const Goal goal : question_.objective.goals) {
      Target target(units_, question_.objective, goal);
      for (const auto& [capped, value] : caps) target.add_cap(capped, value);
      if (best_) {
        best_->total = units_.total(dynamic(best_->mapping), best_->latency);
        best_->value = target.value(best_->latency, best_->total);
      }
      const Wide bound = complete ? minimise(target, complete) : least_bound(target);
      solution.goals.push_back({goal, {}, target.unscaled(bound)});
      if (best_) caps.emplace_back(goal, best_->value);
    }
    if (best_) {
      solution.status = complete ? Status::optimal : Status::feasible;
    } else {
      solution.status = complete ? Status::infeasible : Status::unknown;
      if (complete) solution.reason = "no mapping satisfies all constraints";
    }
  }

  [[nodiscard]] Wide least_bound(const Target& target) const {
    Wide least = Wide::infinity();
    for (const Candidate& c : candidates_) {
      least = std::min(least, target.value(c.bound.latency, c.bound.total));
    }
    return least;
  }

  [[nodiscard]] Wide cutoff() const { return best_ ? best_->value : Wide::infinity(); }

  /// The proven bound of a goal; `complete` if it is the optimum, or there is no mapping.
  Wide minimise(const Target& target, bool& complete) {
    search::BestFirst<std::size_t, Wide> open;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      const SchemeBound& bound = candidates_[k].bound;
      open.push(target.value(bound.latency, bound.total), k, k);
    }
    first_mappings(target, open);
    for (std::size_t size = 2;; size = std::min(kLargestRound, 2 * size)) {
      std::vector<std::size_t> round;
      Wide bound;  // of the last one taken
      const Wide most = cutoff();
      std::vector<Wide> bounds;
      while (round.size() < size) {
        const auto next = open.next(best_ ? &most : nullptr);
        if (!next) break;
        round.push_back(next->part);
        bounds.push_back(next->bound);
      }
      if (round.empty()) break;
      if (clock_.stopped() || spent_.labels >= node_limit()) {
        for (const Wide& left : bounds) open.leave_open(left);
        break;
      }
      const std::vector<SchemeOutcome> outcomes = search_round(target, round, 0);
      for (std::size_t k = 0; k < round.size(); ++k) {
        if (!outcomes[k].complete) open.leave_open(bounds[k]);
      }
      progress(target, open.least_bound());
    }
    const auto left = open.least_bound();
    if (left && !(best_ && !(*left < best_->value))) {
      complete = false;
      return *left;
    }
    return best_ ? best_->value : Wide{};
  }

  [[nodiscard]] std::uint64_t node_limit() const {
    return limits_.node_limit.value_or(~std::uint64_t{0});
  }

  /// A good mapping before the proof.
  void first_mappings(const Target& target, search::BestFirst<std::size_t, Wide>& open) {
    std::vector<search::BestFirst<std::size_t, Wide>::Entry> first;
    while (first.size() < kFirstSchemes && !clock_.stopped()) {
      std::vector<std::size_t> round;
      while (round.size() < kFirstRound && !open.empty()) {
        if (best_ && !(open.front().bound < cutoff())) break;
        first.push_back(open.pop());
        round.push_back(first.back().part);
      }
      if (round.empty()) break;
      search_round(target, round, kFirstWidth);
    }
    for (auto& entry : first) open.push(std::move(entry));
  }

  std::vector<SchemeOutcome> search_round(const Target& target,
                                          const std::vector<std::size_t>& round,
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
      const Candidate& c = candidates_[round[k]];
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
    solution.mapping = best_->mapping;
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
  run::Clock clock_;
  cost::Units units_;
  Elements elements_;
  Problem problem_;
  FactorTables factors_;
  std::vector<Scheme> schemes_;
  std::vector<Candidate> candidates_;
  std::optional<Found> best_;
  SolveStatistics spent_;
};

}  // namespace
}  // namespace mapper

Solution solve(const Architecture& architecture, const Workload& workload, const Question& question,
               const RunLimits& limits) {
  validate(architecture);
  validate(workload);
  if (question.objective.goals.empty()) {
    throw InputError("objective: found no goal, allowed are one or more");
  }
  if (question.pricing.semantics == Semantics::simulator) {
    throw InputError(
        "semantics: found simulator, allowed for a search are recursion, table3; the simulator "
        "prices given mappings");
  }
  // What is added to odd bounds does not depend on the scheme.
  const bool even = question.pricing.padding == Padding::even;
  const Workload layer = even ? padded(workload, Padding::even) : workload;
  const int threads = limits.threads > 0
                          ? limits.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Solution solution =
      arena.execute([&] { return mapper::Solver(architecture, layer, question, limits).run(); });
  solution.threads = threads;
  return solution;
}

}  // namespace pimbb::cim
