// One step of the chain of tiles: its loop classes and the tensor that each leaves in place.
//
// The loops of a level are the step from its tile c to the tile c' inside it. Only the innermost
// loops that are irrelevant to the same tensor s leave a tile in place. Each dimension except G is
// irrelevant to exactly one tensor, so the innermost loop determines s. The orders of a level
// therefore form at most four classes: one for each tensor that has an irrelevant loop there, and
// one for the orders with G innermost, which leave no tensor in place.
//
// Claim: within class s, the order with *all* of s's irrelevant loops innermost is at least as good
// as any other order, for traffic and for the closed row models.
// Proof. For the other two tensors the innermost loop is relevant in every order of the class:
// their fills count every loop, and all their irrelevant loops are outer. For s, moving an
// irrelevant loop from outside a relevant one to the innermost ones divides its fills by that
// factor and turns an Outer factor of N_act into a Reuse factor at the same level. At least one
// Reuse factor exists already, so no formula grows: `analytic` multiplies all four factors or omits
// the Reuse factors; `hybrid` contains the product of all four in any case and a factor of 2 if
// Reuse > 1, which holds before and after. The input has a single irrelevant dimension, so its
// class has one member. With G innermost the innermost loop is relevant to every tensor, so all
// orders of this class cost the same.  []
//
// Seen from a tile, a run extends outwards through levels whose loops are all irrelevant to s, and
// through levels without loops. The state of a chain above a tile is therefore (tile, s, anchor),
// where the anchor is the irrelevant part of the tile at which the run began. A loop over G is
// relevant to every tensor and ends every run; the state after it is a run of the input that begins
// at the tile.
//
// Claim: if only fills depend on the order of a level's loops (inside the row buffer, and for
// `trace` inside all loops that move a tile of the DRAM), G need not be innermost unless it is the
// only loop.
//
// Proof. Take an order with G innermost and another loop, and move G outermost. All
// fills counted every loop before, so none grows. No fill further inside grows either, because a
// run that begins at this level only reduces sweeps. The demands of dataflows remain satisfied: a
// level with loops irrelevant to its tensor T has these loops innermost in any case, and without
// such loops no class of the level is that of T.  []
//
// At the row buffer and the DRAM this is not true. In the closed formulas outer repetitions cross
// blocks and rows without cost, and inner ones do not. With G innermost all repetitions are outer,
// which reduces N_act of a sequential input in `hybrid`, (T + (A - T) * Reuse) * Outer3. There all
// four classes are needed.
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
  LoopClass loops;           ///< class of the step's loops; that of `from` if there are none
  std::uint64_t orders = 1;  ///< members of the class
};

/// The costs that depend on the order of a step's loops: fills only, or row activations too.
enum class OrderMatters : std::uint8_t { to_fills, to_rows };

/// The part of a loop class that a partial order of the loops allows: the irrelevant loops that may
/// be innermost (none: no order of the class is allowed), and the number of allowed orders.
struct InnermostRun {
  DimMask loops = 0;
  std::uint64_t orders = 0;
};

/// The loop classes of the step from `from` to the tile `to`, which divides it. One class if there
/// is no loop; else one for each tensor with an irrelevant loop in the step, and a last one if
/// there is a loop over G.
struct Steps {
  std::array<Step, kTensors + 1> step;
  std::size_t count = 0;

  Steps(const Lattice& lattice, const State& from, TileIndex to);
  /// Keeps the classes for which `run_of(class)`, an InnermostRun, allows an order; the run of each
  /// consists of the loops that may be innermost.
  template <class RunOf>
  void keep_runs(const Lattice& lattice, const State& from, TileIndex to, const RunOf& run_of);
  /// Keeps the classes for which `may_arrive(class in place)` allows the arrival at `to`. If the
  /// step has loops irrelevant to `demanded`, keeps only the class of that tensor, with these loops
  /// innermost. If the order matters to fills only, other classes represent the one with G
  /// innermost.
  template <class MayArrive>
  void keep_arrivals(const Lattice& lattice, const State& from, TileIndex to,
                     std::optional<Tensor> demanded, OrderMatters matters,
                     const MayArrive& may_arrive);
  [[nodiscard]] const Step* begin() const { return step.data(); }
  [[nodiscard]] const Step* end() const { return step.data() + count; }
};

/// n!, n <= 20.
std::uint64_t factorial(int n);

/// For the step between two tiles, the products of each tensor's inner and outer irrelevant loops.
struct LoopSplit {
  PerTensor<std::int64_t> inner{1, 1, 1};
  PerTensor<std::int64_t> outer{1, 1, 1};

  /// `run`: the loops that may be inner; all of them without a precedence.
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
      step[0].orders += step[i].orders;  // represents them
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
