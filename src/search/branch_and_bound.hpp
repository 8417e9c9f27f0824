// Best-first branch and bound, for any problem; the same tree on any number of threads.
//
// A node is an open part of the search space with a proven lower bound on every solution in it.
// Up to `kAhead` nodes are expanded at a time, and their results are merged in the order in which
// the nodes were taken. As soon as one is merged, the best open node is taken in its place, while
// the others are still being expanded: no thread waits for the slowest. How many are ahead of the
// merge does not depend on the number of threads, and expansions read what was known when their
// node was taken and write only their own results. Therefore the tree, the node count and the
// solution do not depend on it either.
//
// What expansions read changes only when none is under way. Where something is to be told to the
// problem, such as a better incumbent, no more nodes are taken until all are merged: this ends a
// *round*.
//
// The expansion of a node also *plunges*: its best child is expanded immediately, then the best
// child of that one, down to a leaf, so that incumbents are found at once. The siblings go to the
// open list. Roots do not plunge, so that their children are soon expanded at the same time.
//
// A node is dropped if its bound is not below the incumbent (ties are dropped, because one optimum
// is enough), or if the problem knows a node that is at least as good in every respect (dominance).
// If the open list is empty, the incumbent is optimal; if a limit stops the search, the least open
// bound is a valid bound.
//
// A heuristic may be given that improves solutions (improvement.hpp). It begins when the number of
// nodes reaches 1,000, 4,000, 16,000 and so on, and is to be done when there are half as many more:
// if many nodes have the bound of the optimum and lead to nothing, the incumbents of plunges alone
// may take long to become optimal.
//
// Memory is bounded: if the open nodes approach their limit, the search continues depth first,
// where their number hardly grows, and returns to best first when there is room again. Fewer nodes
// are ahead when there is less room. These decisions depend on an account of bytes, not on the
// machine, so the tree is the same in every run.
//
// A problem provides
//     Node                movable; `const Value& bound() const`, and `referred_bytes() const` if it
//                         refers to memory of its own
//     Value               totally ordered
//     Solution            whatever a leaf yields
//     expand(node, cutoff, out)   children and solutions below `cutoff` (null: none) into `out`;
//                                 thread-safe; false if it was interrupted half-way
//     admit(node, id)     dominance: whether a new node is to stay, called in tree order, while
//                         other nodes are expanded
//     alive(node, id)     whether a node that was labelled still is to stay
//     label_bytes()       memory that dominance takes
//     improved(value)     told of every better incumbent, between rounds
//
// A problem that looks for many solutions at once keeps them itself and has no incumbent. It may
// provide
//     collect(solutions)  takes what expansions put into `all`, in tree order, between rounds
//     useless(node)       whether the solutions taken since the node was made leave nothing in it
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "run/guard.hpp"
#include "run/pipeline.hpp"
#include "search/improvement.hpp"
#include "search/node_log.hpp"
#include "search/open_list.hpp"

namespace pimbb::search {

/// Limits of a search: the number of expanded nodes, and a stop request, which is checked before a
/// node is taken. A search without a solution completes its first plunge in any case. `memory` does
/// not stop the search: it limits open nodes and labels, except for those that depth first needs.
struct TreeLimits {
  std::uint64_t nodes = run::kUnlimited;
  std::function<bool()> stop;  ///< thread-safe; true ends the search
  std::uint64_t memory = run::kUnlimited;
};

struct TreeStatistics {
  std::uint64_t nodes = 0;   ///< nodes expanded
  std::uint64_t leaves = 0;  ///< solutions evaluated
  std::uint64_t rounds = 0;
  std::uint64_t peak_bytes = 0;  ///< most that nodes and labels may have taken at a time
};

/// What dominance makes of a new node.
enum class Admission : std::uint8_t {
  dominated,   ///< it can go
  labelled,    ///< remembered: it may dominate others, and be dominated later
  unlabelled,  ///< not remembered: it stays open until a bound closes it
};

/// Where an expansion puts what it found.
template <class Problem>
struct Expansion {
  std::vector<typename Problem::Node> children;
  std::optional<std::pair<typename Problem::Value, typename Problem::Solution>> best;
  std::vector<typename Problem::Solution> all;  ///< of problems that keep their solutions
  std::uint64_t leaves = 0;

  /// Keeps the first of the best solutions.
  template <class MakeSolution>
  void solution(const typename Problem::Value& value, const MakeSolution& make) {
    if (!best || value < best->first) best.emplace(value, make());
  }
};

template <class Problem>
struct TreeOutcome {
  std::optional<std::pair<typename Problem::Value, typename Problem::Solution>> incumbent;
  std::optional<typename Problem::Value> open_bound;  ///< least open bound; empty: search complete
  TreeStatistics statistics;
};

template <class Problem>
class BranchAndBound {
 public:
  using Node = typename Problem::Node;
  using Value = typename Problem::Value;
  using Solution = typename Problem::Solution;
  using Observer =
      std::function<void(const TreeStatistics&, const Value* incumbent, const Value& bound)>;

  using Incumbent = std::optional<std::pair<Value, Solution>>;

  BranchAndBound(Problem& problem, TreeLimits limits, Observer observer,
                 Improve<Incumbent> improve = {})
      : problem_(problem),
        limits_(std::move(limits)),
        observer_(std::move(observer)),
        improvement_(std::move(improve)) {}

  /// After run(): calls `visit` with every node that is still open.
  template <class Visit>
  void for_each_open(const Visit& visit) {
    open_.purge([&](const auto& entry) {
      if (useful(entry)) visit(open_.node(entry));
      return true;
    });
  }

  /// Explores everything below `roots` that could beat `incumbent`.
  TreeOutcome<Problem> run(std::vector<Node> roots, Incumbent incumbent) {
    outcome_ = {};
    outcome_.incumbent = std::move(incumbent);
    assert(open_.empty());
    for (Node& root : roots) push(std::move(root), kNoNode);
    roots_ = next_id_;
    while (round()) {
    }
    if (any_open() && improvement_.under_way()) take_improvement();
    if (any_open()) outcome_.open_bound = open_.least_bound();
    assert(taken_ == merged_);
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t kAhead = 64;
  static constexpr std::uint64_t kFirstAhead = 4;
  static constexpr std::uint64_t kBetweenReports = 64;    // nodes merged
  static constexpr std::uint64_t kNodesToImprove = 1000;  // the first time
  static constexpr std::uint64_t kMoreNodes = 4;          // factor from one time to the next
  static constexpr const Value* kDominated = nullptr;     // to the log: no incumbent is the reason

  static constexpr bool kCollects = requires(Problem & p, Expansion<Problem>& found) {
    p.collect(std::move(found.all));
  };

  using Open = OpenList<Node, Value>;

  struct NodeResult {  ///< a node that was taken and what came of it
    std::uint64_t id = 0;
    typename Open::Taken taken;
    Value bound{};
    bool plunges = true;          // or it is expanded alone
    bool depth_first = false;     // when it was taken
    std::uint64_t allowance = 0;  // of nodes
    Expansion<Problem> found;
    std::optional<Node> unfinished;  // interrupted here; stays open
    std::uint64_t nodes = 0;
  };

  [[nodiscard]] const Value* cutoff() const {
    return outcome_.incumbent ? &outcome_.incumbent->first : nullptr;
  }
  [[nodiscard]] bool useful(const Value& bound) const {
    return !outcome_.incumbent || bound < outcome_.incumbent->first;
  }
  [[nodiscard]] bool useful(const typename Open::Entry& entry) const {
    if constexpr (kCollects) {
      if (problem_.useless(open_.node(entry))) return false;
    }
    return useful(entry.bound()) &&
           (!entry.labelled() || problem_.alive(open_.node(entry), entry.id()));
  }

  void push(Node&& node, std::uint64_t parent) {
    if (!useful(node.bound())) return log_.not_opened(parent, node.bound(), cutoff());
    const std::uint64_t id = next_id_++;
    const Admission admission = problem_.admit(node, id);
    if (admission == Admission::dominated) return log_.not_opened(parent, node.bound(), kDominated);
    log_.opened(id, parent, node.bound());
    open_.push(std::move(node), id, admission == Admission::labelled);
  }

  /// Whether there is a node left that can matter; those that come before it are dropped.
  bool any_open() {
    for (; !open_.empty() && !useful(open_.next()); open_.release(open_.take())) {
      if (open_.next_is_least() && !useful(open_.next().bound())) {
        drop_unless([](const auto& /*entry*/) { return false; });
        break;
      }
      log_drop(open_.next());
    }
    return !open_.empty();
  }

  /// Drops the nodes for which `keep(entry)` is false.
  template <class Keep>
  void drop_unless(const Keep& keep) {
    open_.purge([&](const auto& entry) {
      const bool kept = keep(entry);
      if (!kept) log_drop(entry);
      return kept;
    });
  }

  void log_drop(const typename Open::Entry& entry) const {
    log_.dropped(entry.id(), entry.bound(), useful(entry.bound()) ? kDominated : cutoff());
  }

  /// Expands nodes until there is something to tell to the problem; false if that is the end.
  bool round() {
    keep_to_memory();
    if (!any_open() || limit_reached()) return false;
    before_ = cutoff() ? std::optional(*cutoff()) : std::nullopt;
    const std::uint64_t first = taken_;
    run::pipeline(
        kAhead,
        {[&] { return take_more() - first; }, [&](std::size_t k) { plunge(result(first + k)); },
         [&](std::size_t k) { merge(result(first + k)); }, [&] { improvement_.help(); }});
    if constexpr (kCollects) problem_.collect(std::exchange(collected_, {}));
    if (improvement_due()) take_improvement();
    if (is_better()) problem_.improved(*cutoff());
    ++outcome_.statistics.rounds;
    report();
    return true;
  }

  [[nodiscard]] NodeResult& result(std::uint64_t k) { return results_[k % kAhead]; }

  /// Whether the problem is to be told what the merged nodes led to, before others are expanded.
  [[nodiscard]] bool round_over() const {
    return is_better() || improvement_due() || !collected_.empty();
  }
  /// Whether the incumbent is better than at the beginning of the round.
  [[nodiscard]] bool is_better() const { return cutoff() && (!before_ || *cutoff() < *before_); }

  /// Takes as many nodes as there should be ahead, none if the round is over; returns how many were
  /// taken so far.
  std::uint64_t take_more() {
    if (!round_over()) {
      keep_to_memory();
      const std::uint64_t most = ahead();
      while (taken_ - merged_ < most && any_open() && !limit_reached()) {
        const std::uint64_t room = nodes_left();
        if (room == 0 && taken_ > merged_) break;  // until fewer nodes are ahead
        take(std::max<std::uint64_t>(room / (most - (taken_ - merged_)), 1));
      }
    }
    if (taken_ == merged_ && !any_open()) improvement_.give_up();
    note_peak();
    return taken_;
  }

  /// The next node is to be expanded to no more than `allowance` nodes.
  void take(std::uint64_t allowance) {
    log_.taken(open_.next().id(), taken_, open_.next().bound());
    NodeResult& next = result(taken_++);
    next.id = open_.next().id();
    next.bound = open_.next().bound();
    next.taken = open_.take();
    next.allowance = allowance;
    next.plunges = next.id >= roots_;
    next.depth_first = open_.depth_first();
    allowed_ += allowance;
  }

  /// Nodes that may be expanded beyond those that were allowed to the ones ahead.
  [[nodiscard]] std::uint64_t nodes_left() const {
    const std::uint64_t used = outcome_.statistics.nodes + allowed_;
    return limits_.nodes > used ? limits_.nodes - used : 0;
  }

  /// Starts the heuristic, if it is time.
  void start_improvement() {
    const std::uint64_t nodes = outcome_.statistics.nodes;
    if (!improvement_.possible() || improvement_.under_way() || nodes < nodes_to_improve_) return;
    improved_at_ = nodes + nodes_to_improve_ / 2;
    while (nodes_to_improve_ <= nodes) nodes_to_improve_ *= kMoreNodes;
    improvement_.start(outcome_.incumbent);
  }
  [[nodiscard]] bool improvement_due() const {
    return improvement_.under_way() && outcome_.statistics.nodes >= improved_at_;
  }
  void take_improvement() {
    Incumbent better = improvement_.finish();
    if (!better || !useful(better->first)) return;
    outcome_.incumbent = std::move(better);
    improved_ = true;
  }

  /// Tells the observer the least bound of what is open or ahead.
  void report() {
    if (!observer_) return;
    std::optional<Value> bound;
    if (any_open()) bound = open_.least_bound();
    for (std::uint64_t k = merged_; k < taken_; ++k) {
      if (!bound || result(k).bound < *bound) bound = result(k).bound;
    }
    if (cutoff() && (!bound || *cutoff() < *bound)) bound = *cutoff();
    if (bound) observer_(outcome_.statistics, cutoff(), *bound);
  }

  [[nodiscard]] bool limit_reached() const {
    if (!outcome_.incumbent && taken_ <= roots_) return false;
    return outcome_.statistics.nodes >= limits_.nodes || (limits_.stop && limits_.stop());
  }

  /// What open nodes may take, labels taken off.
  [[nodiscard]] std::uint64_t node_room() const {
    return limits_.memory - std::min(limits_.memory, problem_.label_bytes());
  }

  /// Chooses the order: depth first beyond three quarters of the room, best first again below half
  /// of it. Where there is little room, nodes that no longer matter are dropped wherever they are.
  void keep_to_memory() {
    const std::uint64_t room = node_room();
    const std::uint64_t most = open_.depth_first() ? room / 2 : room - room / 4;
    if (open_.bytes() > most && (improved_ || !open_.depth_first())) {
      drop_unless([this](const auto& entry) { return useful(entry); });
      improved_ = false;
    }
    open_.depth_first(open_.bytes() > most);
  }

  /// Nodes that should be ahead. Few at first: what the first plunges find often closes the nodes
  /// beside them. Later as many as there is room for, if each leaves as much behind as those of
  /// late.
  [[nodiscard]] std::uint64_t ahead() const {
    const std::uint64_t room = node_room();
    const std::uint64_t left = room - std::min(room, open_.bytes());
    const std::uint64_t most = std::min<std::uint64_t>(kAhead, kFirstAhead + merged_);
    return std::clamp<std::uint64_t>(left / growth_, 1, most);
  }

  /// `bytes`: of the children of the node that was merged last.
  void note_growth(std::uint64_t bytes) {
    if (merged_ % kAhead == 0) growth_ -= growth_ / 32;
    growth_ = std::max(growth_, bytes);
    child_bytes_ += bytes;
  }

  /// Nodes are ahead, and perhaps already have all of their children. How many these are is known
  /// when the last of them is merged.
  struct Moment {
    std::uint64_t taken;
    std::uint64_t bytes;        // of open nodes and labels
    std::uint64_t child_bytes;  // until then
  };

  void note_peak() {
    moments_.push_back({taken_, open_.bytes() + problem_.label_bytes(), child_bytes_});
    for (; !moments_.empty() && moments_.front().taken <= merged_; moments_.pop_front()) {
      const Moment& then = moments_.front();
      std::uint64_t& peak = outcome_.statistics.peak_bytes;
      peak = std::max(peak, then.bytes + child_bytes_ - then.child_bytes);
    }
  }

  /// Expands a node, then its best child, and so on down; once there is a solution, no more than it
  /// is allowed.
  void plunge(NodeResult& result) const {
    std::optional<Value> local = before_;  // to be beaten
    std::optional<Node> node = std::move(*result.taken.node);
    assert(!local || node->bound() < *local);
    [[maybe_unused]] const Value least = node->bound();
    while (node) {
      const std::size_t first = result.found.children.size();
      if ((local && result.nodes >= result.allowance) ||
          !problem_.expand(*node, local ? &*local : nullptr, result.found)) {
        result.unfinished = std::move(node);
        return;
      }
      assert(!result.found.best || !(result.found.best->first < least));  // or the bound was wrong
      log_.expanded(result.id, result.nodes, result.found.children.size() - first);
      ++result.nodes;
      if (result.found.best && (!local || result.found.best->first < *local)) {
        local = result.found.best->first;
      }
      if (!result.plunges) return;
      node = take_best(result.found.children, first, result.depth_first);
    }
  }

  /// Takes the best of the children from `first` on. Depth first the rest are put in order, the
  /// best last, where the stack has its top.
  static std::optional<Node> take_best(std::vector<Node>& nodes, std::size_t first,
                                       bool depth_first) {
    if (nodes.size() == first) return std::nullopt;
    const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(first);
    auto best = begin;
    for (auto it = best + 1; it != nodes.end(); ++it) {
      if (it->bound() < best->bound()) best = it;
    }
    Node taken = std::move(*best);
    nodes.erase(best);
    if (depth_first) {
      std::stable_sort(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                       [](const Node& a, const Node& b) { return b.bound() < a.bound(); });
    }
    return taken;
  }

  void merge(NodeResult& result) {
    open_.release(result.taken);
    ++merged_;
    allowed_ -= result.allowance;
    outcome_.statistics.nodes += result.nodes;
    outcome_.statistics.leaves += result.found.leaves;
    const bool improves = result.found.best && useful(result.found.best->first);
    if (result.found.best) log_.solution(result.id, result.found.best->first, improves);
    if (improves) {
      outcome_.incumbent = std::move(result.found.best);
      improved_ = true;
    }
    if (result.unfinished) {
      log_.interrupted(result.id, next_id_);
      open_.push(std::move(*result.unfinished), next_id_++, false);
    }
    std::uint64_t bytes = 0;
    for (Node& child : result.found.children) {
      bytes += Open::bytes_of(child);
      push(std::move(child), result.id);
    }
    note_growth(bytes);
    std::ranges::move(result.found.all, std::back_inserter(collected_));
    result = {};  // the next children need the memory
    start_improvement();
    if (merged_ % kBetweenReports == 0) report();
  }

  Problem& problem_;
  TreeLimits limits_;
  Observer observer_;
  Improvement<Incumbent> improvement_;
  std::uint64_t nodes_to_improve_ = kNodesToImprove;  // the next time
  std::uint64_t improved_at_ = 0;                     // nodes when what it found is taken
  TreeOutcome<Problem> outcome_;
  Open open_;
  mutable NodeLog log_;
  std::uint64_t next_id_ = 0;
  std::uint64_t roots_ = 0;      // nodes with smaller ids
  std::optional<Value> before_;  // the incumbent's value at the beginning of the round
  std::vector<NodeResult> results_ =
      std::vector<NodeResult>(kAhead);  // of node k at k modulo kAhead
  std::uint64_t taken_ = 0;             // nodes, which are merged
  std::uint64_t merged_ = 0;            // in the same order
  std::uint64_t allowed_ = 0;           // nodes, to those taken and not merged
  std::vector<Solution> collected_;     // in this round
  bool improved_ = false;               // the incumbent, since useless nodes were last dropped
  std::uint64_t growth_ = 1;            // bytes of children that one node leaves, as of late
  std::uint64_t child_bytes_ = 0;       // of all nodes that were merged
  std::deque<Moment> moments_;  // one for each node that was merged, until the last ahead is, too
};

}  // namespace pimbb::search
