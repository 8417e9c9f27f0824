// Values of goals for reports.
#pragma once

#include <string>

#include "dram_pim/cli/words.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::cli {

/// The value of a goal with its unit: "1,806,336 cycles", "52.1 nJ".
std::string with_unit(Goal goal, const Rational& value);

}  // namespace pimbb::dram_pim::cli
