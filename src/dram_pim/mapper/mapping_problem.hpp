// The mapping problem as the search sees it: nodes, children, bounds, leaves.
//
// A node is a chain decided from the DRAM inwards down to the tile of some level, with the loop
// class of every level above it and the costs that follow. Its children decide the next tile
// inwards; below the tile of level 0 the leaf decides the spatial unrolling (and, for the trace
// model, the loop orders, layouts and blocks in full). Storage is fixed: one problem, one choice.
//
// Dominance: two nodes in the same state (level, tile, stationary tensor, anchor) have the same
// completions with the same further costs, because every cost below the row buffer's loops depends
// on the state and on the decisions still to come, and the objective grows with every component of
// the sums. So a node whose sums are nowhere smaller than those of another one can go. Row
// activations are part of the sums from level rb-1 on; under the trace model they depend on the
// whole chain and nothing is dropped. What has been seen is remembered as labels. When their memory
// is full, new nodes are still compared with the labels there are, and then stay open without one.
#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "dram_pim/mapper/chain.hpp"
#include "dram_pim/mapper/completion.hpp"
#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/rules.hpp"
#include "search/branch_and_bound.hpp"

namespace pimbb::dram_pim::mapper {

struct OrderedNest;

struct MappingNode {
  Wide lower_bound;
  std::size_t level = 0;  ///< the innermost level decided
  State state;
  Sums sums;
  Chain chain;
  [[nodiscard]] const Wide& bound() const { return lower_bound; }
};

struct Solved {  ///< a leaf: the mapping and its scaled costs
  Mapping mapping;
  Costs costs;
};

class MappingProblem {
 public:
  using Node = MappingNode;
  using Value = Wide;
  using Solution = Solved;
  using Found = search::Expansion<MappingProblem>;

  struct Switches {
    Rules rules;
    std::function<bool()> stop;                   ///< interrupts long expansions
    std::uint64_t label_bytes = run::kUnlimited;  ///< what dominance may take
  };

  MappingProblem(const Instance& instance, const Storage& storage, const LevelTiles& levels,
                 const Completion& completion, const Target& target, Switches switches);

  [[nodiscard]] Node root() const;
  /// What the children of the root say of all mappings: lower bounds, infinite if there are none.
  [[nodiscard]] const Wide& least_bound() const { return survey_.bound; }
  [[nodiscard]] Int128 least_latency() const { return survey_.latency; }
  [[nodiscard]] Int128 least_energy() const { return survey_.energy; }
  /// The mapping that one reaches by always taking the child of least bound, if it exists and is
  /// below `cutoff` (null: any).
  [[nodiscard]] std::optional<std::pair<Value, Solution>> descend(const Value* cutoff) const;
  /// Takes tiles of level rb-1 that cannot be part of a mapping below `incumbent` out of the
  /// search.
  void improved(const Value& incumbent);
  [[nodiscard]] bool expand(const Node& node, const Value* cutoff, Found& out) const;
  search::Admission admit(const Node& node, std::uint64_t id);
  [[nodiscard]] bool alive(const Node& node, std::uint64_t id) const;

  /// Bytes of the labels: states with their places in the table, and what is known of each.
  [[nodiscard]] std::uint64_t label_bytes() const {
    return labels_.size() * kStateBytes + label_count_ * sizeof(Label);
  }
  /// Bytes that it takes before the search begins.
  [[nodiscard]] std::uint64_t bytes() const {
    return survey_.steps.size() * sizeof(survey_.steps[0]);
  }

  /// Mappings in the leaves visited, every member of a class counted.
  [[nodiscard]] std::uint64_t mappings() const { return mappings_; }

 private:
  struct Label {
    std::uint64_t id;
    Sums sums;
  };
  /// A state in the hash table: its node, with link and hash, and its bucket.
  static constexpr std::uint64_t kStateBytes =
      sizeof(std::uint64_t) + sizeof(std::vector<Label>) + 3 * sizeof(void*);

  struct Bar {  ///< what bounds of children must stay below
    Wide value;
    bool only_best;  ///< each child lowers it and replaces the one before
  };
  struct Survey {
    std::vector<std::pair<Wide, std::size_t>> steps;  // bounds of arrivals
    Wide bound = Wide::infinity();
    Int128 latency = kInfinity;
    Int128 energy = kInfinity;
  };

  void survey();
  void survey(std::size_t begin, std::size_t end, Survey& out) const;
  void expand_inner(const Node& node, Bar& bar, Found& out) const;
  void expand_root(const Node& node, Bar& bar, Found& out) const;
  void expand_row_buffer(const Node& node, Bar& bar, Found& out) const;
  void expand_traced_row_buffer(const Node& node, Bar& bar, Found& out) const;
  void expand_orders(const Node& node, Bar& bar, Found& out) const;
  void expand_level(const Node& node, Bar& bar, Found& out) const;
  /// Throws Stopped if the search is to stop; in a loop over tiles it looks at every 16th only.
  void check() const {
    if (switches_.stop && switches_.stop()) throw run::Stopped();
  }
  void check(std::size_t tile) const {
    if (tile % 16 == 15) check();
  }
  [[nodiscard]] std::vector<TileIndex> hopeful_inside(const Tile& tile) const;
  [[nodiscard]] bool expand_leaf(const Node& node, const Value* cutoff, Found& out) const;
  [[nodiscard]] Node ordered_child(const Node& node, const OrderedNest& nest) const;
  void expand_traced_leaf(const Node& node, const SpatialOption& option, const Value* cutoff,
                          Found& out) const;
  /// Whether loop orders are to be decided before anything else about this node.
  [[nodiscard]] bool awaits_orders(const Node& node) const {
    return early_orders_ && node.level + 1 == rb_ && !node.chain.ordered;
  }
  void add_child(const Node& node, const Step& step, const Sums& sums, const Wide& bound, Bar& bar,
                 Found& out) const;
  [[nodiscard]] Wide bound_below(std::size_t level, const State& state, const Sums& sums,
                                 const Wide& bar) const;
  [[nodiscard]] bool hopeless(TileIndex tile, const Value& cutoff) const;
  [[nodiscard]] bool cut(const Wide& bound, const Wide& bar) const;
  [[nodiscard]] static std::uint64_t key(const Node& node);

  const Instance& instance_;
  const Storage& storage_;
  const LevelTiles& levels_;
  const Completion& completion_;
  const Target& target_;
  Switches switches_;
  std::size_t rb_;
  bool early_orders_;  // trace: known with the tile right inside the row buffer
  Survey survey_;
  std::vector<TileIndex> hopeful_;  // tiles of level rb-1 that may be part of a better mapping
  std::vector<char> is_hopeful_;    // the same by tile
  std::unordered_map<std::uint64_t, std::vector<Label>> labels_;
  std::uint64_t label_count_ = 0;
  mutable std::atomic<std::uint64_t> mappings_{0};
};

}  // namespace pimbb::dram_pim::mapper
