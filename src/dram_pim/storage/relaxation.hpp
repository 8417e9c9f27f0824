// A lower bound for a complete or partial storage choice, computed before any table is built for
// it: a linear program over the fill points of its levels.
//
// Columns are weights of fill points (fill_points.hpp), which sum to one at each level; a mapping
// has one point of weight 1 at each level. Rows demand, for each level m and tensor t,
//
//     V_t(m) >= the fills that the weighted points of level m, m+1 (inside) and m-1 (outside) imply
//     V_t(m) >= k_t V_t(m+1)                  fills only grow inwards
//     the weight of runs of s that go on inside level m+1 = of those that come from outside at m
//     T >= every sum of transfers of one resource; row activations belong to the points of the row
//          buffer, the feed of the PEs to the points of the spatial unrolling
//
// and the objective is T, or the energy, in which every read is charged at its source. A tensor
// whose storage at a level is undecided costs nothing there, needs no capacity, and may serve inner
// levels at the least access cost of all levels that can still be their source; the bound is
// therefore valid for every completion of the choice. The relaxation drops the chain: tiles of
// neighbouring levels need not divide each other, only the fills that they imply for each other
// must agree.
//
// The bound is exact: the program has integer coefficients, the simplex gives multipliers, and
// lp::SafeBound computes from them a bound that is valid in exact arithmetic. It is rounded up,
// because scaled costs are integers. Four levels of memory give about 300 columns and 60 rows, 40
// to 80 iterations, 2 ms.
#pragma once

#include <memory>
#include <optional>

#include "dram_pim/storage/fill_points.hpp"
#include "lp/safe_bound.hpp"
#include "lp/simplex.hpp"

namespace pimbb::dram_pim::mapper {

class Relaxation {
 public:
  /// `points` must be prepared for this storage choice, with its points where programs are solved.
  /// The programs are built and solved as long as `guard` allows; keeps references.
  Relaxation(const Instance& instance, const FillPoints& points, const PartialStorage& storage,
             const run::Guard& guard = run::kUnguarded);
  ~Relaxation();

  /// The least compute cycles, scaled; kInfinity if there is no unrolling. Needs no program.
  [[nodiscard]] Int128 least_compute() const;
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
  const std::vector<LeafPoint>& leaves_;
  const run::Guard& guard_;
  std::unique_ptr<Program> energy_;  // with the latency as a column, from the first limit on
  std::uint64_t solves_ = 0;
  std::uint64_t iterations_ = 0;
};

}  // namespace pimbb::dram_pim::mapper
