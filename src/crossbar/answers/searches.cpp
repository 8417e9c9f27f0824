// What counting decides first; then searches of one estimate, which end as soon as the question is
// decided; then the tree for what they leave open.
#include "crossbar/answers/searches.hpp"

#include <algorithm>
#include <stop_token>

#include "crossbar/answers/bounded_tree.hpp"
#include "crossbar/answers/joint_search.hpp"
#include "crossbar/answers/memory_packing.hpp"
#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/deadline.hpp"
#include "crossbar/assign/spread.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/throughput.hpp"
#include "exact/int128.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar::within {

using assign::Answer;

namespace {

constexpr std::uint64_t kQuickNodes = 20'000;  // of an exact search before others
constexpr std::uint64_t kTreeNodes = 100'000;  // and after them
constexpr double kNear = 1e-9;                 // latencies as floating point err by less

Verdict verdict_of(Answer answer) {
  if (answer == Answer::undecided) return Verdict::stopped;
  return answer == Answer::yes ? Verdict::feasible : Verdict::infeasible;
}

Rational latency_of(const Architecture& a, const Partition& p,
                    const std::vector<std::int64_t>& replication) {
  return cost::latency(a, p, {replication, {}}, cost::RateRule::provider);
}

/// One replica for each window: the least latency that there is.
std::vector<std::int64_t> most_replicas(const Partition& p) {
  std::vector<std::int64_t> all;
  for (const ArrayNode& array : p.arrays) all.push_back(array.windows);
  return all;
}

/// One array group in each core, where there are enough: of at most so many cycles (0: any), or as
/// fast as can be.
std::optional<Mapping> one_in_each(const Architecture& a, const Partition& p,
                                   std::int64_t most_cycles, bool fastest) {
  if (a.all_cores() > kMaxCount) return std::nullopt;
  Mapping mapping;
  std::int64_t left = a.all_cores();
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    std::int64_t replicas = fastest ? array.windows : 1;
    if (!fastest && most_cycles > 0) replicas = assign::ceil_div(array.windows, most_cycles);
    if (replicas > left / array.groups) return std::nullopt;
    left -= replicas * array.groups;
    mapping.replication.push_back(replicas);
    mapping.cores.insert(mapping.cores.end(), static_cast<std::size_t>(replicas * array.groups),
                         {{v, 1}});
  }
  mapping.cores.resize(static_cast<std::size_t>(a.all_cores()));
  return mapping;
}

/// As many as fit 60 bits.
std::int64_t limited(Int128 count) {
  return static_cast<std::int64_t>(std::min(count, Int128{1} << 60));
}

}  // namespace

std::optional<std::int64_t> whole(const Rational& x) {
  if (x >= Rational(std::int64_t{1} << 62)) return std::nullopt;
  auto near = static_cast<std::int64_t>(x.to_double());
  while (Rational(near) > x) --near;
  while (Rational(near) + Rational(1) <= x) ++near;
  return near;
}

/// A question without figures that have no bound.
struct Searches::Concrete {
  Architecture a;
  Partition p;
  TreeLimits limits;
  Rational unit = 1;       // ns of today in a ns of this
  bool any_cores = false;  // as many as are of use, without limit of memory

  [[nodiscard]] bool has_memory() const { return a.core.enforce_local_memory; }
  [[nodiscard]] bool has_limits() const { return limits.deadline || limits.latency; }
  /// Whether the mapping, which obeys all rules but for that on memory, is an answer.
  [[nodiscard]] bool admits(const Mapping& mapping) const {
    if (find_violation(a, p, mapping)) return false;
    if (limits.latency && latency_of(a, p, mapping.replication) > *limits.latency) return false;
    return !limits.deadline || evaluate_throughput(mapping) <= *limits.deadline;
  }
  [[nodiscard]] std::int64_t evaluate_throughput(const Mapping& mapping) const;
};

std::int64_t Searches::Concrete::evaluate_throughput(const Mapping& mapping) const {
  return std::ranges::max(cost::core_times(a, p, mapping));
}

std::optional<Searches::Concrete> Searches::concrete(const Asked& asked,
                                                     std::int64_t crossbars) const try {
  Concrete at{asked.a, {}, {}, 1, false};
  Architecture& a = at.a;
  if (!at.has_memory()) a.core.crossbars = crossbars;
  at.p = make_partition(a, graph_);
  a.core.crossbars = crossbars;
  if (asked.any_cores) {
    at.any_cores = !at.has_memory();
    Int128 groups = 0;
    for (const ArrayNode& array : at.p.arrays) {
      groups += Int128{array.groups} * (asked.ht || asked.ll ? array.windows : 1);
    }
    a.cores = std::min(kMaxCount, std::max(a.cores, limited(groups)));
  }
  std::optional<Rational> ht = asked.ht;
  std::optional<Rational> ll = asked.ll;
  if (asked.no_time) ll.reset();
  if (asked.no_time && asked.no_interval) {
    ht.reset();
  } else if (asked.no_time) {
    // n multiplications then take n intervals, as they do with no more than an interval for each
    a.mvm.time = std::min(a.mvm.time, a.mvm.interval);
  } else if (asked.no_interval) {
    // a cycle takes the time of one multiplication: at a scale at which n <= crossbars intervals of
    // 1 ns are no longer than that
    at.unit = Rational(a.mvm.time) / Rational(crossbars);
    a.mvm = {crossbars, 1};
    if (ht) ht = *ht / at.unit;
    if (ll) ll = *ll / at.unit;
  }
  if (ht) at.limits.deadline = whole(*ht);
  at.limits.latency = ll;
  return at;
} catch (const LimitError&) {
  return std::nullopt;  // times of more than 62 bits
}

Trial Searches::decide(const Asked& asked) {
  if (!asked.any_crossbars) return decide_at(asked, asked.a.core.crossbars);
  // Fewer may be enough, and are decided sooner.
  const std::optional<Concrete> widest =
      concrete(asked, asked.a.core.enforce_local_memory ? asked.a.core.crossbars : kMaxCount);
  if (!widest) return {};
  Int128 one = 0;
  Int128 all = 0;
  for (const ArrayNode& array : widest->p.arrays) {
    const Int128 crossbars = Int128{array.groups} * array.width;
    one += crossbars;
    all += crossbars * (widest->has_limits() ? array.windows : 1);
  }
  const auto at_least_today = [&](Int128 crossbars) {
    return std::clamp(limited(crossbars), asked.a.core.crossbars, kMaxCount);
  };
  const Trial quick = decide_at(asked, at_least_today(one));
  if (quick.verdict == Verdict::feasible || at_least_today(one) == at_least_today(all)) {
    return quick;
  }
  return decide_at(asked, at_least_today(all));
}

Trial Searches::decide_at(const Asked& asked, std::int64_t crossbars) {
  if (is_over()) return {};
  ++solves_;
  const std::optional<Concrete> at = concrete(asked, crossbars);
  return at ? search(*at) : Trial{};
}

/// What counting decides: too little room or time, or a core for each array group.
std::optional<Trial> Searches::by_counting(const Concrete& at) {
  const Mvm& mvm = at.a.mvm;
  const std::int64_t cycle = std::max(mvm.time, mvm.interval);  // of a core with one array group
  const std::optional<std::int64_t>& deadline = at.limits.deadline;
  const Trial infeasible{Verdict::infeasible};
  if (deadline && *deadline < cycle) return infeasible;
  if (at.limits.latency && latency_of(at.a, at.p, most_replicas(at.p)) > *at.limits.latency) {
    return infeasible;
  }
  if (at.any_cores) return Trial{Verdict::feasible};  // one array group in each, R = W
  const assign::Problem problem(at.a, at.p);
  if (!problem.has_room(std::vector<std::int64_t>(problem.families.size(), 1))) return infeasible;
  if (deadline) {
    const auto bounds = assign::throughput_bounds(problem);
    if (!bounds || bounds->best() > *deadline) return infeasible;
  }
  if (at.has_memory()) return std::nullopt;
  std::optional<Mapping> mapping =
      one_in_each(at.a, at.p, deadline ? *deadline / cycle : 0, at.limits.latency.has_value());
  if (!mapping) return std::nullopt;
  return Trial{Verdict::feasible, std::move(mapping)};
}

Trial Searches::search(const Concrete& at) {
  if (std::optional<Trial> counted = by_counting(at)) return std::move(*counted);
  if (at.has_memory()) return with_memory(at);
  if (at.limits.deadline && at.limits.latency) return within_both(at);
  if (at.limits.deadline) return within_throughput(at);
  if (at.limits.latency) return within_latency(at);
  return by_tree(at, kTreeNodes);
}

/// Each limit alone first: what refutes it refutes both, and its mapping may be within both.
Trial Searches::within_both(const Concrete& at) {
  Concrete alone = at;
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    alone.limits = at.limits;
    if (goal == Goal::ht) {
      alone.limits.latency.reset();
    } else {
      alone.limits.deadline.reset();
    }
    Trial trial = search(alone);
    if (trial.verdict == Verdict::infeasible) return trial;
    if (trial.mapping && at.admits(*trial.mapping)) return trial;
  }
  const assign::Problem problem(at.a, at.p);
  assign::Effort own = effort(kTreeNodes);
  joint::JointSearch both(problem, own, spent_);
  joint::JointSearch::Least found =
      both.least_latency(*at.limits.deadline, {at.limits.latency}, true);
  spend(own);
  if (found.point) return {Verdict::feasible, std::move(found.point->mapping)};
  return {found.proven ? Verdict::infeasible : Verdict::stopped};
}

Trial Searches::within_throughput(const Concrete& at) {
  const assign::Problem problem(at.a, at.p);
  const std::int64_t deadline = *at.limits.deadline;
  const auto decision = [&](std::uint64_t nodes) -> Trial {
    assign::Effort own = effort(nodes);
    assign::Decision found = assign::meets(problem, deadline, own, spent_.leaves);
    spend(own);
    if (found.answer != Answer::yes) return {verdict_of(found.answer)};
    return {Verdict::feasible, std::move(found.mapping)};
  };
  Trial quick = decision(kQuickNodes);
  if (quick.verdict != Verdict::stopped) return quick;
  const auto most = static_cast<double>(deadline);
  const std::optional<Solution> found = solve(at, Goal::ht, [&](const Progress& progress) {
    return progress.bound > most || (progress.incumbent && *progress.incumbent <= most);
  });
  if (!found) return {};
  if (found->mapping && found->result.value <= Rational(deadline)) {
    return {Verdict::feasible, found->mapping};
  }
  if (found->status == Status::infeasible || found->result.bound > Rational(deadline)) {
    return {Verdict::infeasible};
  }
  return decision(kTreeNodes);
}

Trial Searches::within_latency(const Concrete& at) {
  const Rational& limit = *at.limits.latency;
  const double most = limit.to_double();
  const std::optional<Solution> found = solve(at, Goal::ll, [&](const Progress& progress) {
    return progress.bound > most * (1 + kNear) ||
           (progress.incumbent && *progress.incumbent < most * (1 - kNear));
  });
  if (!found) return {};
  if (found->mapping && found->result.value <= limit) return {Verdict::feasible, found->mapping};
  if (found->status == Status::infeasible || found->result.bound > limit) {
    return {Verdict::infeasible};
  }
  return {};
}

Trial Searches::with_memory(const Concrete& at) {
  if (lacks_memory(assign::Problem(at.a, at.p))) return {Verdict::infeasible};
  Concrete relaxed = at;
  relaxed.a.core.enforce_local_memory = false;
  Trial trial = search(relaxed);
  if (trial.verdict == Verdict::infeasible) return trial;
  if (trial.mapping && at.admits(*trial.mapping)) return trial;
  const std::vector<std::int64_t> ones(at.p.arrays.size(), 1);
  std::optional<Mapping> dealt =
      deal_with_memory(at.a, at.p, trial.mapping ? trial.mapping->replication : ones);
  if (dealt && at.admits(*dealt)) return {Verdict::feasible, std::move(dealt)};
  trial = by_tree(at, kQuickNodes);
  if (trial.verdict != Verdict::stopped) return trial;
  const Goal goal = at.limits.latency ? Goal::ll : Goal::ht;
  const std::optional<Solution> found = solve(at, goal, {});
  if (found && found->mapping && at.admits(*found->mapping)) {
    return {Verdict::feasible, found->mapping};
  }
  return by_tree(at, kTreeNodes);
}

Trial Searches::by_tree(const Concrete& at, std::uint64_t nodes) {
  const assign::Problem problem(at.a, at.p);
  assign::Effort own = effort(nodes);
  TreeFound found = any_within(problem, at.limits, own);
  spend(own);
  if (found.answer != Answer::yes) return {verdict_of(found.answer)};
  return {Verdict::feasible, std::move(found.mapping)};
}

Least Searches::least(const Asked& asked, Goal goal, const std::optional<Rational>& enough) {
  if (is_over()) return {};
  ++solves_;
  const std::int64_t crossbars = asked.any_crossbars ? kMaxCount : asked.a.core.crossbars;
  const std::optional<Concrete> at = concrete(asked, crossbars);
  if (!at) return {};
  if (asked.no_time && (goal == Goal::ll || asked.no_interval)) {  // takes no time at all
    const Verdict verdict = search(*at).verdict;
    return {
        verdict, verdict == Verdict::feasible ? std::optional<Rational>(0) : std::nullopt, 0, {}};
  }
  if (asked.any_crossbars && !asked.any_cores) {
    if (std::optional<Least> few = least_of_few_crossbars(asked, *at, goal)) return *few;
  }
  Least found = least_at(*at, goal, enough ? std::optional(*enough / at->unit) : std::nullopt);
  if (found.value) *found.value *= at->unit;
  found.bound *= at->unit;
  return found;
}

/// What nothing is below, by counting alone; at its own scale.
Rational counted_bound(const Architecture& a, const Partition& p, Goal goal) {
  if (goal == Goal::ll) return latency_of(a, p, most_replicas(p));
  const assign::Problem problem(a, p);
  const auto bounds = assign::throughput_bounds(problem);
  return bounds ? problem.rounded_up(std::max(bounds->best(), std::max(a.mvm.time, a.mvm.interval)))
                : 0;
}

/// With the crossbars of today, if that is the least with any number of them.
std::optional<Least> Searches::least_of_few_crossbars(const Asked& asked, const Concrete& most,
                                                      Goal goal) {
  const std::optional<Concrete> few = concrete(asked, asked.a.core.crossbars);
  if (!few) return std::nullopt;
  Least found = least_at(*few, goal, std::nullopt);
  if (!found.value) return std::nullopt;
  *found.value *= few->unit;
  found.bound = counted_bound(most.a, most.p, goal) * most.unit;
  return found.is_proven() ? std::optional(found) : std::nullopt;
}

Least Searches::least_at(const Concrete& at, Goal goal, const std::optional<Rational>& enough) {
  if (at.any_cores) {
    if (search(at).verdict == Verdict::infeasible) return {Verdict::infeasible};
    const Rational value = goal == Goal::ht ? Rational(std::max(at.a.mvm.time, at.a.mvm.interval))
                                            : latency_of(at.a, at.p, most_replicas(at.p));
    return {Verdict::feasible, value, value, {}};
  }
  if (enough) {
    const Rational bound = counted_bound(at.a, at.p, goal);
    if (bound >= *enough) return {Verdict::stopped, std::nullopt, bound, {}};
  }
  const std::optional<Solution> found = solve(at, goal, [&](const Progress& progress) {
    const double margin = goal == Goal::ll ? kNear : 0;
    return enough && progress.bound >= enough->to_double() * (1 + margin);
  });
  if (!found) return {};
  if (found->status == Status::infeasible) return {Verdict::infeasible};
  Least least;
  least.bound = found->result.bound;
  if (found->mapping && at.admits(*found->mapping)) {
    least.verdict = Verdict::feasible;
    least.value = found->result.value;
    least.mapping = found->mapping;
    if (found->status == Status::optimal) return least;
  }
  if (enough && least.bound >= *enough) return least;
  if (!at.has_memory() && !(goal == Goal::ht ? at.limits.latency : at.limits.deadline)) {
    return least;
  }
  return goal == Goal::ht ? least_throughput(at, std::move(least))
                          : least_latency(at, std::move(least));
}

/// Deadlines by bisection. What is known already is in `least`.
Least Searches::least_throughput(const Concrete& at, Least least) {
  Concrete within = at;
  within.limits.deadline.reset();
  const auto take = [&](const Trial& trial) {
    least.verdict = Verdict::feasible;
    least.mapping = trial.mapping;
    least.value = Rational(at.evaluate_throughput(*trial.mapping));
  };
  if (!least.value) {
    const Trial any = search(within);
    if (any.verdict == Verdict::infeasible) return {Verdict::infeasible};
    if (!any.mapping) return least;
    take(any);
  }
  const std::int64_t quantum = assign::Problem(at.a, at.p).quantum;
  std::int64_t low = assign::ceil_div(*whole(least.bound), quantum);
  std::int64_t high = *whole(*least.value) / quantum - 1;
  while (low <= high && !is_over()) {  // low .. high, in quanta, are neither refuted nor met
    const std::int64_t middle = low + (high - low) / 2;
    within.limits.deadline = middle * quantum;
    const Trial trial = search(within);
    if (trial.mapping) take(trial);
    if (trial.verdict == Verdict::infeasible) {
      low = middle + 1;
    } else {  // undecided ones are left out: the bound stays below them
      high = middle - 1;
    }
  }
  least.bound = max(least.bound, std::min(Rational(low * quantum), *least.value));
  return least;
}

Least Searches::least_latency(const Concrete& at, Least least) {
  const assign::Problem problem(at.a, at.p);
  TreeLimits limits = at.limits;
  limits.latency = least.value;
  assign::Effort own = effort(kTreeNodes);
  TreeFound found = least_latency_within(problem, limits, own);
  spend(own);
  if (found.answer == Answer::no) {
    return least.value ? least : Least{Verdict::infeasible};
  }
  if (found.answer == Answer::yes) {
    least.verdict = Verdict::feasible;
    least.value = found.latency;
    least.mapping = std::move(found.mapping);
    if (found.proven) least.bound = *least.value;
  }
  return least;
}

std::optional<Solution> Searches::solve(const Concrete& at, Goal goal, const Decided& decided) {
  std::optional<RunLimits> rest = budget_.left();
  if (!rest || is_over()) return std::nullopt;
  if (until_ && rest->time_limit) {
    rest->time_limit = std::min(*rest->time_limit, std::max(0.0, *until_ - clock_.seconds()));
  }
  const std::uint64_t nodes = kDefaultNodes[static_cast<std::size_t>(goal)];
  rest->node_limit = std::min(rest->node_limit.value_or(nodes), nodes);
  std::stop_source enough;
  const std::stop_callback forward(limits_.stop, [&enough] { enough.request_stop(); });
  rest->stop = enough.get_token();
  const auto told = rest->on_progress;
  rest->on_progress = [&](const Progress& progress) {
    if (told) told(progress);
    if (decided && decided(progress)) enough.request_stop();
  };
  try {
    Solution solution = crossbar::solve(at.a, at.p, {goal, seed_}, *rest);
    spent_.starts += solution.starts;
    spent_.steps += solution.steps;
    spent_.nodes += solution.nodes;
    spent_.leaves += solution.leaves;
    spent_.memory = std::max(spent_.memory, solution.memory);
    return solution;
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

assign::Effort Searches::effort(std::uint64_t most_nodes) const {
  assign::Effort effort;
  effort.most_nodes = most_nodes;
  if (limits_.node_limit) {
    const std::uint64_t left = *limits_.node_limit - std::min(spent_.nodes, *limits_.node_limit);
    effort.most_nodes = std::min(most_nodes, left);
  }
  effort.most_bytes = limits_.memory_limit;
  effort.stop = [this] { return clock_.stopped() || (until_ && clock_.seconds() >= *until_); };
  return effort;
}

void Searches::spend(const assign::Effort& effort) {
  spent_.nodes += effort.nodes;
  spent_.memory = std::max(spent_.memory, effort.bytes);
}

}  // namespace pimbb::crossbar::within
