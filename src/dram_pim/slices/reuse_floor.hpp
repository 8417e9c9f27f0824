// A lower bound on the energy of all reads, from the capacities of the levels.
//
// An element of a tensor that a tile holds serves a number of MACs before it is moved again: the
// product of the tile's sizes in the dimensions that do not index the tensor (its *reuse*), times
// the irrelevant loops directly outside of the tile, for the one tensor that these leave in place.
// The reuse is limited by what fits the level, and that of the tensor that stays in place by the
// tile of the next level. So with MACs of a layer in front, the fills of the levels cost
//
//     sum over levels i and tensors t of  cost * halo_t / reuse_t(i)
//
// where at each level one tensor s has the reuse of the tile of the next level instead. The least
// of this over all tiles that fit, level by level from the inside out, is found for each choice of
// what free levels store. Of tiles within each other only the reuses are compared: a relaxation.
// reuse_floor.cpp has the proof.
//
// The sizes of tiles are the divisors of some bounds, or all integers: then the tables hold for all
// layers with bounds up to the given ones. Everything is in fixed point rounded down.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "dram_pim/mapper/scale.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::slices {

class ReuseFloor {
 public:
  enum class Sizes : std::uint8_t { divisors, any };

  /// For layers with the bounds of `layer`, or for all up to these, in the energy units of `scale`.
  ReuseFloor(const Architecture& architecture, const Workload& layer, const mapper::Scale& scale,
             Sizes sizes);

  /// The energy of the reads of all levels, at least. 0 if the tiles are too many to be counted.
  [[nodiscard]] Int128 energy(const Factors& bounds) const;

  struct OfChoice {
    std::vector<TensorFlags> stores;  ///< by level
    Int128 energy = 0;
  };
  /// The same under each storage choice that leaves room for any tile; none if they are too many.
  [[nodiscard]] std::vector<OfChoice> by_choice(const Factors& bounds) const;

  struct Least {
    Int128 energy = 0;
    bool exact = true;  ///< or a bound below it that was enough
  };
  /// energy() of a layer with tiles of divisors, quicker, if something is known of each choice: a
  /// choice whose floor is not below what another one needs is left out. Ends as soon as `enough`
  /// says so of a bound.
  static Least least_of_divisors(const Architecture& architecture, const Workload& layer,
                                 const mapper::Scale& scale, std::vector<OfChoice> floors,
                                 const std::function<bool(Int128)>& enough);

 private:
  class Builder;
  /// What the outermost tile leaves to pay, if tensor s stays in place there: per MAC
  /// `rest + once / reuse_s` with the reuse of s in the whole layer.
  struct Line {
    std::int64_t once = 0;
    std::int64_t rest = 0;
  };
  /// One choice of the tensors that levels store.
  struct Choice {
    std::vector<TensorFlags> stores;
    std::int64_t feed = 0;              ///< reads of the PEs, per MAC
    Int128 unread = 0;                  ///< energy per element of the output that is not read back
    PerTensor<std::vector<Line>> ends;  ///< by the tensor that stays
  };

  /// The energy of a layer's reads under a choice; nothing if there is no tile.
  static std::optional<Int128> energy_of(const Choice& choice, const Factors& bounds, int shift);

  std::vector<Choice> choices_;
  int shift_ = 0;  // of all figures per MAC
};

}  // namespace pimbb::dram_pim::slices
