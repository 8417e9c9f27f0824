// The command that shows results as a page.
#pragma once

#include "terminal/command.hpp"

namespace pimbb::report {

terminal::Command report_command();

}  // namespace pimbb::report
