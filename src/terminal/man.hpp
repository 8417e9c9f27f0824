// A manual page of one command, in the formats that it is written in.
#pragma once

#include <string>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

/// The page of `command`, which is `manual.program` or one of its commands, for man(1).
std::string roff_page(const Manual& manual, const CommandEntry& command);
/// Its options as tables, for docs/commands; of the program, its commands too.
std::string markdown_page(const Manual& manual, const CommandEntry& command);

/// pimbb man [COMMAND].
Command man_command();

}  // namespace pimbb::terminal
