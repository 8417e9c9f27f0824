// The figures of an architecture that the optimum may depend on, each with how to change it.
#pragma once

#include <vector>

#include "answers/figure_of.hpp"
#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::figures {

struct Figure : pimbb::answers::FigureOf<Architecture, Mapping> {
  bool is_axis = false;
};

/// The architecture must outlive them.
std::vector<Figure> figures_of(const Architecture& architecture);

}  // namespace pimbb::cim::figures
