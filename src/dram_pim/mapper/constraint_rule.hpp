// Constraints on factors and storage in the search (pimbb/dram_pim/constraints.hpp). Orders are
// OrderRule's, layouts RowTable's.
//
// Every constraint concerns one decision of a chain of tiles:
//
//     spatial factors           the spatial vectors (spatial.hpp)
//     factors of level 0        the options of a level-0 tile
//     factors of a level m      the step from the tile of level m to that of level m - 1
//     storage                   the storage choice
//
// so the options of a decision are filtered, and nothing else in the tree changes. Why this is
// compatible with what the search leaves out:
//
//   - A restriction only removes mappings, so a bound of the free space remains a bound.
//   - Whether a step is admitted depends on its two tiles only, so nodes in the same state (tile,
//     stationary tensor, anchor) still have the same completions: dominance remains valid. The
//     same holds for loop orders and layouts that are compared under one chain of tiles.
//   - The orders of a loop class have the same factors, so the representative of a class satisfies
//     the constraints if any member does; the same holds for the splits of array factors over H
//     and W, which are counted after they have been filtered.
//   - Options of a level-0 tile are filtered before they are compared, and a tile is compared with
//     no other tile.
//   - A turned mapping may violate what the mapping satisfies: the symmetry rule is disabled.
//
// In each dimension, the ranges leave some values of the cumulative factor of a level: those that
// can be reached from the array outwards and from which the bound can be reached. Tiles with other
// factors are not part of any mapping, and the cost-to-go takes no completion through them.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/constraints.hpp"

namespace pimbb::dram_pim::mapper {

class ConstraintRule {
 public:
  /// No constraints.
  ConstraintRule() = default;
  /// Throws what validate() does.
  ConstraintRule(const Architecture& architecture, const Workload& workload,
                 const Constraints& constraints);

  [[nodiscard]] const Constraints& constraints() const { return constraints_; }
  /// Whether factors are constrained; if not, the first four of these admit everything.
  [[nodiscard]] bool limits_factors() const { return !reached_.empty(); }
  [[nodiscard]] bool unrolls(Direction d, const Factors& factors) const;
  /// Whether a PE may run the loops that are left of a level-0 tile.
  [[nodiscard]] bool runs(const Factors& tile, const Factors& array,
                          const Factors& internal) const {
    return !limits_factors() || may_nest(0, tile, times(array, internal));
  }
  /// Whether `level` > 0 may have the loops between its tile and the tile inside.
  [[nodiscard]] bool nests(std::size_t level, const Factors& outer, const Factors& inner) const {
    return !limits_factors() || may_nest(level, outer, inner);
  }
  /// Whether the ranges leave this tile of a level.
  [[nodiscard]] bool reaches(std::size_t level, const Factors& tile) const;

  [[nodiscard]] std::optional<bool> stored(std::size_t level, Tensor t) const {
    return constraints_.stored(level, t);
  }
  /// Whether every tensor is stored where it must be, and nowhere else that is decided.
  [[nodiscard]] bool keeps(const std::vector<TensorFlags>& stores) const;

 private:
  [[nodiscard]] bool may_nest(std::size_t level, const Factors& outer, const Factors& inner) const;
  using Values = std::set<std::int64_t>;
  [[nodiscard]] Values spatial_values(const Architecture& architecture, std::int64_t bound,
                                      Dim j) const;

  Constraints constraints_;
  std::vector<std::array<Values, kDims>> reached_;  // by level
};

}  // namespace pimbb::dram_pim::mapper
