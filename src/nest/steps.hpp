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
#include <bit>
#include <cstdint>
#include <optional>

#include "nest/lattice.hpp"

namespace pimbb::nest {

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

/// Of a class of loop orders, what a partial order of the loops leaves: the irrelevant loops that
/// may stand innermost (none: no order of the class is left), and how many orders there are.
struct InnermostRun {
  DimMask loops = 0;
  std::uint64_t orders = 0;
};

/// The classes of the step from `from` down to the tile `to` (which divides it). One if there is
/// no loop; else one for each tensor with an irrelevant loop in the step, and one more, the last,
/// if there is a loop over G.
struct Steps {
  std::array<Step, kTensors + 1> step;
  std::size_t count = 0;

  Steps(const Lattice& lattice, const State& from, TileIndex to);
  /// Keeps the classes of which `run_of(class)`, a InnermostRun, leaves an order, with as much of
  /// the run as may stand innermost.
  template <class RunOf>
  void keep_runs(const Lattice& lattice, const State& from, TileIndex to, const RunOf& run_of);
  /// Keeps the classes whose arrival at `to` `may_arrive(class in place)` allows; where the step
  /// has loops irrelevant to `demanded`, only the class of that tensor, with these loops innermost.
  /// If the order matters to fills only, the class with G innermost is left to the others.
  template <class MayArrive>
  void keep_arrivals(const Lattice& lattice, const State& from, TileIndex to,
                     std::optional<Tensor> demanded, OrderMatters matters,
                     const MayArrive& may_arrive);
  [[nodiscard]] const Step* begin() const { return step.data(); }
  [[nodiscard]] const Step* end() const { return step.data() + count; }
};

/// n!, n <= 20.
std::uint64_t factorial(int n);

/// Splits each tensor's irrelevant loops of the step between two tiles into inner and outer ones.
struct LoopSplit {
  PerTensor<std::int64_t> inner{1, 1, 1};
  PerTensor<std::int64_t> outer{1, 1, 1};

  /// `run`: loops that may be inner; with no precedence of loops, all.
  LoopSplit(const Tile& from, const Tile& to, LoopClass loops, DimMask run = kEveryDim);
};

template <class RunOf>
void Steps::keep_runs(const Lattice& lattice, const State& from, TileIndex to,
                      const RunOf& run_of) {
  const Tile& outer = lattice[from.tile];
  const Tile& inner = lattice[to];
  const DimMask loops = Lattice::step_mask(outer, inner);
  if (loops == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor s = step[i].to.stationary;
    const LoopClass of = step[i].loops;
    const InnermostRun run = run_of(of);
    if (run.loops == 0) continue;
    step[kept] = step[i];
    step[kept].orders = run.orders;
    if (of && run.loops != (loops & irrelevant_mask(s))) {
      Factors begun = inner.c;
      for (std::size_t k = 0; k < kDims; ++k) {
        if ((run.loops >> k & 1U) != 0) begun[k] = outer.c[k];
      }
      step[kept].to.anchor = lattice.anchor_of(s, begun);
    }
    ++kept;
  }
  count = kept;
}

template <class MayArrive>
void Steps::keep_arrivals(const Lattice& lattice, const State& from, TileIndex to,
                          std::optional<Tensor> demanded, OrderMatters matters,
                          const MayArrive& may_arrive) {
  const Tile& inner = lattice[to];
  const DimMask loops = Lattice::step_mask(lattice[from.tile], inner);
  const int in_run =
      demanded ? std::popcount(static_cast<DimMask>(loops & irrelevant_mask(*demanded))) : 0;
  std::size_t allowed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const State& arrived = step[i].to;
    const bool in_place = arrived.anchor != inner.anchor[index(arrived.stationary)];
    if (in_run > 0 && step[i].loops != demanded) continue;
    if (!may_arrive(in_place ? LoopClass(arrived.stationary) : std::nullopt)) continue;
    if (loops != 0 && !step[i].loops && matters == OrderMatters::to_fills && allowed > 0) {
      step[0].orders += step[i].orders;  // stands for them
      continue;
    }
    step[allowed] = step[i];
    if (in_run > 0) {
      step[allowed].orders = factorial(in_run) * factorial(std::popcount(loops) - in_run);
    }
    ++allowed;
  }
  count = allowed;
}

}  // namespace pimbb::nest
