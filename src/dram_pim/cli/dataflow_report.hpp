// The section of the report on data movement: the dataflow of a mapping, and the data that each
// direction of the PE array needs.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/dataflow.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

std::string dataflow_report(const Style& style, const Architecture& architecture,
                            const Dataflow& dataflow);

/// "not ws: RowBuffer: loop K stands outside ...", one line for each dataflow.
std::string departures(const Style& style, const Dataflow& dataflow);

}  // namespace pimbb::dram_pim::cli
