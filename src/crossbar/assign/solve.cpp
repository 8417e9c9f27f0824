// solve(): limits and threads around the search of a goal; the evaluator checks what it found.
#include "crossbar/assign/latency_search.hpp"
#include "crossbar/assign/memory_need.hpp"
#include "crossbar/assign/throughput.hpp"
#include "crossbar/cost/latency.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace assign {
namespace {

/// What the search for a goal found.
struct Found {
  std::optional<Mapping> mapping;
  Rational value;
  Rational bound;
  bool infeasible = false;
  std::string reason;
};

using Report = std::function<void(const std::optional<Rational>& value, const Rational& bound)>;

Found minimise(const Problem& problem, const Question& question, bool patient, Effort& effort,
               SolveStatistics& spent, const Report& report) {
  if (question.goal == Goal::ll) {
    LeastLatency found = least_latency(problem, effort, spent, report);
    return {std::move(found.mapping), found.value, found.bound, found.infeasible,
            std::move(found.reason)};
  }
  const auto told = [&](std::optional<std::int64_t> value, std::int64_t bound) {
    report(value ? std::optional<Rational>(*value) : std::nullopt, bound);
  };
  Throughput found = least_throughput(problem, question, patient, effort, spent, told);
  return {std::move(found.mapping), found.value, found.bound, found.infeasible,
          std::move(found.reason)};
}

void fill_in(Solution& solution, const Problem& problem, Goal goal, Found&& found) {
  if (found.infeasible) {
    solution.status = Status::infeasible;
    solution.reason = std::move(found.reason);
    return;
  }
  solution.result.bound = found.bound;
  if (!found.mapping) return;
  solution.mapping = std::move(found.mapping);
  solution.metrics = evaluate(problem.a, problem.p, *solution.mapping);
  const Metrics& m = *solution.metrics;
  solution.result.value = goal == Goal::ll ? m.latency->ll : Rational(m.ht);
  if (solution.result.value != found.value) {
    throw std::logic_error("the search and the evaluator disagree on the value of a mapping");
  }
  solution.status = found.bound == found.value ? Status::optimal : Status::feasible;
}

Solution search(const Architecture& a, const Partition& p, const Question& question,
                const RunLimits& limits) {
  const run::Clock clock(limits);
  const Problem problem(a, p);
  check_memory(problem, limits, 2 * run::thread_count(limits) + 2);
  Solution solution;
  solution.result.goal = question.goal;
  const bool patient = limits.time_limit && !limits.node_limit;
  Effort effort = Effort::within(limits, clock);
  effort.most_nodes = limits.node_limit.value_or(
      limits.time_limit ? ~std::uint64_t{0}
                        : kDefaultNodes[static_cast<std::size_t>(question.goal)]);
  const auto report = [&](const std::optional<Rational>& value, const Rational& bound) {
    if (!limits.on_progress) return;
    Progress line;
    line.goal = name(question.goal);
    if (value) line.incumbent = value->to_double();
    line.bound = bound.to_double();
    line.nodes = effort.nodes;
    line.seconds = clock.seconds();
    limits.on_progress(line);
  };
  fill_in(solution, problem, question.goal,
          minimise(problem, question, patient, effort, solution, report));
  solution.nodes = effort.nodes;
  solution.memory = effort.bytes;
  solution.seconds = clock.seconds();
  return solution;
}

}  // namespace
}  // namespace assign

Solution solve(const Architecture& architecture, const Partition& partition,
               const Question& question, const RunLimits& limits) {
  validate(architecture);
  if (question.goal == Goal::ll) {
    const std::string why = cost::why_no_latency(partition);
    if (!why.empty()) {
      throw InputError("objective: found ll, allowed is ht for graph '" + partition.graph.name +
                       "': " + why);
    }
  }
  const int threads = run::thread_count(limits);
  Solution solution;
  run::on_threads(threads,
                  [&] { solution = assign::search(architecture, partition, question, limits); });
  solution.threads = threads;
  return solution;
}

}  // namespace pimbb::crossbar
