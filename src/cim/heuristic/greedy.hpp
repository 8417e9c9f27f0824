// The baseline `greedy`: loop orders are enumerated, levels are filled greedily.
//
// Of each spatial scheme with the fewest products, loops are prime factors, the smallest ones
// merged until there are at most six; in every order the levels are filled from the innermost
// outwards: weights first, then inputs and outputs, each with as many loops as fit. Published
// mappers work like this (ZigZag with LOMA); costs are those of the evaluator.
#pragma once

#include <functional>
#include <optional>

#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/question.hpp"
#include "run/guard.hpp"

namespace pimbb::cim::heuristic {

struct Greedy {
  std::optional<Mapping> mapping;  ///< the best by the objective, of equal ones the first
  std::uint64_t evaluated = 0;     ///< mappings
  bool complete = true;            ///< false if stopped
};

/// `layer` is padded already, but for Padding::ceil.
Greedy greedy_mapping(const Architecture& architecture, const Workload& layer,
                      const Question& question, const run::Guard& guard,
                      const std::function<bool()>& stopped);

}  // namespace pimbb::cim::heuristic
