// Best-first branch and bound in rounds, for any problem; the same tree on any number of threads.
//
// A node is an open part of the search space with a proven lower bound on every solution in it.
// Each round takes the best open nodes (2, 4, 8 and so on, up to `kBatch`), expands them in
// parallel, and merges their results in the order in which the nodes were taken, while later nodes
// are still being expanded. Expansions read the incumbent of the beginning of the round and write
// only their own results, and the size of a round does not depend on the number of threads.
// Therefore the tree, the node count and the solution do not depend on it either.
//
// The expansion of a node also *plunges*: its best child is expanded immediately, then the best
// child of that one, down to a leaf, so that incumbents are found in the first round. The siblings
// go to the open list.
//
// A node is dropped if its bound is not below the incumbent (ties are dropped, because one optimum
// is enough), or if the problem knows a node that is at least as good in every respect (dominance).
// If the open list is empty, the incumbent is optimal; if a limit stops the search, the least open
// bound is a valid bound.
//
// A heuristic may be given that improves solutions. It is asked when the number of nodes reaches
// 1,000, 4,000, 16,000 and so on: if many nodes have the bound of the optimum and lead to nothing,
// the incumbents of plunges alone may take long to become optimal.
//
// Memory is bounded: if the open nodes approach their limit, the search continues depth first,
// where their number hardly grows, and returns to best first when there is room again. Rounds
// shrink with the room. These decisions depend on an account of bytes, not on the machine, so the
// tree is the same in every run.
//
// A problem provides
//     Node                movable; `const Value& bound() const`
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
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "run/guard.hpp"
#include "run/pipeline.hpp"
#include "search/node_log.hpp"
#include "search/open_list.hpp"

namespace pimbb::search {

/// Limits of a search: the number of expanded nodes, and a stop request, which is checked between
/// rounds. A search without a solution completes its first plunge in any case. `memory` does not
/// stop the search: it limits open nodes and labels, except for those that depth first needs.
struct TreeLimits {
  std::uint64_t nodes = run::kUnlimited;
  std::function<bool()> stop;  ///< thread-safe; true ends the search
  std::uint64_t memory = run::kUnlimited;
};

struct TreeStatistics {
  std::uint64_t nodes = 0;   ///< nodes expanded
  std::uint64_t leaves = 0;  ///< solutions evaluated
  std::uint64_t rounds = 0;
  std::uint64_t peak_bytes = 0;  ///< most that nodes and labels took at the end of a round
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
  /// A solution made from the incumbent, or without one; empty if there is none.
  using Improve = std::function<Incumbent(const Incumbent&)>;

  BranchAndBound(Problem& problem, TreeLimits limits, Observer observer, Improve improve = {})
      : problem_(problem),
        limits_(std::move(limits)),
        observer_(std::move(observer)),
        improve_(std::move(improve)) {}

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
    while (round()) {
    }
    if (any_open()) outcome_.open_bound = open_.least_bound();
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t kBatch = 64;
  static constexpr std::uint64_t kNodesToImprove = 1000;  // the first time
  static constexpr std::uint64_t kMoreNodes = 4;          // factor from one time to the next
  static constexpr const Value* kDominated = nullptr;     // to the log: no incumbent is the reason

  static constexpr bool kCollects = requires(Problem & p, Expansion<Problem>& found) {
    p.collect(std::move(found.all));
  };

  using Open = OpenList<Node, Value>;

  struct NodeResult {  ///< one node of a round and what came of it
    std::uint64_t id = 0;
    typename Open::Taken taken;
    Expansion<Problem> found;
    std::optional<Node> unfinished;  // interrupted here; stays open
    std::uint64_t nodes = 0;
    std::uint64_t children = 0;  // when it was merged
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
      log_drop(open_.next());
    }
    return !open_.empty();
  }

  void log_drop(const typename Open::Entry& entry) const {
    log_.dropped(entry.id(), entry.bound(), useful(entry.bound()) ? kDominated : cutoff());
  }

  NodeResult take() {
    log_.taken(open_.next().id(), outcome_.statistics.rounds, open_.next().bound());
    return {open_.next().id(), open_.take(), {}, {}, 0, 0};  // in this order
  }

  bool round() {
    keep_to_memory();
    if (!any_open() || limit_reached()) return false;
    std::vector<NodeResult> results;
    const std::uint64_t done = outcome_.statistics.nodes;
    const std::uint64_t room = limits_.nodes > done ? limits_.nodes - done : 0;
    const std::uint64_t width = std::min(std::clamp<std::uint64_t>(room, 1, batch()), affordable());
    results.reserve(width);
    while (results.size() < width && any_open()) results.push_back(take());
    assert(!results.empty());  // any_open() said so, and `width` is at least 1
    const std::uint64_t allowance = room / results.size();
    const std::optional<Value> before = cutoff() ? std::optional(*cutoff()) : std::nullopt;
    const std::uint64_t bytes = open_.bytes() + problem_.label_bytes();
    run::pipeline(
        results.size(), [&](std::size_t k) { plunge(results[k], before, allowance); },
        [&](std::size_t k) { merge(results[k]); });
    note_growth(results, bytes);
    if constexpr (kCollects) {
      for (NodeResult& result : results) problem_.collect(std::move(result.found.all));
    }
    improve();
    if (cutoff() && (!before || *cutoff() < *before)) problem_.improved(*cutoff());
    ++outcome_.statistics.rounds;
    if (any_open()) {
      if (observer_) observer_(outcome_.statistics, cutoff(), *open_.least_bound());
    } else if (observer_ && cutoff()) {
      observer_(outcome_.statistics, cutoff(), *cutoff());
    }
    return true;
  }

  /// Asks the heuristic, if it is time.
  void improve() {
    if (!improve_ || outcome_.statistics.nodes < nodes_to_improve_) return;
    while (nodes_to_improve_ <= outcome_.statistics.nodes) nodes_to_improve_ *= kMoreNodes;
    if (!any_open()) return;
    Incumbent better = improve_(outcome_.incumbent);
    if (!better || !useful(better->first)) return;
    outcome_.incumbent = std::move(better);
    improved_ = true;
  }

  [[nodiscard]] bool limit_reached() const {
    if (!outcome_.incumbent && outcome_.statistics.rounds == 0) return false;
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
      open_.purge([&](const auto& entry) {
        const bool keep = useful(entry);
        if (!keep) log_drop(entry);
        return keep;
      });
      improved_ = false;
    }
    open_.depth_first(open_.bytes() > most);
  }

  /// Early rounds are small: what the first plunges find often closes the nodes beside them.
  [[nodiscard]] std::uint64_t batch() const {
    const std::uint64_t doublings = std::min<std::uint64_t>(outcome_.statistics.rounds, 5);
    return std::min<std::uint64_t>(kBatch, std::uint64_t{2} << doublings);
  }

  /// Nodes that a round can take if each leaves as much behind as those of late.
  [[nodiscard]] std::uint64_t affordable() const {
    const std::uint64_t room = node_room();
    const std::uint64_t left = room - std::min(room, open_.bytes());
    return std::clamp<std::uint64_t>(left / growth_, 1, kBatch);
  }

  /// `before`: bytes of open nodes and labels at the beginning of the round.
  void note_growth(const std::vector<NodeResult>& results, std::uint64_t before) {
    std::uint64_t most = 1;
    std::uint64_t all = 0;
    for (const NodeResult& result : results) {
      const std::uint64_t bytes = result.children * Open::kNodeBytes;
      most = std::max(most, bytes);
      all += bytes;
    }
    growth_ = std::max(most, growth_ - growth_ / 32);
    std::uint64_t& peak = outcome_.statistics.peak_bytes;
    peak = std::max(peak, before + all);
  }

  /// Expands a node, then its best child, and so on down; once there is a solution, no more than
  /// `allowance` nodes. `local`: the value to be beaten.
  void plunge(NodeResult& result, std::optional<Value> local, std::uint64_t allowance) const {
    std::optional<Node> node = std::move(*result.taken.node);
    assert(!local || node->bound() < *local);
    [[maybe_unused]] const Value least = node->bound();
    while (node) {
      const std::size_t first = result.found.children.size();
      if ((local && result.nodes >= allowance) ||
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
      node = take_best(result.found.children, first);
    }
  }

  /// Takes the best of the children from `first` on. Depth first the rest are put in order, the
  /// best last, where the stack has its top.
  std::optional<Node> take_best(std::vector<Node>& nodes, std::size_t first) const {
    if (nodes.size() == first) return std::nullopt;
    const auto begin = nodes.begin() + static_cast<std::ptrdiff_t>(first);
    auto best = begin;
    for (auto it = best + 1; it != nodes.end(); ++it) {
      if (it->bound() < best->bound()) best = it;
    }
    Node taken = std::move(*best);
    nodes.erase(best);
    if (open_.depth_first()) {
      std::stable_sort(nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end(),
                       [](const Node& a, const Node& b) { return b.bound() < a.bound(); });
    }
    return taken;
  }

  void merge(NodeResult& result) {
    open_.release(result.taken);
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
    result.children = result.found.children.size();
    for (Node& child : result.found.children) push(std::move(child), result.id);
    result.found.children = {};  // the next children need the memory
  }

  Problem& problem_;
  TreeLimits limits_;
  Observer observer_;
  Improve improve_;
  std::uint64_t nodes_to_improve_ = kNodesToImprove;
  TreeOutcome<Problem> outcome_;
  Open open_;
  mutable NodeLog log_;
  std::uint64_t next_id_ = 0;
  bool improved_ = false;     // the incumbent, since useless nodes were last dropped
  std::uint64_t growth_ = 1;  // bytes of children that one node of a round leaves, as of late
};

}  // namespace pimbb::search
