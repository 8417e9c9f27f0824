// The questions of a front as searches with a deadline and a limit of `ll`; good mappings before
// the first question.
#include "pimbb/crossbar/front.hpp"

#include <algorithm>

#include "answers/front_search.hpp"
#include "answers/selection.hpp"
#include "crossbar/answers/joint_points.hpp"
#include "crossbar/assign/latency_search.hpp"
#include "crossbar/assign/memory_need.hpp"
#include "crossbar/assign/throughput.hpp"
#include "crossbar/cost/latency.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace joint {
namespace {

constexpr std::int64_t kMappingsInMemory = 64;  // about
constexpr double kShareOfEnd = 0.1;             // of the limits, for the search of one end
constexpr double kShareOfPoints = 0.4;          // of the time, for mappings between the ends
constexpr std::uint64_t kPatience = 50;         // boxes of a question in the first pass

/// Told the goal, its least value known, and its bound.
using Report = std::function<void(Goal goal, std::optional<Rational> value, const Rational& bound)>;

/// The goals of questions, in their order: a search by deadlines finds least `ll` first.
enum GoalOfQuestion : std::size_t { kLatency = 0, kThroughput = 1 };

struct JointWitness final : answers::Witness {
  explicit JointWitness(Mapping m) : mapping(std::move(m)) {}
  Mapping mapping;
};

answers::Point to_point(const JointPoint& point) {
  return {{point.ll, Rational(point.ht)}, std::make_shared<JointWitness>(point.mapping)};
}

/// The greatest of -1, 0, 1, ... `all` within a limit.
std::int64_t greatest_within(const answers::Limit& limit, std::int64_t all) {
  const auto admits = [&](std::int64_t value) {
    return limit.strict ? Rational(value) < limit.most : Rational(value) <= limit.most;
  };
  std::int64_t low = -1;
  for (std::int64_t high = all; low < high;) {
    const std::int64_t middle = high - (high - low) / 2;
    if (admits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

class JointProblem final : public answers::Problem {
 public:
  JointProblem(const assign::Problem& problem, JointSearch& search, assign::Effort& effort,
               std::uint64_t& solves, const Report& report)
      : problem_(problem), search_(search), effort_(effort), solves_(solves), report_(report) {}

  [[nodiscard]] std::vector<std::string> goals() const override { return {"ll", "ht"}; }

  [[nodiscard]] answers::Answer least(std::span<const std::size_t> order,
                                      std::span<const answers::Limit> limits,
                                      const RunLimits& run) const override {
    const run::Clock clock(run);
    effort_.most_nodes = run.node_limit ? effort_.nodes + *run.node_limit : ~std::uint64_t{0};
    effort_.stop = [&clock] { return clock.stopped(); };
    ++solves_;
    std::int64_t deadline = search_.boxes().longest();
    LatencyCap cap;
    for (const answers::Limit& limit : limits) {
      if (limit.goal == kThroughput) {
        deadline = greatest_within(limit, deadline);
      } else if (!cap.most || cap.admits(limit.most)) {
        cap = {limit.most, limit.strict};
      }
    }
    deadline = deadline < 0 ? 0 : deadline / problem_.quantum * problem_.quantum;
    answers::Answer answer = in_order(order, deadline, cap);
    effort_.stop = {};
    const std::size_t goal = order.front();
    report_(goal == kLatency ? Goal::ll : Goal::ht,
            answer.point ? std::optional(answer.point->costs[goal]) : std::nullopt, answer.bound);
    return answer;
  }

 private:
  /// The least by the first goal, then the least by the second among these.
  [[nodiscard]] answers::Answer in_order(std::span<const std::size_t> order, std::int64_t deadline,
                                         const LatencyCap& cap) const {
    const bool by_latency = order.front() == kLatency;
    const JointSearch::Least first =
        by_latency ? search_.least_latency(deadline, cap) : search_.least_throughput(deadline, cap);
    answers::Answer answer;
    answer.bound = first.bound;
    if (!first.point) {
      answer.status = first.proven ? Status::infeasible : Status::unknown;
      return answer;
    }
    answer.status = first.proven ? Status::optimal : Status::feasible;
    JointSearch::Least last = first;
    if (first.proven && order.size() > 1) {
      last = by_latency ? search_.least_throughput(first.point->ht, {first.point->ll, false})
                        : search_.least_latency(first.point->ht, cap);
      if (!last.proven) answer.status = Status::feasible;
    }
    answer.point = to_point(last.point ? *last.point : *first.point);
    return answer;
  }

  const assign::Problem& problem_;
  JointSearch& search_;
  assign::Effort& effort_;
  std::uint64_t& solves_;
  const Report& report_;
};

class FrontOfNetwork {
 public:
  FrontOfNetwork(const Architecture& a, const Partition& p, std::uint64_t seed,
                 const RunLimits& limits, Front& front)
      : problem_(a, p),
        seed_(seed),
        limits_(limits),
        clock_(limits),
        front_(front),
        search_(problem_, effort_, front) {
    if (!limits_.node_limit && !limits_.time_limit) limits_.node_limit = kDefaultFrontNodes;
  }

  answers::SearchedFront run() {
    assign::check_memory(problem_, limits_, kMappingsInMemory);
    effort_.most_bytes = limits_.memory_limit;
    if (!any_mapping()) return {FrontStatus::infeasible, {}, {}, 0};
    answers::FrontStart start;
    search_ends(start);
    if (!is_small(problem_)) look_between();
    for (const JointPoint& point : search_.archive().points()) {
      start.known.push_back(to_point(point));
    }
    start.patience = kPatience * nodes_of_box(problem_);
    const Report report = [this](Goal goal, const std::optional<Rational>& value,
                                 const Rational& bound) { tell(goal, value, bound, effort_); };
    const JointProblem questions(problem_, search_, effort_, front_.solves, report);
    RunLimits rest = limits_;
    rest.time_limit = clock_.left();
    if (rest.node_limit) *rest.node_limit -= std::min(*rest.node_limit, effort_.nodes);
    const std::uint64_t before = effort_.nodes;
    answers::SearchedFront found = answers::search_front(
        questions, rest, [&] { return effort_.nodes - before; }, std::move(start));
    front_.nodes = effort_.nodes;
    front_.memory = effort_.bytes;
    return found;
  }

 private:
  /// False if it is proven that there is none.
  bool any_mapping() {
    effort_.stop = [this] { return clock_.stopped(); };
    effort_.most_nodes = limits_.node_limit.value_or(~std::uint64_t{0});
    const bool none = search_.find_any() == assign::Answer::no;
    effort_.stop = {};
    if (none) front_.reason = "one replica of each node cannot be packed into the cores";
    return !none;
  }

  void tell(Goal goal, const std::optional<Rational>& value, const Rational& bound,
            const assign::Effort& effort) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(goal);
    if (value) line.incumbent = value->to_double();
    line.bound = bound.to_double();
    line.nodes = effort.nodes;
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  /// What a part of the work may spend: a share of the nodes that are left, and a clock.
  [[nodiscard]] assign::Effort part_of_effort(double share, const run::Clock& clock) const {
    assign::Effort part = effort_;
    part.stop = [&clock] { return clock.stopped(); };
    part.most_nodes = ~std::uint64_t{0};
    if (!limits_.node_limit) return part;
    const std::uint64_t left = *limits_.node_limit - std::min(*limits_.node_limit, effort_.nodes);
    part.most_nodes = effort_.nodes + static_cast<std::uint64_t>(share * static_cast<double>(left));
    return part;
  }
  [[nodiscard]] RunLimits part_of_time(double share) const {
    RunLimits part;
    part.stop = limits_.stop;
    if (limits_.time_limit) part.time_limit = share * *limits_.time_limit;
    return part;
  }
  void account(const assign::Effort& part) {
    effort_.nodes = part.nodes;
    effort_.bytes = std::max(effort_.bytes, part.bytes);
  }

  /// The searches for each goal alone: what is below their bounds is empty, and their mappings are
  /// known.
  void search_ends(answers::FrontStart& start) {
    {
      const run::Clock clock(part_of_time(kShareOfEnd));
      assign::Effort part = part_of_effort(kShareOfEnd, clock);
      part.most_nodes = std::min(part.most_nodes,
                                 effort_.nodes + kDefaultNodes[static_cast<std::size_t>(Goal::ll)]);
      assign::LeastLatency found = assign::least_latency(
          problem_, part, front_, [&](const std::optional<Rational>& value, const Rational& bound) {
            tell(Goal::ll, value, bound, part);
          });
      account(part);
      start.empty.push_back({found.bound, std::nullopt});
      if (found.mapping) search_.offer(std::move(*found.mapping));
    }
    const run::Clock clock(part_of_time(kShareOfEnd));
    assign::Effort part = part_of_effort(kShareOfEnd, clock);
    Question question;
    question.seed = seed_;
    const auto told = [&](std::optional<std::int64_t> value, std::int64_t bound) {
      tell(Goal::ht, value ? std::optional<Rational>(*value) : std::nullopt, bound, part);
    };
    assign::Throughput found =
        assign::least_throughput(problem_, question, false, part, front_, told);
    account(part);
    search_.set_throughput_bound(found.bound);
    start.empty.push_back({std::nullopt, Rational(found.bound)});
    if (found.mapping) search_.offer(std::move(*found.mapping));
    front_.solves += 2;
  }

  void look_between() {
    const run::Clock clock(part_of_time(kShareOfPoints));
    assign::Effort part = part_of_effort(kShareOfPoints, clock);
    const bool patient = limits_.time_limit && !limits_.node_limit;
    look_for_points(problem_, search_, seed_, patient, part, front_);
    account(part);
  }

  assign::Problem problem_;
  std::uint64_t seed_;
  RunLimits limits_;
  run::Clock clock_;
  Front& front_;
  assign::Effort effort_;
  JointSearch search_;
};

/// Points and boxes by {ll, ht} as the axes want them.
void fill_in_front(Front& front, const Architecture& a, const Partition& p,
                   answers::SearchedFront&& found) {
  const bool swapped = front.axes.front() == Goal::ht;
  front.status = found.status;
  front.covered = found.covered;
  for (answers::Point& point : found.points) {
    const Mapping& mapping = static_cast<const JointWitness&>(*point.witness).mapping;
    Metrics metrics = evaluate(a, p, mapping);
    if (point.costs[kThroughput] != Rational(metrics.ht) ||
        point.costs[kLatency] != metrics.latency->ll) {
      throw std::logic_error("the search and the evaluator disagree on the value of a mapping");
    }
    if (swapped) std::ranges::reverse(point.costs);
    front.points.push_back({std::move(point.costs), mapping, std::move(metrics)});
  }
  front.open = std::move(found.open);
  if (!swapped) return;
  std::ranges::reverse(front.points);
  for (FrontBox& box : front.open) {
    std::ranges::reverse(box.from);
    std::ranges::reverse(box.below);
  }
  std::ranges::sort(front.open, {}, &FrontBox::from);
}

void check_front(const Architecture& a, const Partition& p, const std::vector<Goal>& axes) {
  validate(a);
  if (axes.size() != 2 || axes[0] == axes[1]) {
    throw InputError("axes: found others, allowed are ht and ll");
  }
  const std::string why = cost::why_no_latency(p);
  if (why.empty()) return;
  throw InputError("front: found graph '" + p.graph.name +
                   "', which has no ll: allowed are networks that have one; " + why);
}

}  // namespace
}  // namespace joint

Front solve_front(const Architecture& architecture, const Partition& partition,
                  const std::vector<Goal>& axes, std::uint64_t seed, const RunLimits& limits,
                  const FrontOptions& options) {
  joint::check_front(architecture, partition, axes);
  const run::Clock clock(limits);
  Front front;
  front.axes = axes;
  front.threads = run::thread_count(limits);
  answers::SearchedFront found;
  run::on_threads(front.threads, [&] {
    found = joint::FrontOfNetwork(architecture, partition, seed, limits, front).run();
  });
  joint::fill_in_front(front, architecture, partition, std::move(found));
  front.found = front.points.size();
  front.within = answers::keep_selected(front.points, options);
  front.seconds = clock.seconds();
  return front;
}

std::vector<Goal> parse_axes(std::string_view text, std::string_view what) {
  if (text == "ht,ll") return kFrontAxes;
  if (text == "ll,ht") return {Goal::ll, Goal::ht};
  throw InputError(
      std::string(what) + ": found '" + std::string(text) +
      "', allowed with kind crossbar are ht,ll and ll,ht: of no other estimate a front "
      "can be proven");
}

}  // namespace pimbb::crossbar
