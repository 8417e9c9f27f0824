// The manual page of a command, in two formats.
#pragma once

#include <string>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

/// The page of `command`, which is `manual.program` or one of its commands, for man(1).
std::string roff_page(const Manual& manual, const CommandEntry& command);
/// The options as tables, for docs/commands; for the program also its commands.
std::string markdown_page(const Manual& manual, const CommandEntry& command);

/// pimbb man [COMMAND].
Command man_command();

}  // namespace pimbb::terminal
