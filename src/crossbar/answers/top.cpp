// The optimum first, then the list in stages, then counts of ties and members.
#include "pimbb/crossbar/top.hpp"

#include <algorithm>
#include <stdexcept>

#include "answers/top_range.hpp"
#include "crossbar/answers/class_count.hpp"
#include "crossbar/answers/class_list.hpp"
#include "crossbar/answers/mapping_count.hpp"
#include "crossbar/answers/more_replicas.hpp"
#include "crossbar/assign/memory_need.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace classes {
namespace {

constexpr std::int64_t kMappingsKept = 80;      // about
constexpr double kShareOfOptimum = 0.4;         // of the limits, for the search of the optimum
constexpr std::size_t kFillings = 6;            // with different families first
constexpr std::uint64_t kPartOfTied = 4;        // of a limit of nodes, for the count of ties
constexpr std::uint64_t kMostCounted = 20'000;  // classes whose members are counted for a sum
constexpr std::size_t kListedAfterStop = 100;   // classes that are listed when the time is up

RunLimits limits_of_optimum(RunLimits limits) {
  if (limits.time_limit) *limits.time_limit *= kShareOfOptimum;
  if (limits.node_limit) {
    *limits.node_limit =
        static_cast<std::uint64_t>(kShareOfOptimum * static_cast<double>(*limits.node_limit));
  }
  return limits;
}

std::string text_of(const Mapping& mapping) {
  std::string text;
  for (const std::int64_t r : mapping.replication) {
    text += (text.empty() ? "" : " ") + std::to_string(r);
  }
  return text;
}

class TopOfNetwork {
 public:
  TopOfNetwork(const Architecture& a, const Partition& p, const Question& question,
               const TopRange& range, const RunLimits& limits, const run::Clock& clock,
               TopClasses& top)
      : problem_(a, p),
        question_(question),
        range_(range),
        limits_(limits),
        clock_(clock),
        top_(top),
        joint_boxes_(problem_),
        boxes_(problem_, question.goal, joint_boxes_, effort_),
        packings_(problem_, joint_boxes_, effort_, top) {
    assign::check_memory(problem_, limits, kMappingsKept);
    effort_ = assign::Effort::within(limits, clock_);
    counting_ = {kAllCountSteps, effort_.stop};
  }

  void run(const Solution& optimum) {
    set_effort(optimum);
    bound_ = optimum.result.bound;
    if (optimum.mapping) packings_.offer(*optimum.mapping);
    const std::optional<Rational> least = optimum.mapping ? optimum.result.value : any_mapping();
    if (least) {
      add_replicas(*least);
      list_classes(*least);
    }
    top_.nodes = effort_.nodes;
    top_.memory = std::max(top_.memory, effort_.bytes);
  }

 private:
  /// On large networks: mappings as good that many others follow from.
  void add_replicas(const Rational& least) {
    if (joint::is_small(problem_)) return;
    const std::int64_t deadline = boxes_.deadline({least, false});
    const std::optional<Mapping> known = packings_.last_kept();
    const std::size_t count = problem_.families.size();
    const std::size_t starts = std::min(count, kFillings);
    for (std::size_t i = 0; known && i < starts && !clock_.stopped(); ++i) {
      packings_.offer(
          with_more_replicas(problem_, *known, deadline, i * count / starts, effort_.stop));
    }
  }

  void list_classes(const Rational& least) {
    ClassList list(problem_, boxes_, packings_, range_, bound_, effort_, [this] { tell(); });
    list_ = &list;
    best_ = least;
    list.run(least);
    effort_.most_nodes = std::max(effort_.nodes, most_nodes_);
    finish();
    list_ = nullptr;
  }

  /// Nodes of the list; most_nodes_: of everything.
  void set_effort(const Solution& optimum) {
    effort_.nodes = optimum.nodes;
    if (limits_.node_limit) {
      most_nodes_ = std::max(effort_.nodes, *limits_.node_limit);
      const std::uint64_t left = most_nodes_ - effort_.nodes;
      effort_.most_nodes = most_nodes_ - std::min(left / kPartOfTied, kTiedNodes);
    } else if (limits_.time_limit) {
      most_nodes_ = effort_.most_nodes = ~std::uint64_t{0};
    } else {
      effort_.most_nodes = effort_.nodes + kDefaultTopNodes;
      most_nodes_ = effort_.most_nodes + kTiedNodes;
    }
  }

  /// The cost of a mapping where the search for the optimum found none: with one replica of each
  /// node, since without the others any mapping is legal (class_packings.hpp).
  std::optional<Rational> any_mapping() {
    const Replication ones(problem_.families.size(), 1);
    const assign::Answer answer = packings_.decide(ones, joint_boxes_.longest());
    if (answer == assign::Answer::no) {
      top_.status = TopStatus::infeasible;
      top_.reason = "one replica of each node cannot be packed into the cores";
      return std::nullopt;
    }
    const auto known = packings_.known(ones, joint_boxes_.longest());
    top_.bound = bound_;
    if (answer != assign::Answer::yes || !known) return std::nullopt;
    return question_.goal == Goal::ll ? joint_boxes_.value(ones) : Rational(known->ht);
  }

  void tell() {
    if (!limits_.on_progress) return;
    if (list_ != nullptr && !list_->classes().empty()) {
      best_ = list_->classes().begin()->first.first;
    }
    Progress line;
    line.goal = name(question_.goal);
    line.incumbent = best_.to_double();
    line.bound = bound_.to_double();
    line.nodes = effort_.nodes;
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  // ---- counts

  void finish() {
    const auto& found = list_->classes();
    bool complete = list_->is_complete();
    set_members();
    top_.tied.all = complete;
    if (complete && list_->is_full()) count_tied();
    if (complete && list_->is_full() && range_.within) {
      const CountedBoxes counted = count_within(list_->most_within(), [](const assign::Box&) {});
      top_.within = {std::max<std::uint64_t>(counted.classes, found.size()), counted.all, {}};
      complete = counted.all;
    } else if (range_.within && list_->optimum()) {
      top_.within = {found.size(), complete, {}};
    }
    set_sums();
    if (!list_found()) complete = false;
    top_.status = complete ? TopStatus::complete : TopStatus::partial;
    if (complete) {
      top_.bound.reset();
      return;
    }
    if (!top_.bound) top_.bound = list_->missing().value_or(bound_);
    if (list_->is_full()) top_.bound = std::min(*top_.bound, found.rbegin()->first.first);
  }

  CountedBoxes count_within(const Rational& most,
                            const std::function<void(const assign::Box&)>& visit) {
    if (!range_.within) {
      effort_.most_nodes = effort_.nodes + std::min(kTiedNodes, effort_.most_nodes - effort_.nodes);
    }
    const CountedBoxes counted =
        count_classes(problem_, boxes_, packings_, {most, false}, effort_, visit);
    return counted;
  }

  std::optional<Rational> members_of(const Replication& replication, const Rational& value) {
    std::optional<std::int64_t> deadline;
    if (question_.goal == Goal::ht) deadline = boxes_.deadline({value, false});
    return count_mappings(problem_, replication, deadline, kMostCountSteps, counting_);
  }

  void set_members() {
    for (const auto& [key, found] : list_->classes()) {
      members_.push_back(found.is_proven() ? members_of(key.second, key.first) : std::nullopt);
    }
  }

  /// Classes at the cost of the last one listed, beside those that are listed: all that cost less
  /// are.
  void count_tied() {
    const auto& found = list_->classes();
    const Rational& last = found.rbegin()->first.first;
    const bool is_optimal = list_->optimum() == last;
    const bool may_be_more = list_->missing().has_value();
    if (!may_be_more) return;
    tied_members_ = Rational(0);
    const CountedBoxes counted = count_within(last, [&](const assign::Box& box) {
      if (is_optimal) add_members(box, last);
    });
    top_.tied.all = counted.all;
    if (counted.classes > found.size()) top_.tied.classes = counted.classes - found.size();
  }

  /// Of the classes of a box that are not listed.
  void add_members(const assign::Box& box, const Rational& value) {
    if (!tied_members_) return;
    if (replications_of(box) > kMostCounted - tied_counted_) {
      tied_members_.reset();
      return;
    }
    tied_counted_ += replications_of(box);
    Replication replication = box.least;
    do {
      if (list_->classes().contains({value, replication})) continue;
      const std::optional<Rational> members = members_of(replication, value);
      if (!members) {
        tied_members_.reset();
        return;
      }
      *tied_members_ += *members;
    } while (to_next(replication, box));
  }

  /// The sum over the listed classes that cost no more than `most`.
  [[nodiscard]] std::optional<Rational> sum_of_members(const Rational& most) const {
    Rational sum = 0;
    std::size_t i = 0;
    for (const auto& [key, found] : list_->classes()) {
      const std::optional<Rational>& members = members_[i++];
      if (key.first > most) break;
      if (!members) return std::nullopt;
      sum += *members;
    }
    return sum;
  }

  void set_sums() {
    if (top_.within && top_.within->all && top_.within->classes == list_->classes().size()) {
      top_.within->mappings = sum_of_members(list_->most_within());
    }
    const std::optional<Rational> optimum = list_->optimum();
    if (!optimum) return;
    ClassTotal& optimal = top_.optimal.emplace();
    optimal.all = list_->has_all_at(*optimum);
    for (const auto& [key, found] : list_->classes()) {
      if (key.first == *optimum) ++optimal.classes;
    }
    const bool has_ties = list_->is_full() && list_->classes().rbegin()->first.first == *optimum;
    if (has_ties) {
      optimal.classes += top_.tied.classes;
      optimal.all = optimal.all || top_.tied.all;
    }
    if (!optimal.all) return;
    optimal.mappings = sum_of_members(*optimum);
    if (!has_ties || !optimal.mappings || top_.tied.classes == 0) return;
    if (tied_members_) {
      *optimal.mappings += *tied_members_;
    } else {
      optimal.mappings.reset();
    }
  }

  /// Whether all that was found is listed, their metrics computed anew by the evaluator.
  bool list_found() {
    for (const auto& [key, found] : list_->classes()) {
      if (top_.classes.size() >= kListedAfterStop && clock_.stopped()) {
        top_.bound = key.first;
        return false;
      }
      MappingClass& listed = top_.classes.emplace_back();
      listed.mapping = found.mapping;
      listed.metrics = evaluate(problem_.a, problem_.p, found.mapping);
      listed.value =
          question_.goal == Goal::ll ? listed.metrics.latency->ll : Rational(listed.metrics.ht);
      if (listed.value != key.first) {
        throw std::logic_error("the search and the evaluator disagree on the value of a mapping");
      }
      listed.bound = found.bound;
      listed.mappings = members_[top_.classes.size() - 1];
      top_.texts.push_back(text_of(found.mapping));
    }
    return true;
  }

  assign::Problem problem_;
  const Question& question_;
  const TopRange& range_;
  const RunLimits& limits_;
  const run::Clock& clock_;
  TopClasses& top_;
  assign::Effort effort_;
  joint::JointBoxes joint_boxes_;
  ClassBoxes boxes_;
  ClassPackings packings_;
  ClassList* list_ = nullptr;
  CountEffort counting_;
  std::uint64_t most_nodes_ = 0;
  Rational bound_;  // of the optimum
  Rational best_;
  std::vector<std::optional<Rational>> members_;  // of the list
  std::optional<Rational> tied_members_;          // of optimal classes that are not listed
  std::uint64_t tied_counted_ = 0;
};

}  // namespace
}  // namespace classes

TopClasses best_mappings(const Architecture& architecture, const Partition& partition,
                         const Question& question, const TopRange& range, const RunLimits& limits) {
  pimbb::answers::validate(range);
  const run::Clock clock(limits);
  const Solution optimum =
      solve(architecture, partition, question, classes::limits_of_optimum(limits));
  TopClasses top;
  const SolveStatistics& spent = optimum;
  static_cast<SolveStatistics&>(top) = spent;
  top.goal = question.goal;
  top.threads = run::thread_count(limits);
  if (optimum.status == Status::infeasible) {
    top.status = TopStatus::infeasible;
    top.reason = optimum.reason;
  } else {
    classes::TopOfNetwork(architecture, partition, question, range, limits, clock, top)
        .run(optimum);
  }
  top.seconds = clock.seconds();
  return top;
}

}  // namespace pimbb::crossbar
