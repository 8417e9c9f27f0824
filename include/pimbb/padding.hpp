// How far the loop bounds of a layer may grow.
//
// A bound of 197 has no divisors, one of 200 has many: the layer with P = 200 computes three rows
// of zeros and may cost far less. A padding says for each dimension how far a bound x may grow: to
// x + n, or to floor(x * (1 + p / 100)). The padded layer is the layer with larger bounds: its
// MACs, tensors and moved bytes count in full.
#pragma once

#include <string_view>

#include "pimbb/dims.hpp"
#include "pimbb/rational.hpp"

namespace pimbb {

/// The growth of one bound: so many elements, or so many per cent of it.
struct Growth {
  Rational amount;        ///< >= 0; an integer unless relative
  bool relative = false;  ///< in per cent
  friend bool operator==(const Growth&, const Growth&) = default;

  /// The largest bound that may replace `bound`.
  [[nodiscard]] std::int64_t top(std::int64_t bound) const;
};

struct Padding {
  std::array<Growth, kDims> growth{};  ///< by dimension
  /// For every dimension the same, without names: a group of one is not padded.
  bool single_group = false;
  friend bool operator==(const Padding&, const Padding&) = default;

  /// The same growth of all dimensions.
  static Padding all(const Growth& growth);
  /// Reads "12.5%", "1" or "P=2,K=12.5%"; throws InputError that begins with `what`.
  static Padding parse(std::string_view text, std::string_view what);

  [[nodiscard]] std::int64_t top(Dim d, std::int64_t bound) const {
    return d == Dim::G && single_group && bound == 1 ? 1 : growth[index(d)].top(bound);
  }
  /// The largest bounds that may replace `bounds`: top_j of docs/padding.md.
  [[nodiscard]] Factors tops(const Factors& bounds) const;
};

}  // namespace pimbb
