// A lower bound for a storage choice, complete or not, before any table is built for it: a linear
// program over what its levels can do.
//
// Columns are weights of fill points (fill_points.hpp), which add up to one at each level: a
// mapping is the point that has a weight of 1 everywhere. Rows demand, for each level m and tensor
// t,
//
//     V_t(m) >= what the weighted points of level m, m+1 (inside) and m-1 (outside) say
//     V_t(m) >= k_t V_t(m+1)                  fills only grow inwards
//     the weight of runs of s that go on inside level m+1 = of those that come from outside at m
//     T >= every sum of transfers that one resource serves; row activations come with the points of
//          the row buffer, the feed of the PEs with the points of the spatial unrolling
//
// and the objective is T, or the energy, in which every read is charged at its source. A tensor
// whose place at a level is still open costs nothing there, needs no capacity, and may serve inner
// levels at the least access cost of all levels that can still be their source; so the bound holds
// for every way to complete the choice. What is lost is the chain: tiles of neighbouring levels
// need not divide each other, they only agree in the fills that they imply for each other.
//
// The bound is exact: the program is written in integers, the simplex gives multipliers, and
// lp::SafeBound turns them into a number that every feasible point respects. Being an integer over
// the scale, it is rounded up. About 300 columns and 60 rows for four levels of memory, 40 to 80
// iterations, 2 ms.
#pragma once

#include <memory>
#include <optional>

#include "dram_pim/storage/fill_points.hpp"
#include "lp/safe_bound.hpp"
#include "lp/simplex.hpp"

namespace pimbb::dram_pim::mapper {

enum class Stored : std::uint8_t { no, yes, open };

/// What is decided of a storage choice, per level, row buffer and DRAM included.
using PartialStorage = std::vector<PerTensor<Stored>>;

class Relaxation {
 public:
  /// Requires `points` to be prepared for the tensors that each level has to hold.
  Relaxation(const Instance& instance, const FillPoints& points, const PartialStorage& storage);
  ~Relaxation();

  /// The least scaled latency of any mapping; kInfinity if there is none.
  [[nodiscard]] Int128 least_latency();
  /// The least scaled energy of any mapping that takes no longer than `latency` (kInfinity: no
  /// limit); kInfinity if there is none.
  [[nodiscard]] Int128 least_energy(Int128 latency);

  [[nodiscard]] std::uint64_t solves() const { return solves_; }
  [[nodiscard]] std::uint64_t iterations() const { return iterations_; }

 private:
  class Builder;
  struct Program;

  Int128 solve(Program& program);

  const Instance& instance_;
  const FillPoints& points_;
  const PartialStorage& storage_;
  std::unique_ptr<Program> energy_;  // with the latency as a column, from the first limit on
  std::uint64_t solves_ = 0;
  std::uint64_t iterations_ = 0;
};

/// The tensors that a level has to hold.
TensorFlags decided(const PerTensor<Stored>& level);

}  // namespace pimbb::dram_pim::mapper
