// The page: a report's data in the embedded template, one file that needs nothing else.
#pragma once

#include <string>
#include <string_view>

#include "report/parts.hpp"

namespace pimbb::report {

/// page/page.html with its style, its scripts and Vega; @TITLE@ and @DATA@ are left to fill.
std::string_view page_template();

/// The HTML of a report whose parts have their names.
std::string page_of(const Report& report);

}  // namespace pimbb::report
