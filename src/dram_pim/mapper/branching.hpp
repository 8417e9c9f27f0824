// The tree of partial mappings: the next decision at a node, its alternatives and their costs.
// Search and proof both use this tree; they differ in the order of the nodes and in those that they
// omit.
//
// The decisions, from the outside inwards:
//
//     row_buffer_tile   the tile of the row buffer and the class of the DRAM's loops
//     next_tile         the tile of the next level inwards and the class of the loops between; at
//                       the row buffer also the row activations, as far as they are known
//     loop_orders       orders of the loops of row buffer and DRAM, if activations depend on them
//     unrolling         at level 0, the spatial unrolling: the leaves
//
// The loop class of a step represents all of its orders (nest/steps.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dram_pim/mapper/allowed_steps.hpp"
#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/row_pricing.hpp"

namespace pimbb::dram_pim::mapper {

enum class Decision : std::uint8_t { row_buffer_tile, next_tile, loop_orders, unrolling };

class Branching {
 public:
  /// Keeps references. `inside`: whether, inside the row buffer, the class that only row
  /// activations could need is omitted.
  Branching(const Instance& instance, const Storage& storage, const LevelTiles& levels,
            const ChainRows& rows, OrderMatters inside)
      : instance_(instance),
        storage_(storage),
        levels_(levels),
        rows_(rows),
        inside_(inside),
        rb_(instance.architecture.row_buffer()) {}

  /// The node without any decision.
  [[nodiscard]] PartialMapping root() const;
  [[nodiscard]] Decision next(const PartialMapping& node) const {
    if (node.level == rb_ + 1) return Decision::row_buffer_tile;
    if (node.level + 1 == rb_ && rows_.known() == RowsKnown::with_orders && !node.chain.ordered) {
      return Decision::loop_orders;
    }
    return node.level > 0 ? Decision::next_tile : Decision::unrolling;
  }

  /// The costs after an arrival at the row buffer, without activations.
  [[nodiscard]] static Sums sums_after(const PartialMapping& root, const Arrival& arrival) {
    Sums sums = root.sums;
    sums.energy = arrival.energy;
    return sums;
  }

  /// The tiles that the next level inwards admits inside the node's, in a fixed order.
  [[nodiscard]] std::vector<TileIndex> tiles_inside(const PartialMapping& node) const;

  /// Calls visit(step, sums, layouts) for every step from `node` to each of `tiles` that
  /// constraints admit, in order. At the row buffer, where `rows` are those below the node,
  /// settles(step, sums) is called first, with lower bounds that are cheaper to compute; if it
  /// returns true, the step is not visited.
  template <class Settles, class Visit>
  void for_each_step(const PartialMapping& node, std::span<const TileIndex> tiles,
                     const RowBufferRows* rows, const Settles& settles, const Visit& visit) const;

 private:
  [[nodiscard]] Steps steps(const PartialMapping& node, TileIndex to, OrderMatters matters) const {
    return allowed_steps(instance_.lattice, node.state, to, instance_.rule, instance_.orders,
                         node.level, matters);
  }
  /// The costs after a step from a node inside the row buffer.
  [[nodiscard]] Sums sums_after(const PartialMapping& node, const Step& step) const {
    const Lattice& lattice = instance_.lattice;
    const Tensor s = step.to.stationary;
    Sums sums = node.sums;
    sums.add(
        storage_.fill(node.level - 1, lattice[step.to.tile], s, lattice.outer(s, step.to.anchor)),
        storage_.open_count());
    return sums;
  }

  const Instance& instance_;
  const Storage& storage_;
  const LevelTiles& levels_;
  const ChainRows& rows_;
  OrderMatters inside_;
  std::size_t rb_;
};

/// Adds the step from the row buffer to `to` at level rb - 1, with its row activations.
void add_rows(Sums& sums, const Instance& instance, const Storage& storage, const State& to,
              const PerTensor<Int128>& activations);

template <class Settles, class Visit>
void Branching::for_each_step(const PartialMapping& node, std::span<const TileIndex> tiles,
                              const RowBufferRows* rows, const Settles& settles,
                              const Visit& visit) const {
  const auto admitted = [&](TileIndex to) {
    const Lattice& lattice = instance_.lattice;
    return instance_.constraints.nests(node.level, lattice[node.state.tile].c, lattice[to].c);
  };
  if (node.level != rb_) {
    for (const TileIndex to : tiles) {
      if (!admitted(to)) continue;
      for (const Step& step : steps(node, to, inside_)) {
        visit(step, sums_after(node, step), node.chain.layout);
      }
    }
    return;
  }
  const auto sums_with = [&](const Step& step, const PerTensor<Int128>& activations) {
    Sums sums = node.sums;
    add_rows(sums, instance_, storage_, step.to, activations);
    return sums;
  };
  for (const TileIndex to : tiles) {
    if (!admitted(to)) continue;
    for (const Step& step : steps(node, to, OrderMatters::to_rows)) {
      if (settles(step, sums_with(step, rows->least()))) continue;
      const RowChoice choice = rows->after(step);
      visit(step, sums_with(step, choice.activations), choice.layout);
    }
  }
}

}  // namespace pimbb::dram_pim::mapper
