// Padded layers: the best mapping over all bounds that the layer's padding allows.
//
//   layer.padding = Padding::parse("12.5%", "pad");
//   auto solution = solve_padded(architecture, layer, question);
//   Workload mapped = mapped_layer(layer, solution);   // its bounds may be larger
//
// The optimum is that of all vectors of bounds between the layer's own and their tops
// (docs/padding.md), and proven for all of them.
#pragma once

#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim {

/// As solve(), with Solution::padded if bounds are larger than the layer's. Without a padding, or
/// if it leaves all bounds as they are: solve(). Throws InputError as solve() does, and if there is
/// a padding and the method is a heuristic.
Solution solve_padded(const Architecture& architecture, const Workload& workload,
                      const Question& question = {}, const RunLimits& limits = {});

/// Padded bounds with a mapping that costs at least a twentieth less in the first goal than the
/// solution, if a quick search meets any: a handful of greedy mappings, a small part of the time of
/// a solve, and the same in every run. Nothing if the layer has a padding, or the question is not
/// about all of its mappings.
std::optional<PaddingHint> padding_hint(const Architecture& architecture, const Workload& workload,
                                        const Question& question, const Solution& solution);

/// The layer that a solution maps: with its bounds, and without a padding.
Workload mapped_layer(const Workload& workload, const Solution& solution);

}  // namespace pimbb::dram_pim
