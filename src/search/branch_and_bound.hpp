// Best-first branch and bound in rounds, for any problem; the same tree on any number of threads.
//
// A node is an open part of the search space with a proven lower bound on every solution in it.
// Each round takes the best `kBatch` open nodes, expands them in parallel, waits for all, and then
// merges what they produced in the order in which the nodes were taken. Expansions read the
// incumbent as it was when the round began and write only their own results, and the size of a
// round does not depend on the number of threads: so neither do the tree, the node count and the
// solution.
//
// Expanding a node also *plunges*: its best child is expanded at once, and that one's, down to a
// leaf, so that incumbents appear in the first round. The siblings go to the open list.
//
// A node is dropped when its bound is not below the incumbent (one optimum is enough, so ties go
// too), or when the problem knows a node that is at least as good in every respect (dominance).
// When the open list is empty the incumbent is optimal; when a limit ends the search the least open
// bound is still a valid bound.
//
// A problem provides
//     Node                movable; `const Value& bound() const`
//     Value               totally ordered
//     Solution            whatever a leaf yields
//     expand(node, cutoff, out)   children and solutions below `cutoff` (null: none) into `out`;
//                                 thread-safe; false if it was interrupted half-way
//     admit(node, id), alive(node, id)   dominance: called between rounds only, in tree order
//     improved(value)             told of every better incumbent, between rounds
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "search/parallel_for.hpp"

namespace pimbb::search {

/// What ends a search early: `nodes` expanded, or time, which is looked at between rounds. A search
/// that knows no solution yet finishes its first plunge all the same.
struct Limits {
  std::uint64_t nodes = ~std::uint64_t{0};
  std::function<bool()> stop;  ///< thread-safe; true ends the search
};

struct Statistics {
  std::uint64_t nodes = 0;   ///< nodes expanded
  std::uint64_t leaves = 0;  ///< solutions evaluated
  std::uint64_t rounds = 0;
};

/// Where an expansion puts what it found.
template <class Problem>
struct Expansion {
  std::vector<typename Problem::Node> children;
  std::optional<std::pair<typename Problem::Value, typename Problem::Solution>> best;
  std::uint64_t leaves = 0;

  /// Keeps the first of the best solutions.
  template <class MakeSolution>
  void solution(const typename Problem::Value& value, const MakeSolution& make) {
    if (!best || value < best->first) best.emplace(value, make());
  }
};

template <class Problem>
struct Outcome {
  std::optional<std::pair<typename Problem::Value, typename Problem::Solution>> incumbent;
  std::optional<typename Problem::Value> open_bound;  ///< least open bound; empty: search complete
  Statistics statistics;
};

template <class Problem>
class BranchAndBound {
 public:
  using Node = typename Problem::Node;
  using Value = typename Problem::Value;
  using Solution = typename Problem::Solution;
  using Observer =
      std::function<void(const Statistics&, const Value* incumbent, const Value& bound)>;

  BranchAndBound(Problem& problem, Limits limits, Observer observer)
      : problem_(problem), limits_(std::move(limits)), observer_(std::move(observer)) {}

  /// Explores everything below `roots` that could beat `incumbent`.
  Outcome<Problem> run(std::vector<Node> roots,
                       std::optional<std::pair<Value, Solution>> incumbent) {
    outcome_ = {};
    outcome_.incumbent = std::move(incumbent);
    for (Node& root : roots) push(std::move(root));
    while (round()) {
    }
    if (const Entry* best = least_open()) outcome_.open_bound = best->bound;
    return std::move(outcome_);
  }

 private:
  static constexpr std::size_t kBatch = 64;

  struct Entry {  ///< an open node in the heap
    Value bound;
    std::uint64_t id;
    std::uint32_t slot;
    bool admitted;  // known to the problem's dominance under this id
  };

  struct Task {  ///< one node of a round and what came of it
    Node node;
    Expansion<Problem> found;
    std::optional<Node> unfinished;  // interrupted here; stays open
    std::uint64_t nodes = 0;
  };

  /// Least bound first; among equals the youngest, which is the deepest.
  static bool later(const Entry& a, const Entry& b) {
    if (a.bound != b.bound) return b.bound < a.bound;
    return a.id < b.id;
  }

  [[nodiscard]] const Value* cutoff() const {
    return outcome_.incumbent ? &outcome_.incumbent->first : nullptr;
  }
  [[nodiscard]] bool useful(const Value& bound) const {
    return !outcome_.incumbent || bound < outcome_.incumbent->first;
  }

  void push(Node&& node) {
    if (!useful(node.bound())) return;
    const std::uint64_t id = next_id_++;
    if (!problem_.admit(node, id)) return;
    insert(std::move(node), id, true);
  }

  void insert(Node&& node, std::uint64_t id, bool admitted) {
    const Value bound = node.bound();
    std::uint32_t slot = 0;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(std::move(node));
    } else {
      slot = free_.back();
      free_.pop_back();
      nodes_[slot] = std::move(node);
    }
    heap_.push_back({bound, id, slot, admitted});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  Entry pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Entry entry = std::move(heap_.back());
    heap_.pop_back();
    free_.push_back(entry.slot);
    return entry;
  }

  /// The best open node that can still matter, or null.
  const Entry* least_open() {
    while (!heap_.empty()) {
      const Entry& top = heap_.front();
      if (useful(top.bound) && (!top.admitted || problem_.alive(nodes_[top.slot], top.id))) {
        return &top;
      }
      pop();
    }
    return nullptr;
  }

  bool round() {
    if (!least_open() || limit_reached()) return false;
    std::vector<Task> tasks;
    const std::uint64_t done = outcome_.statistics.nodes;
    const std::uint64_t room = limits_.nodes > done ? limits_.nodes - done : 0;
    const std::uint64_t width = std::clamp<std::uint64_t>(room, 1, kBatch);
    while (tasks.size() < width && least_open()) {
      const Entry entry = pop();
      tasks.push_back({std::move(nodes_[entry.slot]), {}, {}, 0});
    }
    const std::uint64_t allowance = room / tasks.size();
    parallel_for(tasks.size(), [&](std::size_t k) { plunge(tasks[k], allowance); });
    const std::optional<Value> before = cutoff() ? std::optional(*cutoff()) : std::nullopt;
    for (Task& task : tasks) merge(task);
    if (cutoff() && (!before || *cutoff() < *before)) problem_.improved(*cutoff());
    ++outcome_.statistics.rounds;
    if (observer_) {
      const Entry* best = least_open();
      if (best || cutoff()) {
        observer_(outcome_.statistics, cutoff(), best ? best->bound : *cutoff());
      }
    }
    return true;
  }

  [[nodiscard]] bool limit_reached() const {
    if (!outcome_.incumbent && outcome_.statistics.rounds == 0) return false;
    return outcome_.statistics.nodes >= limits_.nodes || (limits_.stop && limits_.stop());
  }

  /// Expands a node, then its best child, and so on down; once there is a solution, no more than
  /// `allowance` nodes.
  void plunge(Task& task, std::uint64_t allowance) const {
    std::optional<Value> local;
    if (cutoff()) local = *cutoff();
    std::optional<Node> node = std::move(task.node);
    while (node) {
      const std::size_t first = task.found.children.size();
      if ((local && task.nodes >= allowance) ||
          !problem_.expand(*node, local ? &*local : nullptr, task.found)) {
        task.unfinished = std::move(node);
        return;
      }
      ++task.nodes;
      if (task.found.best && (!local || task.found.best->first < *local)) {
        local = task.found.best->first;
      }
      node = take_best(task.found.children, first);
    }
  }

  static std::optional<Node> take_best(std::vector<Node>& nodes, std::size_t first) {
    if (nodes.size() == first) return std::nullopt;
    auto best = nodes.begin() + static_cast<std::ptrdiff_t>(first);
    for (auto it = best + 1; it != nodes.end(); ++it) {
      if (it->bound() < best->bound()) best = it;
    }
    Node taken = std::move(*best);
    nodes.erase(best);
    return taken;
  }

  void merge(Task& task) {
    outcome_.statistics.nodes += task.nodes;
    outcome_.statistics.leaves += task.found.leaves;
    if (task.found.best && useful(task.found.best->first)) {
      outcome_.incumbent = std::move(task.found.best);
    }
    if (task.unfinished) insert(std::move(*task.unfinished), next_id_++, false);
    for (Node& child : task.found.children) push(std::move(child));
  }

  Problem& problem_;
  Limits limits_;
  Observer observer_;
  Outcome<Problem> outcome_;
  std::vector<Node> nodes_;          // slab of open nodes
  std::vector<std::uint32_t> free_;  // unused slots of the slab
  std::vector<Entry> heap_;
  std::uint64_t next_id_ = 0;
};

}  // namespace pimbb::search
