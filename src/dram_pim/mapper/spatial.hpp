// Spatial unrolling: the factors of a level-0 tile that run on the array at the same time.
//
// A tile c[0] consists of array factors (rows and columns), internal factors, and the loops of one
// PE. Its cost depends on the array only through the product of rows and columns, so array factors
// are kept as one vector, with one valid split over H and W and the number of valid splits. Under a
// fixed storage choice the options of a tile are compared by their leaf terms (latency, energy,
// open resources). Only options that no other option equals or beats in every term are kept; this
// is exact because every objective is non-decreasing in every term.
//
// The terms of an option do not depend on the tile, so they are computed once for all options,
// which are sorted lexicographically by latency, energy and open resources. A tile takes the
// options that divide it and fit a PE in this order: no option is dominated by a later one, and
// when an option is kept that is at least as cheap in every term as all later ones, the rest is
// skipped. The options that divide a tile are an intersection of bit sets, one for each dimension.
// Hardly any of them leaves a PE as little as it can hold. Sets of those whose product of some
// factors is large enough, one for each tensor, take most others out at once: of a share, the
// weights and outputs are the product of their dimensions, and the inputs at least that of N, G, C,
// Q and P, because a window is no smaller than its outputs are many.
//
// Claim: without restrictions (a dataflow's, constraints') a tile has an option only if every tile
// that divides it has one.
//
// Proof. Let the PEs run s = c / a of the tile c, with a on the array, and let c' divide c. Take
// a'[j] = gcd(c'[j], a[j]) on the array, nothing inside the PEs, and s' = c' / a'. For each prime,
// the exponent of s'[j] is that of c'[j] minus that of a[j], or 0, so s' divides s and fits a PE.
// The factors of a' divide those of a on either side of the array, so a' fits the array, and a' is
// a tile of the lattice because it divides a.  []
//
// Claim: no option of a tile c is before the first options of the tiles just below c, and before
// the first one of the menu with exactly the factors of c.
//
// Proof. Let u be the factors of an option of c, array and internal. If u is not c, some prime p
// divides c / u in dimension j. With c / p in its place, the work of a PE shrinks by p and still
// contains the internal factors: the option is one of c / p.  []
#pragma once

#include <functional>
#include <vector>

#include "dram_pim/mapper/constraint_rule.hpp"
#include "dram_pim/mapper/dataflow_rule.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/mapper/tiles.hpp"

namespace pimbb::dram_pim::mapper {

struct SpatialOption {
  TileIndex array = 0;       ///< product of rows and columns, as a tile
  TileIndex internal = 0;    ///< internal factors, as a tile
  Terms terms{0};            ///< compute, level 0, direct feeds
  std::uint64_t splits = 1;  ///< ways to split `array` over H and W
};

/// All spatial vectors that the PE array and unit type allow for a layer, for any storage choice.
class SpatialVectors {
 public:
  SpatialVectors(const Architecture& architecture, const Lattice& lattice,
                 const run::Guard& guard = {}, const ConstraintRule& constraints = {});

  struct Vector {
    TileIndex tile = 0;        ///< its factors
    DimMask dims = 0;          ///< dimensions with a factor > 1
    TileIndex rows = 0;        ///< array vectors: the part on H of one valid split
    std::uint64_t splits = 1;  ///< array vectors: number of valid splits
  };
  [[nodiscard]] const std::vector<Vector>& array() const { return array_; }
  [[nodiscard]] const std::vector<Vector>& internal() const { return internal_; }
  /// The array vector with the given factors.
  [[nodiscard]] const Vector& array_vector(TileIndex tile) const;
  /// Calls visit(array, internal, tile) for each pair that shares no dimension and whose product, a
  /// tile, the row buffer can hold.
  template <class Visit>
  void for_each_unrolling(const Lattice& lattice, const run::Guard& guard,
                          const Visit& visit) const {
    run::GuardedSteps step(guard);
    for (const Vector& on_array : array_) {
      for (const Vector& inside : internal_) {
        step();
        if ((inside.dims & on_array.dims) != 0) continue;
        const TileIndex tile =
            lattice.disjoint_product(lattice[on_array.tile], lattice[inside.tile]);
        if (tile != kNoTile) visit(on_array, inside, tile);
      }
    }
  }

 private:
  std::vector<Vector> array_;  // ascending tile index
  std::vector<Vector> internal_;
};

/// All options under a storage choice.
class SpatialMenu {
 public:
  /// Whether an unrolling with these factors, as a tile, and terms is of interest.
  using Wanted = std::function<bool(TileIndex unrolled, const Terms& terms)>;

  /// The menu of the unrollings that both rules allow and that are wanted; empty: all are.
  SpatialMenu(const Lattice& lattice, const SpatialVectors& vectors, const Storage& storage,
              const DataflowRule& rule, const ConstraintRule& constraints, const run::Guard& guard,
              const Wanted& wanted = {});

  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] const SpatialOption& operator[](std::uint32_t place) const {
    return items_[place].option;
  }

  /// Options of level-0 tile `tile` that fit one PE, by their places; empty if there is none. With
  /// `prune`, dominated options are left out. `from`: none before it is an option. Thread-safe.
  [[nodiscard]] std::vector<std::uint32_t> options(const Tile& tile, bool prune,
                                                   const run::Guard& guard,
                                                   std::uint32_t from = 0) const;

  /// Whether a tile has options only if the tiles that divide it have (see above).
  [[nodiscard]] bool is_monotone() const {
    return !rule_.restricts_unrolling() && !constraints_.limits_factors();
  }
  /// For each tile of the lattice, the place of the first option with exactly its factors; kNone if
  /// there is none.
  [[nodiscard]] std::vector<std::uint32_t> places() const;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

 private:
  struct Item {
    SpatialOption option;
    TileIndex unrolled = 0;  ///< array and internal factors together
    Terms cheapest;          ///< for each term the least value from here to the end of the menu
  };
  /// For each divisor of a dimension's bound the set of items whose factor divides it.
  struct Dividing {
    std::size_t dim;
    std::vector<std::uint64_t> bits;  ///< words_ for each divisor
  };

  /// For a tensor that PEs store, the items by their product of array factors: for each product
  /// that occurs, the set of those with no smaller one.
  struct Spreading {
    DimMask dims = 0;
    std::int64_t most = 0;               ///< product of a share's factors that a PE can hold
    std::vector<std::int64_t> products;  ///< ascending
    std::vector<std::uint64_t> bits;     ///< words_ for each
  };

  /// Adds a set of items, words_ long: those whose place `contains` accepts.
  template <class Contains>
  void append_set(std::vector<std::uint64_t>& bits, const Contains& contains) const;
  void index_divisors(run::GuardedSteps& step);
  void index_spreads(run::GuardedSteps& step);
  /// Calls visit(item) for those that divide `tile`, in order, until it returns false. `from`: no
  /// earlier one divides it.
  template <class Visit>
  void for_each_inside(const Tile& tile, std::uint32_t from, const Visit& visit) const;

  const Lattice& lattice_;
  const Storage& storage_;
  const DataflowRule& rule_;
  const ConstraintRule& constraints_;
  std::vector<Item> items_;         // sorted
  std::size_t words_ = 0;           // of a set of items
  std::vector<Dividing> dividing_;  // of dimensions in which some item has a factor
  std::vector<Spreading> spreading_;
};

}  // namespace pimbb::dram_pim::mapper
