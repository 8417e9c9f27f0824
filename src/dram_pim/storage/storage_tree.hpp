// Enumeration of all storage choices, best bound first, without storing them.
//
// k levels with free bypass have up to 8^k choices, each with its own tables. The tree decides
// level by level, innermost first, which tensors are dropped. With bounds, every node has a bound
// from the linear relaxation (relaxation.hpp): the node of least bound is expanded first, and nodes
// that cannot beat the cutoff are discarded with all choices below them. Without bounds the choices
// are enumerated in the order of the tree, fullest first.
//
// The bound of a node is the goal's value for the least latency and the least energy of its
// relaxation. If a cutoff z limits the latency of a better mapping, energy is minimised under that
// limit; a higher least energy lowers the limit, and so on: for EDP, T <= z / E, E >= E(T). If the
// limit falls below the least latency, no better mapping exists. For lists of goals, each tree
// starts with the bounds on latency and energy that earlier trees have found.
//
// The eight children of a node are bounded in parallel, each without a warm start, so neither the
// order nor the number of iterations depends on the number of threads.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dram_pim/mapper/target.hpp"
#include "dram_pim/storage/relaxation.hpp"
#include "search/best_first.hpp"

namespace pimbb::dram_pim::mapper {

/// Bounds of storage choices from linear relaxations, for all goals and trees of a layer.
struct StorageBounds {
  struct Least {
    Int128 latency = 0;
    Int128 energy = 0;
  };
  FillPoints points;
  std::map<PartialStorage, Least> known;  ///< lower bounds of any mapping
};

/// Which tensors every level holds, and a bound of all mappings that store them so.
struct StorageChoice {
  std::vector<TensorFlags> stores;
  Wide bound;  ///< 0 without bounds
};

/// What relaxations have taken.
struct RelaxationEffort {
  std::uint64_t solves = 0;      ///< linear programs solved
  std::uint64_t iterations = 0;  ///< of the simplex
};

class StorageTree {
 public:
  /// `bounds`: null for none. Keeps references.
  StorageTree(const Instance& instance, StorageBounds* bounds, const Target& target,
              run::Guard guard = {});

  /// The next choice that can be better than `cutoff` (null: no cutoff); nothing if there is none.
  /// Throws what the guard throws; the tree is then as before the expansion that was stopped.
  [[nodiscard]] std::optional<StorageChoice> next(const Wide* cutoff);
  /// A lower bound over all remaining choices.
  [[nodiscard]] Wide open_bound() const { return open_.least_bound().value_or(Wide::infinity()); }
  [[nodiscard]] const RelaxationEffort& effort() const { return effort_; }

 private:
  struct Node {
    PartialStorage storage;
    StorageBounds::Least least;  // here, or of a node above
    Wide bound;
  };
  /// Among equal bounds the choice with fewer open levels is taken first, then the one made first.
  using Rank = std::pair<std::size_t, std::uint64_t>;

  [[nodiscard]] static std::optional<std::size_t> open_level(const Node& node);
  void expand(const Node& node, std::size_t level, const Wide* cutoff);
  /// The node with each set of tensors that `level` may store.
  static std::vector<Node> children_of(const Node& node, std::size_t level);
  void bound_children(std::vector<Node>& children, const Wide* cutoff);
  void bound(Node& node, const Wide* cutoff, RelaxationEffort& effort) const;
  void push(Node node);

  const Instance& instance_;
  StorageBounds* known_;
  const Target& target_;
  run::Guard guard_;
  search::BestFirst<Node, Wide, Rank> open_;
  std::uint64_t next_id_ = 0;
  RelaxationEffort effort_;
};

/// The number of storage choices that constraints leave, 2^63 at most.
std::uint64_t count_storage_choices(const Architecture& architecture,
                                    const Constraints& constraints);

}  // namespace pimbb::dram_pim::mapper
