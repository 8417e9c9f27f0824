// The report on one mapping: the loop nest, a timeline, and the parts of cycles, energy and
// buffers. verdict.hpp has the claim about optimality.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "pimbb/cim/cost.hpp"
#include "pimbb/cim/question.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cim::cli {

/// The first lines: layer, shape and MACs; architecture; and the task, `task`.
std::string title(const Style& style, const Architecture& architecture, const Workload& workload,
                  const std::string& task);

/// Bounds and strides, and the plane of the input if it is known: "R3 S3 P7 Q7 /2, input 14 x 14".
std::string layer_text(const Workload& workload);

/// "minimise latency, then energy; latency by the recursion".
std::string task(const Question& question);
/// "latency by the recursion, at least the occupancy of ports".
std::string pricing_text(const Pricing& pricing);

/// Axes and levels in one line: "8 cores x 32 rows x 16 columns, Macro 8 KiB, ...".
std::string summary(const Architecture& architecture);

/// The sections of the report, from the loop nest to the axes.
std::string mapping_report(const Style& style, const Architecture& architecture,
                           const Workload& workload, const Mapping& mapping,
                           const Metrics& metrics);

/// The levels of an architecture as a table, below its summary.
std::string describe_levels(const Style& style, const Architecture& architecture);

}  // namespace pimbb::cim::cli
