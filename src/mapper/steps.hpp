// One step down the chain of tiles: which tensors can be stationary, and in how many loop orders.
//
// The loops of a level are the step from its tile c to the tile c' inside it. Only the innermost
// run of loops that are irrelevant to one tensor s leaves a tile in place, and since each dimension
// but G is irrelevant to exactly one tensor, s is decided by the innermost loop. So all orders of a
// level fall into at most four classes: one for each tensor that has an irrelevant loop there, and
// one of the orders with G innermost, which leave nothing in place.
//
// Claim: within class s, the order with *all* of s's irrelevant loops innermost is at least as good
// as any other, for traffic and for the closed row models.
// Proof. The other two tensors meet a relevant loop first in every order of the class: their fills
// see every loop, and all their irrelevant loops are outer. For s, moving an irrelevant loop from
// outside a relevant one into the innermost run divides its fills by that factor and turns an Outer
// factor of N_act into a Reuse factor at the same level. Given that at least one Reuse factor is
// there already, no formula grows: `analytic` multiplies all four or spares the Reuse factors;
// `hybrid` has the product of all four in common and charges 2 for Reuse > 1, which holds before
// and after. The input has a single irrelevant dimension, so its class has one member. With G
// innermost every tensor meets a relevant loop first, so all orders of that class cost alike.  []
//
// A run goes on outwards through levels whose loops are all irrelevant to s, and through levels
// without loops. The state of a chain above a tile is therefore (tile, s, anchor): the irrelevant
// part of the tile at which the run began. A loop over G is relevant to every tensor and ends every
// run; what follows is a run of nothing yet, written as one of the input that begins at the tile.
//
// Claim: where only fills see the order of a level's loops (inside the row buffer, and for `trace`
// inside all loops that move something in the DRAM), G need not be innermost unless it is alone.
// Proof. Take an order with G innermost and another loop, and move G outermost. All fills saw every
// loop before, so none grows; nor does any further inside, as a run that the level now begins only
// spares sweeps. No demand of a dataflow is hurt: a level with loops irrelevant to its tensor T has
// these innermost in any case, and without them no class of the level is that of T.  []
// At the row buffer and the DRAM this is false. The closed formulas let outer repetitions cross
// blocks and rows for free and charge inner ones: with G innermost all repetitions are outer, which
// lowers a sequential input's N_act in `hybrid`, (T + (A - T) * Reuse) * Outer3. There all four
// classes stay.
#pragma once

#include <array>

#include "dram/row_activations.hpp"
#include "mapper/dataflow_rule.hpp"
#include "mapper/order_rule.hpp"

namespace pimbb::mapper {

struct State {
  TileIndex tile = 0;
  Tensor stationary = Tensor::input;
  std::uint32_t anchor = 0;  ///< for `stationary`
};

struct Step {
  State to;
  LoopClass loops;           ///< class of the step's loops; where there are none, that of `from`
  std::uint64_t orders = 1;  ///< members of the class
};

/// Who sees in which order the loops of a step run: fills alone, or row activations as well.
enum class OrderMatters : std::uint8_t { to_fills, to_rows };

/// The classes of the step from `from` down to the tile `to` (which divides it). One if there is
/// no loop; else one for each tensor with an irrelevant loop in the step, and one more, the last,
/// if there is a loop over G. With rules, those of them that they allow for the loops of `level`,
/// and of their members the orders that they allow; without those that need not be looked at.
struct Steps {
  std::array<Step, kTensors + 1> step;
  std::size_t count = 0;

  Steps(const Lattice& lattice, const State& from, TileIndex to);
  Steps(const Lattice& lattice, const State& from, TileIndex to, const DataflowRule& rule,
        const OrderRule& orders, std::size_t level, OrderMatters matters = OrderMatters::to_rows);
  [[nodiscard]] const Step* begin() const { return step.data(); }
  [[nodiscard]] const Step* end() const { return step.data() + count; }

 private:
  void keep(const Lattice& lattice, const State& from, TileIndex to, const OrderRule& orders,
            std::size_t level);
};

/// Splits each tensor's irrelevant loops of the step between two tiles into inner and outer ones.
struct LoopSplit {
  PerTensor<std::int64_t> inner{1, 1, 1};
  PerTensor<std::int64_t> outer{1, 1, 1};

  /// `run`: loops that may be inner; with no precedence of loops, all.
  LoopSplit(const Tile& from, const Tile& to, LoopClass loops, DimMask run = kEveryDim);
};

}  // namespace pimbb::mapper
