// The commands of all kinds of accelerators.
#pragma once

#include <vector>

#include "terminal/command.hpp"

namespace pimbb::cli {

/// The wings' commands, those of the same name as one, and those that belong to no wing.
std::vector<terminal::Command> all_commands();

}  // namespace pimbb::cli
