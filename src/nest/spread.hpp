// What tiles tell those that they divide, or those that divide them, from neighbour to neighbour,
// one prime factor at a time: minima, for instance. In parallel, in two passes:
//
//     dimensions:    outer | middle | inner
//     first pass:            middle, inner      tiles that agree in the outer ones, one after
//     another second pass:   outer                      tiles that agree in the middle ones
//
// A tile c that divides d has told it after both: there is a tile with the outer factors of one and
// the others of the other, and it divides d, so that the lattice has it. It is told in the first
// pass and tells in the second. Parts of the lattice (TileParts) agree in outer and middle
// dimensions.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "nest/lattice.hpp"
#include "run/guard.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::nest {

class Spread {
 public:
  explicit Spread(const Lattice& lattice) : lattice_(lattice) {
    if (lattice.size() < kFewTiles) return;
    choose_outer();
    std::map<Tile::Places, std::size_t> outer;
    std::map<Tile::Places, std::size_t> middle;
    for (std::size_t part = 0; part < lattice.part_count(); ++part) {
      const Tile::Places& at = lattice[lattice.part_begin(part)].at;
      add(part, key(at, 0, outer_dims_), outer, by_outer_);
      add(part, key(at, outer_dims_, lattice.part_dims()), middle, by_middle_);
    }
  }

  /// Calls take(c, cover) for every tile and every one just below it, so that in the end all tiles
  /// that divide c have told it. Some do more than once. Calls at the same time are about different
  /// tiles, both c and `cover`. Throws what `guard` throws.
  template <class Take>
  void outwards(const run::Guard& guard, const Take& take) const {
    passes([&](const Parts& parts, DimMask dims) {
      run::GuardedSteps step(guard);
      for (const std::size_t part : parts) {
        const TileIndex end = lattice_.part_begin(part + 1);
        for (TileIndex c = lattice_.part_begin(part); c < end; ++c) {
          step();
          lattice_.for_each_cover(lattice_[c], dims, [&](TileIndex cover) { take(c, cover); });
        }
      }
    });
  }
  /// The same in the other direction: c tells `cover`.
  template <class Take>
  void inwards(const run::Guard& guard, const Take& take) const {
    passes([&](const Parts& parts, DimMask dims) {
      run::GuardedSteps step(guard);
      for (std::size_t k = parts.size(); k-- > 0;) {
        const TileIndex begin = lattice_.part_begin(parts[k]);
        for (TileIndex c = lattice_.part_begin(parts[k] + 1); c-- > begin;) {
          step();
          lattice_.for_each_cover(lattice_[c], dims, [&](TileIndex cover) { take(c, cover); });
        }
      }
    });
  }

 private:
  using Parts = std::vector<std::size_t>;  // ascending
  /// Fewer are walked by one thread.
  static constexpr std::size_t kFewTiles = 4096;

  template <class Walk>
  void passes(const Walk& walk) const {
    if (by_outer_.empty()) {
      Parts all(lattice_.part_count());
      for (std::size_t part = 0; part < all.size(); ++part) all[part] = part;
      return walk(all, kEveryDim);
    }
    const auto outer = static_cast<DimMask>((1U << outer_dims_) - 1);
    run::parallel_for(by_outer_.size(), [&](std::size_t k) {
      walk(by_outer_[k], static_cast<DimMask>(kEveryDim & ~outer));
    });
    run::parallel_for(by_middle_.size(), [&](std::size_t k) { walk(by_middle_[k], outer); });
  }

  /// About as many groups of parts for one pass as for the other.
  void choose_outer() {
    std::size_t all = 1;
    for (std::size_t k = 0; k < lattice_.part_dims(); ++k) all *= lattice_.divisor_count(k);
    for (std::size_t groups = 1; groups * groups < all; ++outer_dims_) {
      groups *= lattice_.divisor_count(outer_dims_);
    }
  }

  /// The places of some dimensions alone.
  static Tile::Places key(const Tile::Places& at, std::size_t from, std::size_t to) {
    Tile::Places key{};
    std::copy(at.begin() + from, at.begin() + to, key.begin() + from);
    return key;
  }

  static void add(std::size_t part, const Tile::Places& key,
                  std::map<Tile::Places, std::size_t>& known, std::vector<Parts>& groups) {
    const auto [group, is_new] = known.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(part);
  }

  const Lattice& lattice_;
  std::size_t outer_dims_ = 0;
  std::vector<Parts> by_outer_;
  std::vector<Parts> by_middle_;
};

}  // namespace pimbb::nest
