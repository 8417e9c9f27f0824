// The elements of a tensor that a tile touches.
//
// A window of p outputs and r kernel taps touches positions i * stride + j * dilation with i < p,
// j < r. With g = gcd(stride, dilation), s = stride / g and d = dilation / g, two pairs (i, j) and
// (i', j') touch the same position exactly if i' = i + k d and j' = j - k s for some k. The classes
// of equal pairs are chains of this step, and a chain has one element without predecessor: the pair
// (i, j) has a predecessor if i >= d and j + s < r. Thus the number of distinct positions is
// p r - max(0, p - d) max(0, r - s). Padding is never moved: an input plane clamps the count.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pimbb/workload.hpp"

namespace pimbb::cim {

class Elements {
 public:
  explicit Elements(const Workload& workload);

  [[nodiscard]] std::int64_t operator()(Tensor t, const Factors& x) const {
    const auto at = [&](Dim d) { return x[index(d)]; };
    switch (t) {
      case Tensor::input:
        return width_.touched(at(Dim::P), at(Dim::R)) * height_.touched(at(Dim::Q), at(Dim::S)) *
               at(Dim::C) * at(Dim::N) * at(Dim::G);
      case Tensor::weight: return at(Dim::R) * at(Dim::S) * at(Dim::C) * at(Dim::K) * at(Dim::G);
      default: return at(Dim::P) * at(Dim::Q) * at(Dim::K) * at(Dim::N) * at(Dim::G);
    }
  }

 private:
  struct Window {  ///< one direction of the plane
    std::int64_t stride = 1;
    std::int64_t dilation = 1;  // without their common divisor
    std::int64_t most = 0;      // positions of the plane

    [[nodiscard]] std::int64_t touched(std::int64_t p, std::int64_t r) const {
      const std::int64_t again =
          std::max<std::int64_t>(0, p - dilation) * std::max<std::int64_t>(0, r - stride);
      return std::min(p * r - again, most);
    }
  };
  Window width_, height_;
};

}  // namespace pimbb::cim
