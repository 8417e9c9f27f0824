// Bounds of a layer between which the reads of its levels cannot tell, so that a floor of these
// (reuse_floor.hpp) is found once for all of them.
//
// The floor depends on the sizes of tiles and unrolled factors, what room these take, and how often
// an element of each tensor is used. Two changes of the bounds leave all of this alone:
//
//   turned  Where both axes have one stride and dilation, and every direction of the array allows
//           both or neither dimension of each pair, (P, R) and (Q, S) may be exchanged: the tiles
//           are the same with these factors exchanged.
//   merged  Windows of one element each, at stride 1, have no halo: a tile of p x q outputs in n
//           images has p * q * n elements for each channel of the input and of the output. The
//           products of divisors of P, Q and N are the divisors of P * Q * N, so P * Q * N columns
//           in one row have the same tiles, if every direction allows all three or none.
#pragma once

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::slices {

class AlikeBounds {
 public:
  /// For the strides and dilations of `layer`.
  AlikeBounds(const Architecture& architecture, const Workload& layer);

  /// One of all bounds that are alike.
  [[nodiscard]] Factors representative(Factors bounds) const;

 private:
  bool turns_ = false;
  bool merges_ = false;  // where windows have one element
};

}  // namespace pimbb::dram_pim::slices
