// The closed tree under one storage choice, as records in depth-first order.
//
// Bounds do not depend on an incumbent, so with the optimum known the tree is canonical: a node
// that its bound closes is a leaf, every other node has all of its children, in an order that their
// names define. The tree depends neither on dominance nor on the order of the search. The subtrees
// below the root are computed in parallel, some at a time, and sent to the tracers in order:
//
//     inner             its children follow
//     closed_by_bound   Verdict::bound
//     closed_by_cap     Verdict::cap
//     evaluated         tile of level 0: no spatial option refutes the claim
//
// with the tile of the next level inwards and the tensor that stays in place during the loops
// between: i, w or o; g if no tensor does (G is innermost); - if there are no loops.
//
// The nodes are those of branching.hpp, the same as in the search, with all loop classes at every
// level: the checker does not use the argument that allows the search to omit one. If row
// activations become known with loop orders (row_pricing.hpp), a tile of level rb - 1 has ordered
// nodes as children, one for each order that the claim does not close and that no other order
// beats; if there is none, the tile is `evaluated`. If they become known at the leaf, evaluating a
// tile of level 0 means all orders.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/mapper/branching.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/proof/claim.hpp"
#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim::proof {

class Tree {
 public:
  Tree(const mapper::Instance& instance, const mapper::Storage& storage,
       const mapper::LevelTiles& levels, const mapper::ChainRows& rows,
       const mapper::CostToGo& cost_to_go, const run::Guard& guard = run::kUnguarded)
      : instance_(instance),
        lattice_(instance.lattice),
        storage_(storage),
        levels_(levels),
        rows_(rows),
        cost_to_go_(cost_to_go),
        branching_(instance, storage, levels, rows, mapper::OrderMatters::to_rows),
        rb_(instance.architecture.row_buffer()),
        guard_(guard) {}

  /// The nodes below the root. Throws std::logic_error if a mapping refutes the claim.
  void prove(const AnyClaim& claim, const std::vector<ProofTracer*>& tracers) const;
  /// Whether bounds close all children of the root.
  [[nodiscard]] bool closed_by_bounds(const AnyClaim& claim) const;
  /// Lower bounds on all costs of all mappings.
  [[nodiscard]] mapper::Costs least() const;

 private:
  using Node = mapper::PartialMapping;

  struct Record {
    mapper::TileIndex tile{};
    bool inner = false;
    Verdict verdict{};
    char loops = 0;
    bool ordered = false;  ///< names `order` instead
    std::array<mapper::LoopOrder, 2> order{};
  };
  using Records = std::vector<Record>;

  [[nodiscard]] Node arrival(std::size_t k) const;
  [[nodiscard]] std::vector<Node> ordered_children(const AnyClaim& claim, const Node& node) const;
  /// The letter of the class of the loops directly outside a node's tile.
  [[nodiscard]] char loops_of(const Node& node) const;
  /// The costs of a node with the cost-to-go `rest`, except its energies. `rows`: activations that
  /// are not yet part of the sums.
  [[nodiscard]] mapper::Costs so_far(const Node& node, const mapper::CostToGo::Entry& rest,
                                     const PerTensor<Int128>& rows) const;
  [[nodiscard]] Verdict judge(const AnyClaim& claim, const Node& node) const;
  [[nodiscard]] Verdict judge_row_buffer(const AnyClaim& claim, const Node& node,
                                         const PerTensor<Int128>& rows) const;
  /// Appends the subtree of `node`.
  void close(const AnyClaim& claim, const Node& node, Verdict verdict, Records& out) const;
  void close_children(const AnyClaim& claim, const Node& node, Records& out) const;
  void close_orders(const AnyClaim& claim, const Node& node, Records& out) const;
  void evaluate(const AnyClaim& claim, const Node& node) const;
  void tell(const Record& record, const std::vector<ProofTracer*>& tracers) const;

  const mapper::Instance& instance_;
  const mapper::Lattice& lattice_;
  const mapper::Storage& storage_;
  const mapper::LevelTiles& levels_;
  const mapper::ChainRows& rows_;
  const mapper::CostToGo& cost_to_go_;
  mapper::Branching branching_;
  std::size_t rb_;
  const run::Guard& guard_;
};

}  // namespace pimbb::dram_pim::proof
