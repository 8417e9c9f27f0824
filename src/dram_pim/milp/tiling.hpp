// The factors of every dimension as a path through the divisors of its bound.
//
// For dimension j the program decides the spatial factor with its direction (binaries
// `unroll_K_H_8` and one for "not unrolled", which implies rule 2) and the cumulative tile of every
// level (binaries `tile_K_2_64`: c[2][K] = 64). Joint choices connect neighbours and contain only
// pairs that divide,
//
//     unrolled --> c[0] --> c[1] --> ... --> c[rb] --> B[j]        each arrow: "divides"
//
// so there is exactly one path for each factorization of the bound, and a temporal factor is the
// quotient along its arrow. The rows of such a path are those of a network flow, whose relaxation
// has integral vertices; a formulation with prime exponents or logarithms would not have this
// property.
#pragma once

#include "dram_pim/milp/problem.hpp"

namespace pimbb::dram_pim::milp {

struct Tiling {
  /// Keys of one number: the spatial factor in one direction, and in any.
  PerDim<std::array<Choice, kDirections>> unrolled;
  PerDim<Choice> spatial;
  /// Key {share}: the share of one PE, internal and level-0 temporal factors.
  PerDim<Choice> share;
  /// Per level, key {c}: the cumulative tile; {B} at the DRAM.
  std::vector<PerDim<Choice>> tile;
  /// Per level >= 1, key {c one level inwards, c}: the temporal factor is their quotient.
  std::vector<PerDim<Choice>> step;

  /// 1 if level m >= 1 has no loop of j.
  [[nodiscard]] Sum idle(std::size_t m, Dim j) const;
};

/// A key of kDims numbers as a tile.
Factors factors_of(const Key& key);

/// Decides unrolling and tiles (docs/model.md, rules 1, 2 and 4; array.hpp limits the size of the
/// array, where the products of spatial factors are built).
Tiling decide_tiling(Problem& problem);

/// The joint tile of all dimensions of t, with keys of kDims numbers (1 if a dimension does not
/// index t), from the choices of single dimensions; only tiles of at most `most` elements.
Choice joint_tile(Problem& problem, const std::string& subject, Tensor t,
                  const PerDim<Choice>& parts, std::int64_t most);

}  // namespace pimbb::dram_pim::milp
