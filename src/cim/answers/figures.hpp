// The figures of an architecture that the optimum may depend on, each with how to change it.
#pragma once

#include <vector>

#include "answers/figure_of.hpp"
#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/padding.hpp"

namespace pimbb::cim::figures {

struct Figure : pimbb::answers::FigureOf<Architecture, Mapping> {
  bool is_axis = false;
  /// Of an axis: as many of so many lanes as any mapping of a layer uses. Sizes that agree in this
  /// have the same mappings.
  std::function<std::int64_t(const Workload&, std::int64_t)> usable = {};
};

/// The architecture must outlive them. Sizes are about mappings of layers that are padded like
/// this.
std::vector<Figure> figures_of(const Architecture& architecture, Padding padding = Padding::exact);

}  // namespace pimbb::cim::figures
