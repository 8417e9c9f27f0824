// The report on one mapping, for people: what runs where, and where cycles, energy and row
// activations go. The claim about its optimality is verdict.hpp's.
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "pimbb/cost.hpp"
#include "pimbb/mapping.hpp"

namespace pimbb::cli {

/// Layer, shape and MACs; architecture; and what `task` says ("least latency, hybrid row model").
std::string title(const Style& style, const Architecture& architecture, const Workload& workload,
                  const std::string& task);

/// "3 levels of buffers..." in one line, for titles and lists.
std::string summary(const Architecture& architecture);

/// The sections of the report, from the loop nest to the row activations.
std::string mapping_report(const Style& style, const Architecture& architecture,
                           const Workload& workload, const Mapping& mapping, const Metrics& metrics,
                           RowModel row_model);

}  // namespace pimbb::cli
