// A solution as a line of the log.
#pragma once

#include "dram_pim/cli/words.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "terminal/log.hpp"

namespace pimbb::dram_pim::cli {

/// Goals with value, bound and gap, as far as the status has them.
files::Json goals_json(const std::vector<GoalResult>& results, Status status);

/// Status, goals and effort, under the event's name.
void log_solution(Log& log, const std::string& event, const Solution& solution);

}  // namespace pimbb::dram_pim::cli
