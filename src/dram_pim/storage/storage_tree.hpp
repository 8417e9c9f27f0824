// Enumeration of all storage choices, best bound first, without storing them.
//
// k levels with free bypass have up to 8^k choices, each with its own tables. The tree decides
// level by level which tensors are dropped. With bounds, the node of least bound is expanded first,
// and nodes that cannot beat the cutoff are discarded with all choices below them. Without bounds
// the choices are enumerated in the order of the tree, fullest first.
//
// The bound of a node is the goal's value for a least latency and a least energy. The energy is
// that of the tables that all choices share (shared_tables.hpp), if there are any; the latency is
// what the PEs take to compute, or that of such tables where energies do not matter. Without
// tables, both are those of linear relaxations (relaxation.hpp). Where latencies alone matter, both
// kinds begin after a few choices: often the first one that is searched takes no longer than the
// PEs compute, which settles the layer. Tables want outer levels decided first, relaxations inner
// ones.
//
// With relaxations alone, if a cutoff z limits the latency of a better mapping, energy is minimised
// under that limit; a higher least energy lowers the limit, and so on: for EDP, T <= z / E, E >=
// E(T). If the limit falls below the least latency, no better mapping exists. For lists of goals,
// each tree starts with the bounds on latency and energy that earlier trees have found.
//
// The eight children of a node are bounded in parallel, each without a warm start, so neither the
// order nor the number of iterations depends on the number of threads.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "dram_pim/mapper/target.hpp"
#include "dram_pim/storage/relaxation.hpp"
#include "dram_pim/storage/shared_tables.hpp"
#include "search/best_first.hpp"

namespace pimbb::dram_pim::mapper {

/// Every storage choice of a layer.
PartialStorage all_storage(const Instance& instance);

/// Bounds of storage choices, for all goals and trees of a layer.
struct StorageBounds {
  struct Least {
    Int128 latency = 0;
    Int128 energy = 0;
  };
  FillPoints points;
  std::map<PartialStorage, Least> known = {};  ///< lower bounds of any mapping
  bool relaxed = true;                         ///< whether linear relaxations are to be used
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

  /// For energies or latencies, from now on (null: no more).
  void use(SharedTables* tables) {
    tables_ = tables;
    ++generation_;
  }
  /// The same for a tree that is not at its beginning: what is left of it, from the outermost level
  /// on.
  void begin_again(SharedTables& tables);
  /// The next choice that can be better than `cutoff` (null: no cutoff); nothing if there is none.
  /// Throws what the guard throws; the tree is then as before the expansion that was stopped.
  [[nodiscard]] std::optional<StorageChoice> next(const Wide* cutoff);
  /// A lower bound over all remaining choices.
  [[nodiscard]] Wide open_bound() const { return open_.least_bound().value_or(Wide::infinity()); }
  /// Whether the choices so far have not settled a layer whose latencies alone matter.
  [[nodiscard]] bool is_long() const { return first_.size() >= kTrusted; }
  [[nodiscard]] const RelaxationEffort& effort() const { return effort_; }

 private:
  /// Choices before latencies are bounded by more than what the PEs compute.
  static constexpr std::size_t kTrusted = 8;

  struct Node {
    PartialStorage storage;
    StorageBounds::Least least;  // here, or of a node above
    Wide bound;
    Int128 table_least = 0;        // a bound within the limit of the tables
    std::uint64_t generation = 0;  // of these tables
    bool programmed = false;       // whether the bound is that of programs
  };
  /// Among equal bounds the choice with fewer open levels is taken first, then the one made first.
  using Rank = std::pair<std::size_t, std::uint64_t>;

  [[nodiscard]] std::optional<std::size_t> open_level(const Node& node) const;
  void expand(const Node& node, std::size_t level, const Wide* cutoff);
  /// The node with each set of tensors that `level` may store.
  static std::vector<Node> children_of(const Node& node, std::size_t level);
  void bound_children(std::vector<Node>& children, const Wide* cutoff);
  void bound_by_tables(std::vector<Node>& children, const Node& node, std::size_t level);
  /// Whether programs are to be solved: not where tables know energies, and not at once where
  /// latencies alone matter.
  [[nodiscard]] bool programs_due() const;
  /// Whether a complete choice has the bound of other tables, or of no program.
  [[nodiscard]] bool is_stale(const Node& choice) const;
  void bound_again(const Node& choice, const Wide* cutoff);
  void bound(Node& node, const Wide* cutoff, RelaxationEffort& effort) const;
  void push(Node node);
  void push_root(const Wide& bound);

  const Instance& instance_;
  StorageBounds* known_;
  SharedTables* tables_ = nullptr;
  std::uint64_t generation_ = 0;  // of the tables
  const Target& target_;
  run::Guard guard_;
  search::BestFirst<Node, Wide, Rank> open_;
  std::uint64_t next_id_ = 0;
  std::vector<PartialStorage> first_;  // choices that were given, kTrusted at most
  RelaxationEffort effort_;
};

/// The number of storage choices that constraints leave, 2^63 at most.
std::uint64_t count_storage_choices(const Architecture& architecture,
                                    const Constraints& constraints);

}  // namespace pimbb::dram_pim::mapper
