// One command of several kinds of accelerators.
//
// Each kind has a command of its own; the shared one has the options of all of them. Which kind is
// meant follows from the values of options, which may be given in any order: values are kept until
// the command line is complete, and then stored in the settings of the command that runs. An option
// that this command lacks is an error that names the kinds that have it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/kind.hpp"
#include "terminal/command.hpp"

namespace pimbb::terminal {

struct KindCommand {
  Kind kind = Kind::dram_pim;
  Command command;
};

/// The value that an option was given, the last one; nothing if it was not given.
using GivenValue = std::function<std::optional<std::string>(std::string_view option)>;

/// Name and description are those of the first command, whose examples come first. In the help, an
/// option that some kinds lack says which have it; one whose explanations differ has all of them.
Command shared_command(std::vector<KindCommand> commands,
                       std::function<Kind(const GivenValue&)> kind_of);

}  // namespace pimbb::terminal
