// Commands that belong to no problem.
#pragma once

#include "terminal/command.hpp"

namespace pimbb::cli {

/// pimbb lp FILE: a linear program, solved and proven.
terminal::Command lp_command();

}  // namespace pimbb::cli
