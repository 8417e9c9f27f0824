// The figures of an accelerator that `ht` or `ll` may depend on, each with how to change it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::crossbar::within {

struct Figure {
  std::string path;  ///< as in --set
  FigureKind kind = FigureKind::size;
  std::string unit;
  std::int64_t today = 1;
  std::function<void(Architecture&, std::int64_t)> set;
  /// Of sizes: the least value that a mapping of `architecture`, whose partition is given, fits; at
  /// which it is as good, and which no better one fits if none fits today.
  std::function<std::int64_t(const Architecture& architecture, const Partition& partition,
                             const Mapping& mapping)>
      need = {};
};

std::vector<Figure> figures_of(const Architecture& architecture);

}  // namespace pimbb::crossbar::within
