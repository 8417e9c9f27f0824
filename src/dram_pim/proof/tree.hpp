// The closed tree under one storage choice, as records in depth-first order.
//
// Bounds do not depend on an incumbent, so with the optimum known the tree is canonical: a node
// that its bound closes is a leaf, every other one has all of its children, in an order that names
// alone define. No dominance and no order of search is left in it. The subtrees below the root are
// found in parallel, some at a time, and told to the tracers in their order:
//
//     inner             its children follow
//     closed_by_bound   Verdict::bound
//     closed_by_cap     Verdict::cap
//     evaluated         tile of level 0: no spatial option refutes the claim
//
// with the tile of the next level inwards and the tensor that stays put under the loops between,
// i, w or o, g if these leave none (the innermost is G), or - where there are no loops.
//
// Under the trace model activations are floors (dram_floors.hpp) until loop orders are known. Where
// these are early (trace_nest.hpp), a tile of level rb - 1 has ordered nodes as children, one for
// each order that the claim does not close and no other one beats; if there is none it is
// `evaluated`. Where they are late, evaluating a tile of level 0 means all orders.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/proof/claim.hpp"
#include "dram_pim/trace/trace_nest.hpp"
#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim::proof {

class Tree {
 public:
  Tree(const mapper::Instance& instance, const mapper::Storage& storage,
       const mapper::LevelTiles& levels, const mapper::Completion& completion)
      : instance_(instance),
        lattice_(instance.lattice),
        storage_(storage),
        levels_(levels),
        completion_(completion),
        rb_(instance.architecture.row_buffer()),
        traced_(instance.model == RowModel::trace),
        early_orders_(traced_ && mapper::orders_are_early(instance.architecture, storage)) {}

  /// The nodes below the root. Throws std::logic_error if a mapping refutes the claim.
  void prove(const Claim& claim, const std::vector<ProofTracer*>& tracers) const;
  /// No mapping costs less than this, in any respect.
  [[nodiscard]] mapper::Costs least() const;

 private:
  struct Node {
    std::size_t level = 0;  ///< the innermost level decided
    mapper::State state;
    mapper::Sums sums;
    bool loops = true;  ///< whether there are any between this tile and the last
    mapper::Chain chain;
  };
  struct Record {
    mapper::TileIndex tile;
    bool inner;
    Verdict verdict;
    char loops;
    bool ordered = false;  ///< names `order` instead
    std::array<mapper::LoopOrder, 2> order{};
  };
  using Records = std::vector<Record>;

  [[nodiscard]] std::vector<Node> children(const Node& node) const;
  [[nodiscard]] std::vector<mapper::Step> steps(const Node& node) const;
  [[nodiscard]] std::vector<Node> ordered_children(const Claim& claim, const Node& node) const;
  [[nodiscard]] Node child(const Node& node, const mapper::Step& step) const;
  [[nodiscard]] Node child(const Node& node, const mapper::Step& step,
                           const PerTensor<Int128>& rows) const;
  [[nodiscard]] Node root() const;
  /// The letter of the class of the loops right outside a node's tile.
  [[nodiscard]] static char loops_of(const Node& node);
  [[nodiscard]] PerTensor<rows::RowReuse> reuse(const Node& child,
                                                const mapper::LoopSplit* below) const;
  /// Everything but the energies of the completion `rest`. `rows` are activations that are not in
  /// the sums yet.
  [[nodiscard]] mapper::Costs so_far(const Node& node, const mapper::Completion::Entry& rest,
                                     const PerTensor<Int128>& rows) const;
  /// Of a tile of the row buffer.
  [[nodiscard]] PerTensor<Int128> least_rows(const Node& node) const;
  [[nodiscard]] Verdict judge(const Claim& claim, const Node& node) const;
  [[nodiscard]] Verdict judge_row_buffer(const Claim& claim, const Node& node,
                                         const PerTensor<Int128>& rows) const;
  /// Appends the subtree of `node`.
  void close(const Claim& claim, const Node& node, Verdict verdict, Records& out) const;
  void close_traced_children(const Claim& claim, const Node& node, Records& out) const;
  void close_orders(const Claim& claim, const Node& node, Records& out) const;
  void evaluate(const Claim& claim, const Node& node) const;
  void evaluate_orders(const Claim& claim, const Node& node,
                       const mapper::SpatialOption& option) const;
  void tell(const Record& record, const std::vector<ProofTracer*>& tracers) const;

  const mapper::Instance& instance_;
  const mapper::Lattice& lattice_;
  const mapper::Storage& storage_;
  const mapper::LevelTiles& levels_;
  const mapper::Completion& completion_;
  std::size_t rb_;
  bool traced_, early_orders_;
};

}  // namespace pimbb::dram_pim::proof
