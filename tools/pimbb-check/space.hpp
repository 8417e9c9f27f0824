// All tiles: vectors of cumulative factors that divide the bounds and fit the row buffer, in the
// order of the vectors; and the spatial unrollings.
//
// Exponents of primes are kept in the fields of one word, each below a guard bit, so that "divides"
// is one subtraction; and as an id in mixed radix, so that quotients and products are differences
// and sums of ids.
//
// If the run of loops that leaves a tensor t in place began at a tile a, then t is moved
// a.irrelevant[t] times over, whatever t-irrelevant loops have followed since. All that matters of
// such a tile is its part in the dimensions irrelevant to t: an *anchor*.
#pragma once

#include "problem.hpp"

namespace pimbb_check {

using TileIndex = std::uint32_t;
inline constexpr TileIndex kNone = ~TileIndex{0};

struct Tile {
  Factors c{};
  std::uint64_t word = 0;
  std::uint32_t id = 0;
  PerTensor<std::int64_t> sweep{};       // elements * relevant loops outside
  PerTensor<std::int64_t> irrelevant{};  // irrelevant loops outside
};

class Space {
 public:
  explicit Space(const Problem& p);

  [[nodiscard]] std::size_t size() const { return tiles_.size(); }
  const Tile& operator[](std::size_t i) const { return tiles_[i]; }
  [[nodiscard]] const Tile& whole() const { return whole_; }  ///< the bounds
  [[nodiscard]] TileIndex with_id(std::uint32_t id) const { return index_[id]; }

  [[nodiscard]] bool divides(std::uint64_t a, std::uint64_t b) const {
    return (((b | guards_) - a) & guards_) == guards_;
  }
  /// Fields of the dimensions irrelevant to t, which may be kNoTensor.
  [[nodiscard]] std::uint64_t mask(std::size_t t) const { return masks_[t]; }
  [[nodiscard]] bool disjoint(const Tile& a, const Tile& b) const;
  /// Tiles that divide `tile` and agree with it in the fields outside of `mask`, ascending.
  [[nodiscard]] std::vector<TileIndex> divisors(const Tile& tile,
                                                std::uint64_t mask = ~std::uint64_t{0}) const;
  /// Tiles with one prime factor less in a dimension irrelevant to t, which may be kNoTensor.
  [[nodiscard]] std::vector<TileIndex> covers(const Tile& tile, std::size_t t) const;

 private:
  struct Divisor {
    std::int64_t value;
    std::uint64_t word;
    std::uint32_t id;
  };
  void enumerate(const Problem& p, Tile tile, std::size_t j);
  void complete(const Problem& p, Tile& tile) const;

  std::array<std::vector<Divisor>, kDims> divisors_;  // ascending
  std::array<std::vector<Divisor>, kDims> primes_;
  std::uint64_t guards_ = 0;
  std::array<std::uint64_t, kClasses> masks_{};
  std::vector<Tile> tiles_;
  std::vector<TileIndex> index_;  // by id
  Tile whole_;
};

/// What can be unrolled over the PE array (rows and columns at once), and inside a PE.
struct Unrolling {
  std::vector<TileIndex> array, internal;
  std::vector<bool> together;  ///< per pair
  Unrolling(const Problem& p, const Space& space);
};

}  // namespace pimbb_check
