// The section of the report that says what a mapping does with its data: its dataflow and why, and
// what each direction of the PE array carries.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/dataflow.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

std::string dataflow_report(const Style& style, const Architecture& architecture,
                            const Dataflow& dataflow);

/// "not ws: RowBuffer: loop K stands outside ...", one line each.
std::string departures(const Style& style, const Dataflow& dataflow);

}  // namespace pimbb::dram_pim::cli
