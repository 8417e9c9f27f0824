// The genetic algorithm of PIMCOMP (DAC 2023, section IV-C): 100 mappings, 200 generations.
#pragma once

#include "pimbb/crossbar/baseline.hpp"

namespace pimbb::crossbar::heuristic {

BaselineResult evolve(const Architecture& architecture, const Partition& partition,
                      const Evolution& evolution, const RunLimits& limits);

}  // namespace pimbb::crossbar::heuristic
