// The report on one mapping: the loop nest, and the parts of cycles, energy and row activations.
// verdict.hpp has the claim about optimality.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// The first lines: layer, shape and MACs; architecture; and the task, `task`.
std::string title(const Style& style, const Architecture& architecture, const Workload& workload,
                  const std::string& task);

/// "minimise latency, then energy; row activations by the hybrid model".
std::string task(const Question& question);
/// The same, and how far the bounds of the layer may grow.
std::string task(const Question& question, const Workload& workload);

/// "padded: K 86 -> 88", a line; empty without padded bounds.
std::string padded_line(const Workload& workload, const std::optional<Factors>& padded);

/// "padding would help: with P 197 -> 200 a mapping has latency 1,848,000 (...)", a line; empty
/// without a hint.
std::string hint_line(const Workload& workload, const Objective& objective,
                      const Solution& solution);

/// The PE array and the levels in one line: "8 x 8 scalar PEs, PELocalBuffer 16 B, ...".
std::string summary(const Architecture& architecture);

/// A tensor's layout: "sequential", "sequential, nhwc" (the order of an input, if it is free),
/// "row_aligned, 58 x 58" (blocks, height x width).
std::string layout(const Architecture& architecture, const Mapping& mapping, Tensor t);

/// The sections of the report, from the loop nest to the row activations.
std::string mapping_report(const Style& style, const Architecture& architecture,
                           const Workload& workload, const Mapping& mapping, const Metrics& metrics,
                           RowModel row_model);

}  // namespace pimbb::dram_pim::cli
