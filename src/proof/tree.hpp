// The closed tree under one storage choice, as records in depth-first order.
//
// Bounds do not depend on an incumbent, so with the optimum known the tree is canonical: a node
// that its bound closes is a leaf, every other one has all of its children, in an order that names
// alone define. No dominance and no order of search is left in it, and the subtrees below the root
// can be written in parallel.
//
//     n TILE CLASS     its children follow
//     b TILE CLASS     closed: Verdict::bound
//     c TILE CLASS     closed: Verdict::cap
//     e TILE CLASS     tile of level 0: every spatial option evaluated, none refutes the claim
//
// TILE are the seven cumulative factors of the next level inwards, R.S.P.Q.C.K.N; CLASS is the
// tensor that stays put under the loops between, i, w or o, or - where there are none.
#pragma once

#include <cstdint>
#include <string>

#include "mapper/mapping_problem.hpp"
#include "proof/claim.hpp"

namespace pimbb::proof {

struct Fragment {
  std::string text;
  std::uint64_t inner_nodes = 0;
  std::uint64_t leaves = 0;
  void append(const Fragment& other);
};

class Tree {
 public:
  Tree(const mapper::Instance& instance, const mapper::Storage& storage,
       const mapper::LevelTiles& levels, const mapper::Completion& completion)
      : instance_(instance),
        lattice_(instance.lattice),
        storage_(storage),
        levels_(levels),
        completion_(completion),
        rb_(instance.architecture.row_buffer()) {}

  /// The records below the root. Throws std::logic_error if a mapping refutes the claim.
  [[nodiscard]] Fragment prove(const Claim& claim) const;
  /// No mapping costs less than this, in any respect.
  [[nodiscard]] mapper::Costs least() const;

 private:
  struct Node {
    std::size_t level = 0;  ///< the innermost level decided
    mapper::State state;
    mapper::Sums sums;
    bool loops = true;               ///< whether there are any between this tile and the last
    mapper::TileIndex row_tile = 0;  ///< of the row buffer
    Tensor at_dram = Tensor::input;  ///< class of the DRAM's loops
  };

  [[nodiscard]] std::vector<Node> children(const Node& node) const;
  [[nodiscard]] Node child(const Node& node, const mapper::Step& step) const;
  [[nodiscard]] Node root() const;
  void add(mapper::Sums& sums, const mapper::Terms& terms) const;
  [[nodiscard]] PerTensor<dram::RowReuse> reuse(const Node& child,
                                                const mapper::LoopSplit* below) const;
  /// Everything but the energies of the completion `rest`.
  [[nodiscard]] mapper::Costs so_far(const Node& node, const Int128* rest) const;
  [[nodiscard]] Verdict judge(const Claim& claim, const Node& node) const;
  void write(const Claim& claim, const Node& node, Fragment& out) const;
  void evaluate(const Claim& claim, const Node& node) const;

  const mapper::Instance& instance_;
  const mapper::Lattice& lattice_;
  const mapper::Storage& storage_;
  const mapper::LevelTiles& levels_;
  const mapper::Completion& completion_;
  std::size_t rb_;
};

}  // namespace pimbb::proof
