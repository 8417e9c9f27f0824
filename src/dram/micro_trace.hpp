// Micro-traces: the rows that one tile touches, for every alignment of the tile at once.
//
// A tile's elements, read in ascending address order, open each row they touch once. How many rows
// that is depends only on the start address modulo the row size:
//
//     rows(o) = 1 + sum over neighbouring elements x < y of [row of o+x differs from row of o+y]
//
// Each summand is 1 on one cyclic interval of offsets o, and the summands inside a run of adjacent
// elements telescope, so a difference array over the offsets gives all of rows(0 .. Row-1) in time
// O(runs + Row). Both the hybrid model and the walked trace read their tile costs from here.
//
// The offsets at which the tiles of a loop nest start repeat as well. OffsetCounts holds how many
// tiles start at each residue; adding a loop is a sliding-window sum along the orbits of its step,
// O(Row) whatever the trip count.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/int128.hpp"
#include "pimbb/architecture.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram {

/// One dimension of a tensor box: `count` positions, `stride` bytes apart.
struct Axis {
  std::int64_t count;
  std::int64_t stride;
};

/// A box of a dense tensor, outermost axis first; walking it row-major ascends in address.
using Box = std::array<Axis, 4>;

/// Number of rows touched by `box` at each offset 0 .. row-1 of its first element.
std::vector<std::int64_t> rows_by_offset(const Box& box, std::int64_t row);

/// No fewer rows than this are touched at any offset: one, and one more for every gap between
/// neighbouring elements that is as long as a row.
std::int64_t least_rows(const Box& box, std::int64_t row);

/// Distance in bytes from the first to the last element of a box.
std::int64_t span(const Box& box);

class OffsetCounts {
 public:
  explicit OffsetCounts(std::int64_t row);  ///< one tile, at offset 0
  /// `trips` copies of what is there, each `step` bytes further than the last.
  void repeat(std::int64_t trips, std::int64_t step);
  /// sum over offsets of (tiles starting there) * cost[offset].
  [[nodiscard]] Int128 weigh(const std::vector<std::int64_t>& cost) const;

 private:
  std::int64_t row_;
  std::vector<std::int64_t> count_;
};

/// The tile of the input of the given shape (cumulative factors), as a box of its dense tensor.
Box input_box(const Architecture& architecture, const Workload& workload, const Factors& tile);
/// Bytes between neighbours of the dense input along n, c, h, w.
std::array<std::int64_t, 4> input_strides(const Architecture& architecture,
                                          const Workload& workload);

/// The stand-alone estimate for a plane of `width` elements of one byte: mean rows a tile touches
/// over the offsets 0, g, 2g, ... with g = gcd(stride * width, row).
Rational mean_rows_estimate(std::int64_t width, std::int64_t tile_h, std::int64_t tile_w,
                            std::int64_t stride, std::int64_t row);
/// The same mean over the actual vertical positions in a plane of the given height.
Rational mean_rows_walked(std::int64_t height, std::int64_t width, std::int64_t tile_h,
                          std::int64_t tile_w, std::int64_t stride, std::int64_t row);

}  // namespace pimbb::dram
