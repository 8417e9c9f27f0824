// The figures of an architecture that the optimum may depend on, each with how to change it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/sensitivity.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::answers {

struct Figure {
  std::string path;  ///< as in --set
  FigureKind kind = FigureKind::energy;
  std::string unit;
  Rational today;
  bool may_be_zero = true;
  /// Another figure of which the costs depend in the same way: this one is it times `per_twin`.
  std::string twin = {};
  Rational per_twin = 1;
  /// Another value, for a size or shape an integer.
  std::function<void(Architecture&, const Rational&)> set;

  // Of sizes:
  std::int64_t least = 1;
  /// The size from which on nothing changes any more, for a layer.
  std::function<std::int64_t(const Workload&)> most;
  /// The least size that a mapping of the layer fits.
  std::function<std::int64_t(const Workload&, const Mapping&)> need;

  [[nodiscard]] Architecture changed(const Architecture& architecture,
                                     const Rational& value) const {
    Architecture other = architecture;
    set(other, value);
    return other;
  }
};

/// All of them, from the PEs outwards. They refer to the architecture.
std::vector<Figure> figures_of(const Architecture& architecture);

}  // namespace pimbb::dram_pim::answers
