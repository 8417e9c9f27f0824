// A naive evaluator of SRAM compute-in-memory, and exhaustive search: the oracle of the tests.
//
// It shares plain data (architectures, layers, mappings) with src/, and no code. It follows the
// definitions word by word: every quantity is computed anew from the whole list of loops, the
// simulator steps through every iteration, and distinct input positions are counted in a set.
// Cycles and nJ are rationals of 64-bit integers over one fixed denominator each, so that instances
// must be tiny.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pimbb/cim.hpp"
#include "pimbb/workload.hpp"

namespace naive {

struct Cost {
  pimbb::Rational latency[3];        ///< by semantics
  pimbb::Rational dynamic;           ///< nJ without leakage
  pimbb::Rational ports[3], bus[3];  ///< most busy port and bus, by semantics
  pimbb::Rational with_cuts;         ///< the recursion with the published program's two bounds
  std::vector<pimbb::cim::LoopIteration> loops;  ///< by the recursion, outermost first
};

/// The rule that a mapping breaks, or "".
std::string broken(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
                   const pimbb::cim::Mapping& m);
Cost cost(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
          const pimbb::cim::Mapping& m);

/// The layer with bounds grown to the next multiples of a mapping's spatial factors.
pimbb::Workload grown(const pimbb::Workload& layer, const pimbb::cim::Mapping& m);

/// Calls `visit` with every feasible mapping of the layer; of the grown ones, if `grow`.
void for_each_mapping(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
                      const std::function<void(const pimbb::cim::Mapping&)>& visit,
                      bool grow = false);

}  // namespace naive
