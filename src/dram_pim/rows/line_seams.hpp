// The seams of all loop nests around boxes of a line that is cut into rows: where the row changes.
//
// A nest of loops moves something along a line, from the inside outwards: the loops around a box c
// (cumulative factors) make it a box c' that is larger in one dimension k, and so on up to the
// bounds. When the loop from c to c' advances, the sweep over c ends at the last position of its
// box and begins anew at the first position of the next one, whatever the order of the loops inside
// and whatever tile is moved: both ends of a box are ends of its first and last tile. Whether the
// row changes at such a *seam* thus depends on c and k, and on the position of c, which the loops
// outside decide. The number of seams with a change does not depend on their order, nor on how the
// loop is cut into parts. Let
//
//     full(c, k)   be the changes at all seams of one loop from c_k to the bound of k
//
// then those of the loop from c_k to c'_k, a part of it, are full(c, k) - full(c', k), because the
// seams of a loop of p * q iterations are those of two loops of p and of q iterations, one around
// the other. A loop that does not act on the line changes the row at each of its seams where the
// box does not end in the row in which it begins: positions(c) - stays(c) times per seam.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pimbb/dims.hpp"
#include "run/guard.hpp"

namespace pimbb::dram_pim::rows {

/// A line of rows, and the steps by which some dimensions move along it.
struct SeamLine {
  std::int64_t row = 1;    ///< length of a row
  std::int64_t first = 0;  ///< position of the first element
  struct Axis {
    Dim dim;
    std::vector<std::int64_t> sizes;  ///< divisors of its bound, ascending
    std::int64_t step;
  };
  std::vector<Axis> axes;
};

class LineSeams {
 public:
  /// Indices of factors among the divisors of their bounds.
  using Places = std::array<std::uint16_t, kDims>;

  /// Throws what `guard` throws.
  explicit LineSeams(const SeamLine& line, const run::Guard& guard = {});

  /// Bytes that the constructor needs for a while.
  [[nodiscard]] static std::uint64_t bytes_to_build(const SeamLine& line);
  [[nodiscard]] std::uint64_t bytes() const {
    return (positions_.size() + stays_.size() + full_.size()) * sizeof(std::int64_t);
  }
  [[nodiscard]] std::size_t size() const { return positions_.size(); }

  /// The number of a box among all; other dimensions do not matter.
  [[nodiscard]] std::size_t box(const Places& at) const {
    std::size_t box = 0;
    for (std::size_t k = 0; k < kDims; ++k) box += stride_[k] * at[k];
    return box;
  }
  /// The number of the box that has the bound in dimension k instead.
  [[nodiscard]] std::size_t filled(std::size_t box, const Places& at, std::size_t k) const {
    return box + stride_[k] * (last_[k] - at[k]);
  }
  /// Positions of a box.
  [[nodiscard]] std::int64_t positions(std::size_t box) const { return positions_[box]; }
  /// Those of them at which it ends in the row in which it begins.
  [[nodiscard]] std::int64_t stays(std::size_t box) const { return stays_[box]; }
  [[nodiscard]] std::int64_t crosses(std::size_t box) const {
    return positions_[box] - stays_[box];
  }
  /// Row changes at the seams of the loop from the box to the bound of k.
  [[nodiscard]] std::int64_t full(std::size_t box, std::size_t k) const {
    return full_[box * axes_ + axis_[k]];
  }

 private:
  std::size_t axes_;
  std::array<std::size_t, kDims> axis_{};    // number of the axis of a dimension
  std::array<std::size_t, kDims> stride_{};  // 0: not on the line
  std::array<std::size_t, kDims> last_{};
  std::vector<std::int64_t> positions_;
  std::vector<std::int64_t> stays_;
  std::vector<std::int64_t> full_;
};

}  // namespace pimbb::dram_pim::rows
