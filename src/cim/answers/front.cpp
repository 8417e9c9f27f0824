// The questions of a front as solves with limits on goals.
#include "pimbb/cim/front.hpp"

#include <algorithm>

#include "answers/front_search.hpp"
#include "answers/selection.hpp"
#include "cim/mapper/target.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::cim {
namespace {

struct MappingWitness final : answers::Witness {
  MappingWitness(Mapping m, Metrics c) : mapping(std::move(m)), metrics(std::move(c)) {}
  Mapping mapping;
  Metrics metrics;
};

class LayerProblem final : public answers::Problem {
 public:
  LayerProblem(const Architecture& a, const Workload& layer, const std::vector<Goal>& axes,
               const Question& question, Front& front)
      : a_(a), layer_(layer), axes_(axes), question_(question), units_(a), front_(front) {}

  [[nodiscard]] std::vector<std::string> goals() const override {
    std::vector<std::string> names;
    for (const Goal axis : axes_) names.emplace_back(name(axis));
    return names;
  }

  [[nodiscard]] answers::Answer least(std::span<const std::size_t> order,
                                      std::span<const answers::Limit> limits,
                                      const RunLimits& run) const override {
    Question question = question_;
    question.objective.goals.clear();
    for (const std::size_t goal : order) question.objective.goals.push_back(axes_.at(goal));
    for (const answers::Limit& limit : limits) add_cap(question.caps, limit);
    for (const GoalCap& cap : question.caps) {
      if (cap.most.sign() < 0) return {Status::infeasible, {}, {}};  // no cost is negative
    }
    const Solution solution = solve(a_, layer_, question, run);
    count(solution);
    answers::Answer answer;
    answer.status = solution.status;
    if (!solution.goals.empty()) answer.bound = solution.goals.front().bound;
    if (solution.status == Status::infeasible && front_.reason.empty()) {
      front_.reason = solution.reason;
    }
    if (!solution.mapping || !is_within(question.caps, *solution.metrics)) return answer;
    answer.point.emplace();
    for (const Goal axis : axes_) {
      answer.point->costs.push_back(axis == Goal::latency ? solution.metrics->latency
                                                          : solution.metrics->energy);
    }
    answer.point->witness = std::make_shared<MappingWitness>(*solution.mapping, *solution.metrics);
    return answer;
  }

 private:
  /// One limit a goal: the least one. A strict limit that is a cost excludes its own unit only.
  void add_cap(std::vector<GoalCap>& caps, const answers::Limit& limit) const {
    const Goal goal = axes_.at(limit.goal);
    const mapper::Target target(units_, question_, goal);
    const Rational unit = target.unscaled(Wide::from(1));
    Rational most = limit.most;
    if (limit.strict && (most / unit).is_integer()) most -= unit;
    const auto known = std::ranges::find(caps, goal, &GoalCap::goal);
    if (known == caps.end()) {
      caps.push_back({goal, most});
    } else {
      known->most = std::min(known->most, most);
    }
  }

  /// What a search that is stopped answers with need not keep the limits.
  [[nodiscard]] bool is_within(const std::vector<GoalCap>& caps, const Metrics& metrics) const {
    return std::ranges::all_of(caps, [&](const GoalCap& cap) {
      return question_.objective.value(cap.goal, metrics.latency, metrics.energy) <= cap.most;
    });
  }

  void count(const Solution& solution) const {
    front_.add_search(solution);
    ++front_.solves;
  }

  const Architecture& a_;
  const Workload& layer_;
  const std::vector<Goal>& axes_;
  const Question& question_;
  cost::Units units_;
  Front& front_;
};

void check(const std::vector<Goal>& axes, const Question& question) {
  const bool both =
      axes.size() == 2 && axes[0] != axes[1] && std::ranges::all_of(axes, [](Goal axis) {
        return axis == Goal::latency || axis == Goal::energy;
      });
  if (!both) throw InputError("axes: found others, allowed are latency and energy");
  if (question.method == Method::greedy) {
    throw InputError("front: found method 'greedy', allowed are exact and ws");
  }
  if (question.pricing.semantics == Semantics::simulator) {
    throw InputError("front: found semantics 'simulator', allowed are recursion and table3");
  }
}

}  // namespace

Front solve_front(const Architecture& architecture, const Workload& layer,
                  const std::vector<Goal>& axes, const Question& question, const RunLimits& limits,
                  const FrontOptions& options) {
  check(axes, question);
  const run::Clock clock(limits);
  Front front;
  front.axes = axes;
  front.threads = run::thread_count(limits);
  const LayerProblem problem(architecture, layer, axes, question, front);
  answers::SearchedFront found =
      answers::search_front(problem, limits, [&front] { return front.labels; });
  front.status = found.status;
  if (front.status != FrontStatus::infeasible) front.reason.clear();
  for (answers::Point& point : found.points) {
    const auto& witness = static_cast<const MappingWitness&>(*point.witness);
    front.points.push_back({std::move(point.costs), witness.mapping, witness.metrics});
  }
  front.open = std::move(found.open);
  front.covered = found.covered;
  front.found = front.points.size();
  front.within = answers::keep_selected(front.points, options);
  front.seconds = clock.seconds();
  return front;
}

std::vector<Goal> parse_axes(std::string_view text, std::string_view what) {
  if (text == "latency,energy") return kFrontAxes;
  if (text == "energy,latency") return {Goal::energy, Goal::latency};
  throw InputError(std::string(what) + ": found '" + std::string(text) +
                   "', allowed with kind cim are latency,energy and energy,latency");
}

}  // namespace pimbb::cim
