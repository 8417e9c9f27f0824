// The mapping problem for branch and bound: nodes, children, bounds, leaves.
//
// A node is a mapping decided from the DRAM inwards down to the tile of some level, with the loop
// class of every level above it and the resulting costs. branching.hpp enumerates the next
// decisions and their costs. This class bounds the children (cost_to_go.hpp, target.hpp), prunes
// those that cannot be below the incumbent, and compares them with other nodes in the same state
// (dominance.hpp). The storage choice is fixed: there is one problem for each choice.
//
// If the target is a front, the problem has no incumbent: what a known point covers is cut, and new
// points are handed over as they are found.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dram_pim/mapper/branching.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/dominance.hpp"
#include "dram_pim/mapper/root_bounds.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/rules.hpp"
#include "search/branch_and_bound.hpp"

namespace pimbb::dram_pim::mapper {

/// Most nodes are arrivals at the row buffer, of which a number tells everything. What others have
/// decided is large and stays where it is when nodes are moved.
struct MappingNode {
  enum class Kind : std::uint8_t {
    root,     ///< nothing is decided; earlier expansions have taken the arrivals before `arrival`
    arrival,  ///< only the arrival
    inside,   ///< a tile inside the row buffer
  };
  Wide lower_bound;
  std::uint32_t arrival = 0;  ///< in the instance's list; of the root: in that of root bounds
  Kind kind = Kind::root;
  std::unique_ptr<const PartialMapping> decided{};  ///< inside the row buffer

  [[nodiscard]] const Wide& bound() const { return lower_bound; }
  [[nodiscard]] std::uint64_t referred_bytes() const {
    return decided ? sizeof(PartialMapping) + kHeaderBytes : 0;
  }

 private:
  static constexpr std::uint64_t kHeaderBytes = 16;  // of memory from the heap
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
    std::function<bool()> stop;               ///< interrupts long expansions
    bool few_hopeful = false;                 ///< caps leave few arrivals that are worth a look
    std::optional<Wide> cutoff{};             ///< only mappings below it are of use
    std::function<void(Solved)> new_point{};  ///< takes what a front's search finds
  };

  /// Keeps references.
  MappingProblem(const Instance& instance, const Storage& storage, const LevelTiles& levels,
                 const ChainRows& rows, const CostToGo& cost_to_go, const Target& target,
                 Switches switches);

  [[nodiscard]] static Node root() { return {}; }
  /// The innermost level that is decided: the DRAM at the root.
  [[nodiscard]] std::size_t level(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::root: return rb_ + 1;
      case Node::Kind::arrival: return rb_;
      case Node::Kind::inside: break;
    }
    return node.decided->level;
  }
  /// The bounds of the root's children, which hold for all mappings.
  [[nodiscard]] const RootBounds& root_bounds() const { return root_bounds_; }
  /// The mapping that a dive along the children of least bound finds, if its value is below
  /// `cutoff` (null: any).
  [[nodiscard]] std::optional<std::pair<Value, Solution>> descend(const Value* cutoff) const;
  /// Removes tiles of level rb-1 that cannot be part of a mapping below `incumbent`.
  void improved(const Value& incumbent);
  [[nodiscard]] bool expand(const Node& node, const Value* cutoff, Found& out) const;
  /// Of fronts: mappings that may be new points, and nodes in which there are none any more.
  void collect(std::vector<Solved> found);
  [[nodiscard]] bool useless(const Node& node) const;
  /// The least costs of the mappings below a node, one for each bracket of latencies; they include
  /// those that points cover.
  [[nodiscard]] std::vector<Costs> corners(const Node& node) const;
  search::Admission admit(const Node& node, std::uint64_t id);
  [[nodiscard]] bool alive(const Node& /*node*/, std::uint64_t id) const {
    return dominance_.alive(id);
  }
  [[nodiscard]] std::uint64_t label_bytes() const { return dominance_.bytes(); }
  /// The most bytes that dominance labels may take; any number at first.
  void limit_labels(std::uint64_t bytes) { dominance_.limit(bytes); }
  /// Bytes in use before the search begins.
  [[nodiscard]] std::uint64_t bytes() const {
    return root_bounds_.bytes() + (joint_ ? joint_->bytes() : 0);
  }

  /// Mappings in the visited leaves; every member of a loop class counts.
  [[nodiscard]] std::uint64_t mappings() const { return mappings_; }

 private:
  struct Cutoff {  ///< the bounds of children must be below this value
    Wide value;
    bool only_best = false;  ///< each child lowers the value and replaces the child before
  };

  void expand_inner(const Node& node, Cutoff& cutoff, Found& out) const;
  /// The mapping of which only this arrival (of the instance's list) is decided.
  [[nodiscard]] PartialMapping arrived(std::uint32_t arrival) const;

  // `from` is what the node has decided, and `arrival` the node's.
  void expand_root(const Node& node, Cutoff& cutoff, Found& out) const;
  void expand_tile(const PartialMapping& from, std::uint32_t arrival, Cutoff& cutoff,
                   Found& out) const;
  void expand_tiles(const PartialMapping& from, std::uint32_t arrival,
                    std::span<const TileIndex> tiles, const RowBufferRows* rows, Cutoff& cutoff,
                    Found& out) const;
  void expand_orders(const PartialMapping& from, std::uint32_t arrival, Cutoff& cutoff,
                     Found& out) const;
  [[nodiscard]] bool expand_leaf(const PartialMapping& from, const Value* cutoff, Found& out) const;
  static void add_child(Node&& child, Cutoff& cutoff, Found& out);
  [[nodiscard]] Node inside_node(const Wide& bound, std::uint32_t arrival,
                                 PartialMapping&& decided) const {
    return {carried(bound), arrival, Node::Kind::inside,
            std::make_unique<const PartialMapping>(std::move(decided))};
  }
  [[nodiscard]] Wide bound_below(std::size_t level, const State& state, const Sums& sums,
                                 const Wide& cutoff) const;
  [[nodiscard]] Wide bound_with_rows(const PartialMapping& from,
                                     const PerTensor<Int128>& rows) const;
  const JointRows* make_joint(const std::vector<std::size_t>& arrivals);
  [[nodiscard]] Sums with_joint_rows(std::uint32_t arrival, const Sums& sums) const;
  [[nodiscard]] std::vector<TileIndex> hopeful_inside(const Tile& tile) const;
  [[nodiscard]] bool hopeless(TileIndex tile, const Value& cutoff) const;
  /// What a node with this bound carries: where nothing is pruned, nodes are not cut either.
  [[nodiscard]] Wide carried(const Wide& bound) const { return prunes() ? bound : Wide{}; }
  [[nodiscard]] bool prunes() const { return switches_.rules.has(Rule::lattice); }
  [[nodiscard]] bool cut(const Wide& bound, const Wide& cutoff) const {
    return prunes() && bound >= cutoff;
  }
  /// Throws Stopped if the search must stop.
  void check() const {
    if (switches_.stop && switches_.stop()) throw run::Stopped();
  }

  const Instance& instance_;
  const Storage& storage_;
  const LevelTiles& levels_;
  const ChainRows& rows_;
  const CostToGo& cost_to_go_;
  const Target& target_;
  Switches switches_;
  std::size_t rb_;
  Branching branching_;
  std::unique_ptr<JointRows> joint_;  // null: none
  mutable RootBounds root_bounds_;    // of one root at a time: put in order when it is expanded
  Dominance dominance_;
  std::vector<TileIndex> hopeful_;  // tiles of level rb-1 that may be part of a better mapping
  std::vector<char> is_hopeful_;    // the same by tile
  mutable std::atomic<std::uint64_t> mappings_{0};
};

}  // namespace pimbb::dram_pim::mapper
