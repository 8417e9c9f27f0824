// Lower bounds on the row activations of all tensors together, over all loop orders (row model
// trace).
//
// A tensor alone finds an order of the loops in which it opens each of its rows a few times. The
// same order is bad for another tensor: bounds of single tensors (order_floor.hpp) miss that. Here
// all tensors see the same loops.
//
// The loops of a mapping, from the inside outwards and each cut into prime factors, are a chain of
// tiles from the PEs to the whole layer. A tensor opens a row at the first access, inside moves
// that touch several rows, and at the seams between moves where the row changes. The seams of a
// loop depend on the tile c that the loops inside make, and not on the tile that the DRAM moves
// (rows/line_seams.hpp). For a layout of each tensor the activations are therefore a sum over the
// steps c -> c' of the chain, once the tensor *moves*:
//
//     1 + sum over positions of the moved tile of (rows of the tile - 1) + sum over steps of
//     changes
//
// A tensor moves from some tile of the chain on that the level which the DRAM fills admits; the
// innermost irrelevant loops around the moved tile, which leave it in place, are as good as inside:
// the tile with them has the same part of the tensor.
//
// Inside the row-buffer tile T. F(T, moving) is the least sum of sequential tensors `moving` over
// all chains from one element to T, a table over the lattice from the inside outwards. Row-aligned
// tensors have one row there, or (the input) no fewer than none that count. Tensors that do not
// move yet cost nothing.
//
// Outside. Below an arrival the loops of the DRAM are known, and every order of them is a path
// through their subsets. Sequential tensors have the same terms there. Of row-aligned ones, weight
// and output open a row whenever the tile T changes; the input whenever its group (N, C, G) or its
// block changes, counted along the two edges of the plane with the least of all blocks for each
// term. One tensor, that of the loop class, may have moved not yet at T: then its part of T must be
// a tile that the level admits, and it begins to move at one of the sets of its irrelevant loops,
// the innermost ones.
//
// The bound of an arrival is the least sum over the layouts of the tensors. It is a bound of every
// goal's activations, because a tensor in a shared bank opens no fewer rows.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"
#include "dram_pim/rows/line_seams.hpp"

namespace pimbb::dram_pim::mapper {

/// What does not depend on the storage choice.
class JointSeams {
 public:
  /// Layouts of the input: two sequential ones (row_table.hpp) and the row-aligned one. Combined
  /// layouts are numbered by input, weight, output.
  static constexpr std::size_t kInputLayouts = 3;
  static constexpr std::size_t kAligned = 2;
  static constexpr std::size_t kCombined = kInputLayouts * 4;
  static constexpr std::int64_t kUnreached = std::int64_t{1} << 61;
  using Sums = std::array<std::int64_t, kCombined>;

  /// The loops of the DRAM around an arrival, by combined layouts.
  struct Outside {
    Sums moving;   ///< all tensors move inside the row buffer
    Sums resting;  ///< but the tensor of the loop class
  };

  JointSeams(const Instance& instance, const run::Guard& guard);
  /// Bytes that are needed; nothing if numbers could be too large.
  [[nodiscard]] static std::optional<std::uint64_t> bytes_to_build(const Instance& instance);

  [[nodiscard]] std::uint64_t bytes() const;
  /// Finds outside() of these arrivals, unless it is known.
  void find_outside(const std::vector<std::size_t>& arrivals, const run::Guard& guard);
  [[nodiscard]] const Outside& outside(std::size_t arrival) const {
    return outside_[place_[arrival]];
  }
  /// Sequential lines: of the input's layouts, the weight, the output.
  [[nodiscard]] const std::vector<rows::LineSeams>& lines() const { return lines_; }
  [[nodiscard]] std::size_t line_of(Tensor t) const {
    return t == Tensor::input ? 0 : inputs_ + index(t) - 1;
  }
  [[nodiscard]] std::size_t inputs() const { return inputs_; }
  /// Row changes inside the moves of a tile to each of its positions once, on this line of `t`. Not
  /// thread-safe.
  std::int64_t inside_moves(std::size_t line, Tensor t, const Tile& tile);

 private:
  class Paths;

  static constexpr auto kUnknown = ~std::uint32_t{0};

  const Instance& instance_;
  std::size_t inputs_;  // sequential layouts of the input
  std::vector<rows::LineSeams> lines_;
  std::vector<std::vector<std::int64_t>> inside_moves_;  // by line and relevant part, or kUnreached
  std::vector<std::int64_t> heights_;  // divisors of the plane's edges, and lines of such blocks
  std::vector<std::int64_t> widths_;
  std::vector<rows::LineSeams> high_;
  std::vector<rows::LineSeams> wide_;
  std::vector<std::uint32_t> place_;  // by arrival: in `outside_`, or kUnknown
  std::vector<Outside> outside_;
};

/// Under one storage choice.
class JointFloors : public JointRows {
 public:
  JointFloors(const Instance& instance, const Storage& storage, const LevelTiles& levels,
              std::shared_ptr<JointSeams> seams, const run::Guard& guard);
  /// Bytes of the tables.
  [[nodiscard]] static std::uint64_t bytes(const Instance& instance);

  void prepare(const std::vector<std::size_t>& arrivals, const run::Guard& guard) override {
    seams_->find_outside(arrivals, guard);
  }
  [[nodiscard]] Int128 least(std::size_t arrival) const override;
  [[nodiscard]] std::uint64_t bytes() const override { return inside_.size() * sizeof(inside_[0]); }

 private:
  /// Sets of moving tensors, for each layout of the input.
  static constexpr std::size_t kSets = 8;
  using Inside = std::array<std::array<std::int64_t, kSets>, 2>;

  void find_begins(Tensor t, const Storage& storage, const LevelTiles& levels,
                   const run::Guard& guard);
  [[nodiscard]] Inside inside(const Tile& tile) const;
  void extend(const Inside& inner, TileIndex from, const Tile& tile, std::size_t k,
              Inside& least) const;
  static void add_begin(Tensor t, std::int64_t once, const Tile& tile,
                        std::array<std::int64_t, kSets>& least);
  [[nodiscard]] std::int64_t begin(std::size_t line, const Tile& tile) const {
    return begins_[line][seams_->lines()[line].box(tile.at)];
  }

  const Instance& instance_;
  std::shared_ptr<JointSeams> seams_;
  // By line and relevant part: row changes inside moves of this tile to each of its positions once,
  // kUnreached if the tensor cannot move as this tile.
  std::vector<std::vector<std::int64_t>> begins_;
  std::vector<Inside> inside_;  // by tile
};

}  // namespace pimbb::dram_pim::mapper
