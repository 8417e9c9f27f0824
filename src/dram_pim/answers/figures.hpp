// The figures of an architecture that the optimum may depend on, each with how to change it.
#pragma once

#include <string>
#include <vector>

#include "answers/figure_of.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::answers {

struct Figure : pimbb::answers::FigureOf<Architecture, Mapping> {
  /// Another figure of which the costs depend in the same way: this one is it times `per_twin`.
  std::string twin = {};
  Rational per_twin = 1;
};

/// All of them, from the PEs outwards. They refer to the architecture.
std::vector<Figure> figures_of(const Architecture& architecture);

}  // namespace pimbb::dram_pim::answers
