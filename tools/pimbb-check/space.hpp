// All tiles: vectors of cumulative factors that divide the bounds and fit the row buffer.
//
// The part of a tile in the dimensions irrelevant to a tensor t is its *anchor* for t. If the run
// of loops that leaves t in place began at a tile with anchor a, then t is moved outer(t, a) =
// prod(bound / a) times over, whatever t-irrelevant loops have followed since.
#pragma once

#include "problem.hpp"

namespace pimbb_check {

struct Tile {
  Factors c;
  std::array<std::uint32_t, 7> at;  // places of the factors among the bounds' divisors
  std::uint32_t id = 0;             // among all divisor vectors
  PerTensor<std::uint32_t> anchor{};
  PerTensor<Int> sweep{};       // elements * relevant loops outside
  PerTensor<Int> irrelevant{};  // irrelevant loops outside
  std::string name;             // "R.S.P.Q.C.K.N"
};

class Space {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit Space(const Problem& p);

  std::size_t size() const { return tiles_.size(); }
  const Tile& operator[](std::size_t i) const {
    return tiles_[i];
  }                                             ///< in the order of the vectors
  const Tile& whole() const { return whole_; }  ///< the bounds
  /// The tile with these factors, or kNone.
  std::uint32_t find(const Factors& c) const;

  /// All tiles that divide `tile`, in order.
  std::vector<std::uint32_t> divisors(const Tile& tile) const;
  /// Tiles with one prime factor less in dimension j.
  std::vector<std::uint32_t> covers(const Tile& tile, std::size_t j) const;

  std::uint32_t anchors(std::size_t t) const {
    return static_cast<std::uint32_t>(outer_[t].size());
  }
  std::uint32_t full_anchor(std::size_t t) const { return anchors(t) - 1; }
  Int outer(std::size_t t, std::uint32_t anchor) const { return outer_[t][anchor]; }
  /// Whether `tile` can stand inside a run that began at anchor a of t.
  bool divides(const Tile& tile, std::size_t t, std::uint32_t anchor) const {
    return divides_[t][tile.anchor[t] * std::size_t{anchors(t)} + anchor];
  }

 private:
  Tile make(const Problem& p, const Factors& c) const;

  std::array<std::vector<std::int64_t>, 7> divisors_;
  std::array<std::uint32_t, 7> stride_{}, anchor_stride_{};
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> index_;  // by id
  Tile whole_;
  PerTensor<std::vector<Int>> outer_;
  PerTensor<std::vector<bool>> divides_;
};

}  // namespace pimbb_check
