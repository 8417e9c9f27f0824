// The lattice of tiles: all vectors of divisors of the loop bounds that fit a memory.
//
// A mapping fixes a chain of cumulative tiles  c[0] | c[1] | ... | c[M-1] = B,  each dividing the
// next one in every dimension. All costs belong to single tiles or to steps between neighbours. The
// caller's predicate decides which tiles fit (for DRAM-PIM: the capacity of the row buffer). Tiles
// of inner levels divide those of outer levels, so the lattice made for a memory contains the tiles
// of all levels inside it.
//
// For a tensor t, `relevant_loops` is the product of the relevant loops outside a tile, and
// `irrelevant_loops` that of the irrelevant ones. The irrelevant part of a tile is a point of a
// smaller lattice, its *anchor* for t. If t has been stationary since a tile with anchor a, the
// tile of t moves in prod(B/a) outer sweeps, whatever the steps in between.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "pimbb/workload.hpp"
#include "run/guard.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::nest {

using TileIndex = std::uint32_t;
inline constexpr TileIndex kNoTile = ~TileIndex{0};
using DimMask = std::uint8_t;  ///< a set of dimensions, one bit each

/// The set that contains one dimension only, by index or by name.
constexpr DimMask bit(std::size_t k) { return static_cast<DimMask>(1U << k); }
constexpr DimMask bit(Dim j) { return bit(index(j)); }

/// Dimensions that do not index t.
constexpr DimMask irrelevant_mask(Tensor t) {
  unsigned mask = 0;
  for (const Dim j : kAllDims) mask |= (relevant(t, j) ? 0U : 1U) << index(j);
  return static_cast<DimMask>(mask);
}

inline constexpr DimMask kEveryDim = (1U << kDims) - 1U;

/// The class of a level's loop orders: the tensor that the innermost loop leaves in place, or none
/// if the innermost loop is G.
using LoopClass = std::optional<Tensor>;

/// The dimensions that can be innermost in the orders of a class.
constexpr DimMask innermost_dims(LoopClass orders) {
  unsigned mask = 0;
  for (const Dim j : kAllDims) mask |= (irrelevant_tensor(j) == orders ? 1U : 0U) << index(j);
  return static_cast<DimMask>(mask);
}

constexpr std::int64_t product_over(const Factors& factors, DimMask dims) {
  std::int64_t result = 1;
  for (std::size_t j = 0; j < kDims; ++j) {
    if ((dims >> j & 1U) != 0) result *= factors[j];
  }
  return result;
}

struct Tile {
  Factors c;  ///< the cumulative factors
  using Places = std::array<std::uint16_t, kDims>;
  Places at;                                 ///< index of each factor among its bound's divisors
  std::uint32_t id;                          ///< position in the full lattice
  PerTensor<std::int64_t> elements;          ///< of each tensor's tile
  PerTensor<std::int64_t> relevant_loops;    ///< prod over relevant dims of B/c
  PerTensor<std::int64_t> irrelevant_loops;  ///< prod over irrelevant dims of B/c
  PerTensor<std::uint32_t> anchor;           ///< of its irrelevant factors
  PerTensor<std::int64_t> sweep;  ///< elements moved by one outer sweep: elements * relevant_loops

  /// V: elements of t moved into this tile's level while s is stationary with `outer` sweeps left.
  [[nodiscard]] std::int64_t fills(Tensor t, Tensor s, std::int64_t outer) const {
    return sweep[index(t)] * (t == s ? outer : irrelevant_loops[index(t)]);
  }
};

/// Whether a tile fits. Monotone: a tile without greater factors than one that fits, fits as well.
using Fits = std::function<bool(const Factors&)>;

/// The divisors of each bound, ascending.
using Divisors = std::array<std::vector<std::int64_t>, kDims>;

/// The vectors of divisors that fit, in parts that may be visited at the same time. Part after part
/// they are in lexicographic order.
class TileParts {
 public:
  /// Keeps references.
  TileParts(const Divisors& divisors, const Fits& fits);
  [[nodiscard]] std::size_t size() const { return first_factors_.size(); }
  /// In how many dimensions, from the first on, the vectors of a part agree.
  [[nodiscard]] std::size_t dims() const { return decided_; }
  void for_each(std::size_t part, const std::function<void(const Factors&)>& visit) const;

 private:
  template <class Visit>
  void extend(Factors& c, std::size_t from, std::size_t to, const Visit& visit) const;

  const Divisors& divisors_;
  const Fits& fits_;
  std::size_t decided_ = 0;             // dimensions
  std::vector<Factors> first_factors_;  // in these, of each part
};

class Covers;

class Lattice {
 public:
  /// Throws InputError if the layer has more divisor vectors than can be indexed.
  Lattice(const Workload& workload, const Fits& fits, const run::Guard& guard = {});
  Lattice(Lattice&& other) noexcept;
  ~Lattice();

  /// Bytes of tiles, indices and lists of covers.
  [[nodiscard]] std::uint64_t bytes() const;
  /// The same of a lattice with this number of divisor vectors, if this number of them fits.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t vectors, std::uint64_t tiles);

  /// Number of tiles that fit; their indices ascend along divisibility.
  [[nodiscard]] std::size_t size() const { return tiles_.size() - 1; }
  /// The outermost tile, which is the vector of bounds; it need not fit.
  [[nodiscard]] TileIndex top() const { return static_cast<TileIndex>(size()); }
  [[nodiscard]] const Tile& operator[](TileIndex i) const { return tiles_[i]; }

  /// The tiles are in parts (TileParts), one after the other; the end is that of an empty part.
  [[nodiscard]] std::size_t part_count() const { return part_begins_.size() - 1; }
  [[nodiscard]] TileIndex part_begin(std::size_t part) const { return part_begins_[part]; }
  [[nodiscard]] std::size_t part_dims() const { return part_dims_; }

  /// All tiles that divide `tile`, itself included, into `out`; in a fixed order. Where `dims` is
  /// given: those that differ from it only in these dimensions.
  template <class Tiles>
  void divisors(const Tile& tile, DimMask dims, Tiles& out) const {
    out.resize(divisor_count(tile, dims));
    list_divisors(tile, dims, out.data());
  }
  void divisors(const Tile& tile, std::vector<TileIndex>& out) const {
    divisors(tile, kEveryDim, out);
  }
  /// The number of tiles that divide `tile` and differ from it only in dimensions of `dims`.
  [[nodiscard]] std::size_t divisor_count(const Tile& tile, DimMask dims = kEveryDim) const;
  [[nodiscard]] bool divides(const Tile& inner, const Tile& outer) const {
    for (std::size_t k = 0; k < kDims; ++k) {
      if (!divides(k, inner.at[k], outer.at[k])) return false;
    }
    return true;
  }
  /// The same in one dimension; factors are given by their index among the divisors of its bound.
  [[nodiscard]] bool divides(std::size_t k, std::size_t inner, std::size_t outer) const {
    return divides_[k][outer * divisors_[k].size() + inner] != 0;
  }
  /// Number of divisors of the bound of dimension k.
  [[nodiscard]] std::size_t divisor_count(std::size_t k) const { return divisors_[k].size(); }
  /// One of them, ascending, and what it adds to the position of a tile in the full lattice.
  [[nodiscard]] std::int64_t divisor(std::size_t k, std::size_t at) const {
    return divisors_[k][at];
  }
  [[nodiscard]] std::uint32_t id_of(std::size_t k, std::size_t at) const {
    return stride_[k] * static_cast<std::uint32_t>(at);
  }
  /// Visits the tiles just below `tile`: one prime factor less in one dimension of `dims`.
  template <class Visit>
  void for_each_cover(const Tile& tile, DimMask dims, const Visit& visit) const {
    for (std::size_t k = 0; k < kDims; ++k) {
      if ((dims >> k & 1U) == 0) continue;
      for (const std::uint16_t a : covers_[k][tile.at[k]]) {
        visit(covered(tile, stride_[k] * (tile.at[k] - a)));
      }
    }
  }
  /// The number of these.
  [[nodiscard]] std::size_t cover_count(const Tile& tile, DimMask dims) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < kDims; ++k) {
      if ((dims >> k & 1U) != 0) count += covers_[k][tile.at[k]].size();
    }
    return count;
  }
  /// At least the number of these of all tiles together, if there are so many tiles.
  [[nodiscard]] static std::uint64_t most_covers(const Factors& bounds, std::uint64_t tiles);
  /// Lists all of them once, for all that use the lattice. Thread-safe. Throws what the guard
  /// throws.
  void list_covers(const run::Guard& guard) const;
  /// The lists, if there are any by now. Thread-safe.
  [[nodiscard]] const Covers* listed_covers() const;
  /// The product of two tiles that share no dimension; kNoTile if it does not fit.
  [[nodiscard]] TileIndex disjoint_product(const Tile& a, const Tile& b) const {
    return index_of_[a.id + b.id];
  }
  /// The same tile with a factor of 1 in dimension `d`.
  [[nodiscard]] TileIndex without(const Tile& tile, Dim d) const {
    return index_of_[tile.id - stride_[index(d)] * tile.at[index(d)]];
  }

  /// The tiles whose part irrelevant to t is an anchor, ascending.
  [[nodiscard]] const std::vector<TileIndex>& with_anchor(Tensor t, std::uint32_t anchor) const {
    return by_anchor_[index(t)][anchor];
  }
  /// The anchors that divide `anchor`, each after those that it covers; `anchor` itself is last.
  void anchors_inside(Tensor t, std::uint32_t anchor, std::vector<std::uint32_t>& out) const;
  /// The differences of index between a tile with this anchor and the tiles that it covers in
  /// dimensions irrelevant to t, for covered().
  void anchor_drops(Tensor t, std::uint32_t anchor, std::vector<std::uint32_t>& out) const;
  [[nodiscard]] TileIndex covered(const Tile& tile, std::uint32_t drop) const {
    return index_of_[tile.id - drop];
  }
  /// The tile with these factors, which divide the bounds; kNoTile if it does not fit.
  [[nodiscard]] TileIndex find(const Factors& c) const;
  /// The tile at a position of the full lattice; kNoTile if it does not fit.
  [[nodiscard]] TileIndex with_id(std::uint32_t id) const { return index_of_[id]; }
  /// The id of a tile with this anchor, minus that of the tile of its factors relevant to t.
  [[nodiscard]] std::uint32_t anchor_id(Tensor t, std::uint32_t anchor) const;

  [[nodiscard]] std::size_t anchors(Tensor t) const { return outer_[index(t)].size(); }
  /// prod over dims irrelevant to t of B/a, for anchor a.
  [[nodiscard]] std::int64_t outer(Tensor t, std::uint32_t anchor) const {
    return outer_[index(t)][anchor];
  }
  /// The anchor of t with these factors; those of relevant dimensions are ignored.
  [[nodiscard]] std::uint32_t anchor_of(Tensor t, const Factors& c) const;
  /// The anchor of the bounds themselves (one outer sweep).
  [[nodiscard]] std::uint32_t full_anchor(Tensor t) const {
    return static_cast<std::uint32_t>(anchors(t) - 1);
  }

  /// Dimensions in which the step from tile `inner` to `outer` has a loop.
  static DimMask step_mask(const Tile& outer, const Tile& inner);

 private:
  [[nodiscard]] std::size_t anchor_digit(std::size_t k, std::uint32_t anchor) const {
    return anchor / anchor_stride_[k] % divisors_[k].size();
  }
  void index_dimensions(const Workload& workload);
  /// The tables of one dimension: its divisors and which of them divide which.
  void index_divisors(std::size_t dim, std::int64_t bound);
  void list_divisors(const Tile& tile, DimMask dims, TileIndex* out) const;
  void add_tiles(const Workload& workload, const Fits& fits, const run::Guard& guard);
  void add_anchors(const run::Guard& guard);
  [[nodiscard]] Tile make_tile(const Workload& workload, const Factors& c) const;

  Factors bounds_{};
  Divisors divisors_;
  Divisors loops_;                                                     // bound / divisor
  std::array<std::vector<std::vector<std::uint16_t>>, kDims> below_;   // divisors of each divisor
  std::array<std::vector<std::vector<std::uint16_t>>, kDims> covers_;  // a prime factor less
  std::array<std::vector<char>, kDims> divides_;  // whether the second index divides the first
  std::array<std::uint32_t, kDims> stride_{};
  std::array<std::uint32_t, kDims> anchor_stride_{};
  run::RawTable<Tile> tiles_;  // the last one is the vector of bounds
  std::vector<TileIndex> part_begins_;
  std::size_t part_dims_ = 0;
  run::Table<TileIndex> index_of_;  // by id; kNoTile if the tile does not fit
  PerTensor<std::vector<std::int64_t>> outer_;
  PerTensor<std::vector<std::vector<TileIndex>>> by_anchor_;  // tiles with that irrelevant part
  struct CoverLists;
  std::unique_ptr<CoverLists> covers_below_;
};

}  // namespace pimbb::nest
