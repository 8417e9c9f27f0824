// What tiles tell those that they divide, or those that divide them, from neighbour to neighbour,
// one prime factor at a time: minima, for instance. In parallel, in two passes:
//
//     dimensions:    outer | middle | inner
//     first pass:            middle, inner      tiles that agree in the outer ones, one after
//     another second pass:   outer                      tiles that agree in the middle ones
//
// With lists of covers (covers.hpp) passes are faster.
//
// A tile c that divides d has told it after both: there is a tile with the outer factors of one and
// the others of the other, and it divides d, so that the lattice has it. It is told in the first
// pass and tells in the second. Parts of the lattice (TileParts) agree in outer and middle
// dimensions.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "nest/covers.hpp"
#include "nest/lattice.hpp"
#include "run/guard.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::nest {

class Spread {
 public:
  explicit Spread(const Lattice& lattice) : lattice_(lattice) {
    if (lattice.size() < kFewTiles) return;
    covers_ = lattice.listed_covers();
    outer_dims_ = outer_dims(lattice);
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
    passes([&](const Parts& parts, const auto& for_each_cover) {
      run::GuardedSteps step(guard);
      for (const std::size_t part : parts) {
        const TileIndex end = lattice_.part_begin(part + 1);
        for (TileIndex c = lattice_.part_begin(part); c < end; ++c) {
          step();
          for_each_cover(c, [&](TileIndex cover) { take(c, cover); });
        }
      }
    });
  }
  /// The same in the other direction: c tells `cover`.
  template <class Take>
  void inwards(const run::Guard& guard, const Take& take) const {
    passes([&](const Parts& parts, const auto& for_each_cover) {
      run::GuardedSteps step(guard);
      for (std::size_t k = parts.size(); k-- > 0;) {
        const TileIndex begin = lattice_.part_begin(parts[k]);
        for (TileIndex c = lattice_.part_begin(parts[k] + 1); c-- > begin;) {
          step();
          for_each_cover(c, [&](TileIndex cover) { take(c, cover); });
        }
      }
    });
  }

 private:
  using Parts = std::vector<std::size_t>;  // ascending
  /// Fewer are walked by one thread.
  static constexpr std::size_t kFewTiles = 4096;

  /// Calls walk(parts, for_each_cover) for parts that one thread walks over.
  template <class Walk>
  void passes(const Walk& walk) const {
    const auto in_dims = [this](DimMask dims) {
      return [this, dims](TileIndex c, const auto& visit) {
        lattice_.for_each_cover(lattice_[c], dims, visit);
      };
    };
    if (by_outer_.empty()) {
      Parts all(lattice_.part_count());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return walk(all, in_dims(kEveryDim));
    }
    if (covers_ != nullptr) {
      in_two_passes(
          walk,
          [this](TileIndex c, const auto& visit) {
            for (TileIndex i : covers_->inner(c)) visit(i);
          },
          [this](TileIndex c, const auto& visit) {
            for (TileIndex i : covers_->outer(c)) visit(i);
          });
    } else {
      const auto outer = static_cast<DimMask>((1U << outer_dims_) - 1);
      in_two_passes(walk, in_dims(static_cast<DimMask>(kEveryDim & ~outer)), in_dims(outer));
    }
  }

  template <class Walk, class Inner, class Outer>
  void in_two_passes(const Walk& walk, const Inner& inner, const Outer& outer) const {
    run::parallel_for(by_outer_.size(), [&](std::size_t k) { walk(by_outer_[k], inner); });
    run::parallel_for(by_middle_.size(), [&](std::size_t k) { walk(by_middle_[k], outer); });
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
  const Covers* covers_ = nullptr;  // if they are listed
  std::size_t outer_dims_ = 0;
  std::vector<Parts> by_outer_;
  std::vector<Parts> by_middle_;
};

}  // namespace pimbb::nest
