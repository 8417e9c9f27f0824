// The section of the report that says what a mapping does with its data: its dataflow and why, and
// what each direction of the PE array carries.
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "pimbb/dataflow.hpp"

namespace pimbb::cli {

std::string dataflow_report(const Style& style, const Architecture& architecture,
                            const Dataflow& dataflow);

/// "not ws: RowBuffer: loop K stands outside ...", one line each.
std::string departures(const Style& style, const Dataflow& dataflow);

}  // namespace pimbb::cli
