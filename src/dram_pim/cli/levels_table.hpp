// The levels of an architecture as a table, below its summary.
#pragma once

#include <string>

#include "dram_pim/cli/words.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

std::string levels_table(const Style& style, const Architecture& architecture);

}  // namespace pimbb::dram_pim::cli
