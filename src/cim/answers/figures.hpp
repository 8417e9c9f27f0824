// The figures of an architecture that the optimum may depend on, each with how to change it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/sensitivity.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::figures {

struct Figure {
  std::string path;  ///< as in --set
  FigureKind kind = FigureKind::energy;
  std::string unit;
  Rational today;
  /// Another value, for a size or shape an integer.
  std::function<void(Architecture&, const Rational&)> set;

  // Of sizes:
  std::int64_t least = 1;
  bool is_axis = false;
  /// The size from which on nothing changes any more, for a layer.
  std::function<std::int64_t(const Workload&)> most = {};
  /// The least size that a mapping of the layer fits; of an axis also the least that it costs the
  /// same with, as costs do not depend on lanes that are not used.
  std::function<std::int64_t(const Workload&, const Mapping&)> need = {};

  [[nodiscard]] Architecture changed(const Architecture& architecture,
                                     const Rational& value) const {
    Architecture other = architecture;
    set(other, value);
    return other;
  }
};

/// The architecture must outlive them.
std::vector<Figure> figures_of(const Architecture& architecture);

}  // namespace pimbb::cim::figures
