// Levels for the loops of a given order, filled greedily.
//
// From the innermost level outwards, weights first, then inputs and outputs: each takes as many of
// the loops that are left as fit into what the level has room for. The DRAM takes the rest.
#pragma once

#include <cstdint>
#include <vector>

#include "cim/mapper/schemes.hpp"
#include "cim/model/elements.hpp"
#include "cim/model/unrolling.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::heuristic {

struct Factor {
  Dim dim = Dim::R;
  std::int64_t size = 1;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

class Filling {
 public:
  /// `elements`: of the layer that the scheme computes. With `doubling` every tile that may be is
  /// double-buffered, else none.
  Filling(const Architecture& a, const Elements& elements, const mapper::Scheme& scheme,
          bool doubling);

  /// Loops outermost first.
  [[nodiscard]] Mapping fill(const std::vector<Factor>& order) const;

 private:
  void place(Mapping& mapping, std::size_t m, Tensor t, std::size_t& left, Factors& inside,
             std::int64_t& used) const;
  /// Bits of an element where the outermost `left` loops are at a level or outside it.
  [[nodiscard]] std::int64_t bits_of(const Mapping& mapping, Tensor t, std::size_t left) const;

  const Architecture& a_;
  const Elements& elements_;
  const mapper::Scheme& scheme_;
  Unrolling unrolling_;
  bool doubling_;
};

}  // namespace pimbb::cim::heuristic
