// The tensors' moves around a tile that the DRAM fills the level inside the row buffer with: how
// long they take, and where they change the row (row model trace).
//
// The loops around the fill, from the inside outwards and each cut into prime factors, are a chain
// of tiles up to the whole layer. A tensor opens a row at its first access, inside the moves, and
// at seams between moves, which belong to the steps of the chain (joint_floors.hpp). Both classes
// give lower bounds of these terms that hold for every chain.
//
// Row-aligned tensors. The chain contains the row-buffer tile T, whose part of the tensor fits a
// row. A step c -> c' to a part that does not fit one is therefore outside of T, and so are all
// further ones. At each seam of a loop that is relevant to weight or output T is another one, which
// lies in another row; the same holds for the input and loops over N, C and G. A sweep over a part
// that does not fit a row ends in another row than it begins in, so that irrelevant loops around it
// change the row at each seam. Nothing is counted otherwise.
//
// FewMoves, without tables. A tensor may have any layout that T can have if the fill is inside it.
// What it counts is the least of all of them:
//
//     moves    each opens at least as many rows as its tile touches wherever it begins, less one
//     seams    between two units that are a row or more apart the row changes, and else perhaps not
//
// MovesOfFill, for one fill and one choice of the row-aligned tensors: all row changes of
// sequential tensors, at the tiles around this fill (rows/line_seams.hpp).
//
// If an input may have two orders in memory, each term is the least of both.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/rows/line_seams.hpp"

namespace pimbb::dram_pim::mapper {

/// A set of tensors, one bit each.
using TensorSet = std::uint8_t;
constexpr TensorSet bit_of(Tensor t) { return static_cast<TensorSet>(1U << index(t)); }
constexpr bool contains(TensorSet set, Tensor t) { return (set & bit_of(t)) != 0; }

/// All multiples of a tile that divide the bounds. They have numbers, which ascend along
/// divisibility.
class Multiples {
 public:
  using Places = rows::LineSeams::Places;

  Multiples(const Factors& bounds, const Factors& tile);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// The factors of a dimension, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& factors(std::size_t k) const {
    return axes_[k].factors;
  }
  [[nodiscard]] std::size_t number(const Factors& c) const;
  [[nodiscard]] Places places(std::size_t number) const;
  [[nodiscard]] Factors at(const Places& places) const;
  [[nodiscard]] Factors bounds() const { return at(places(size_ - 1)); }
  /// Visits the tiles with a prime factor more, by the dimension that it belongs to and by number.
  template <class Visit>
  void for_each_above(std::size_t number, const Places& at, const Visit& visit) const {
    for (std::size_t k = 0; k < kDims; ++k) {
      for (const std::uint16_t above : axes_[k].above[at[k]]) {
        visit(kAllDims[k], number + axes_[k].stride * (above - at[k]));
      }
    }
  }

 private:
  struct Axis {
    std::vector<std::int64_t> factors;
    std::vector<std::vector<std::uint16_t>> above;  // places of those with a prime factor more
    std::size_t stride = 0;
  };
  std::array<Axis, kDims> axes_;
  std::size_t size_ = 1;
};

/// A tile of a chain.
struct TileAround {
  Factors c{};
  Multiples::Places at{};
  PerTensor<std::int64_t> relevant_loops{};    ///< iterations of the loops around it
  PerTensor<std::int64_t> irrelevant_loops{};  ///< by tensor

  TileAround() = default;
  TileAround(const Multiples& multiples, std::size_t number);
};

class MovesAround {
 public:
  MovesAround(const MovesAround&) = delete;
  MovesAround& operator=(const MovesAround&) = delete;
  virtual ~MovesAround() = default;

  /// The tensors that the level inside the row buffer stores: only of these anything is known.
  [[nodiscard]] TensorSet counted() const { return counted_; }
  /// Of one activation.
  [[nodiscard]] Int128 row_time() const { return row_time_; }
  /// The time of the moves of a tensor if they begin with this tile around the fill, without seams.
  [[nodiscard]] Int128 time(Tensor t, const TileAround& tile) const;
  /// The row changes at the seams of the loop over j that leads from one tile to the other.
  [[nodiscard]] virtual std::int64_t changes(Tensor t, Dim j, const TileAround& from,
                                             const TileAround& to) const = 0;
  /// Whether the part of a tensor fits a row.
  [[nodiscard]] bool fits_row(Tensor t, const Factors& c) const;

 protected:
  MovesAround(const Architecture& a, const Workload& w, const Storage& storage);

  /// Rows that the moves with this tile around the fill open, one of each being open already.
  [[nodiscard]] virtual std::int64_t opened(Tensor t, const TileAround& tile) const = 0;
  /// The seams of such a loop.
  [[nodiscard]] static std::int64_t seams(Tensor t, Dim j, const TileAround& from,
                                          const TileAround& to);
  [[nodiscard]] std::int64_t aligned_changes(Tensor t, Dim j, const TileAround& from,
                                             const TileAround& to) const;
  [[nodiscard]] std::int64_t row() const { return row_; }
  /// The accelerator with each order that a sequential tensor may have.
  [[nodiscard]] std::vector<Architecture> orders(Tensor t) const;

  const Architecture& architecture_;
  const Workload& workload_;

 private:
  std::int64_t row_;
  Int128 row_time_;
  TensorSet counted_ = 0;
  PerTensor<Int128> element_time_{};
};

class FewMoves : public MovesAround {
 public:
  /// Of fills with which these tensors are sequential.
  FewMoves(const Architecture& a, const Workload& w, const Storage& storage, TensorSet sequential);
  [[nodiscard]] std::int64_t changes(Tensor t, Dim j, const TileAround& from,
                                     const TileAround& to) const override;

 private:
  struct Order {
    Architecture architecture;
    Factors steps{};
  };

  [[nodiscard]] std::int64_t opened(Tensor t, const TileAround& tile) const override;

  const TensorSet sequential_;
  PerTensor<std::vector<Order>> orders_;
};

class MovesOfFill : public MovesAround {
 public:
  /// `around`: the multiples of the fill. Throws what the guard throws.
  MovesOfFill(const Architecture& a, const Workload& w, const Storage& storage,
              const Multiples& around, const run::Guard& guard);

  /// Which tensors are row-aligned from now on; the fill must fit a row in each.
  void align(TensorSet aligned) { aligned_ = aligned; }
  [[nodiscard]] std::int64_t changes(Tensor t, Dim j, const TileAround& from,
                                     const TileAround& to) const override;

 private:
  [[nodiscard]] std::int64_t opened(Tensor t, const TileAround& tile) const override;

  TensorSet aligned_ = 0;
  PerTensor<std::vector<rows::LineSeams>> lines_;  // by order
  PerTensor<std::int64_t> opened_{};               // in all positions once
};

}  // namespace pimbb::dram_pim::mapper
