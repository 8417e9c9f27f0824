// The report of an audit: both loop nests, a comparison of every term, and the distance.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <string_view>

#include "dram_pim/cli/given_mapping.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// The sections from the loop nests to the utilizations.
std::string audit_report(const Style& style, const GivenMapping& given, const Audit& audit);

/// The table of the goals: given, best, ratio, gap.
std::string goal_table(const Style& style, const Distance& distance);

/// The claim in one line: "not optimal, proven: latency 2,007,040 cycles is 1.111 x the optimum".
std::string audit_verdict(const Style& style, const Distance& distance, bool interrupted);

/// What the other mapping is called: short of a proof it need not be the best, nor even better.
std::string_view other(const Distance& distance);

}  // namespace pimbb::dram_pim::cli
