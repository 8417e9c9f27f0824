// The report on one mapping: the nodes with their replicas, a picture of the cores, all estimates
// and what binds them.
#pragma once

#include <string>
#include <vector>

#include "crossbar/cli/options.hpp"
#include "crossbar/cli/simulated.hpp"
#include "crossbar/cli/words.hpp"
#include "pimbb/crossbar/cost.hpp"
#include "terminal/bars.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::crossbar::cli {

/// The first lines: the network, what it needs without replication; the accelerator; and the task.
std::string title(const Style& style, const Problem& problem, const std::string& task);

/// "144 cores x 64 crossbars of 128 x 128, multiplication 800 ns, every 200 ns".
std::string summary(const Architecture& architecture);

/// All figures of an accelerator as a table, below its summary.
std::string describe_figures(const Style& style, const Architecture& architecture);

/// The sections of the report, from the nodes to the local memory; energy is that of the schedule
/// that is simulated, or would be.
std::string mapping_report(const Style& style, const Problem& problem, const Mapping& mapping,
                           const Metrics& metrics, const Simulated& simulated);

/// What the time of a schedule is the maximum of: arrays or the longest path, memory, bus, link.
std::vector<Term> time_terms(const Metrics& metrics, Mode mode);

/// What limits the throughput: "arrays", "memory", "bus" or "link".
std::string binding(const Metrics& metrics);

}  // namespace pimbb::crossbar::cli
