// Completion scripts, one source file for each shell.
//
// A script has three parts: what is the same for every program, fixed text of the shell's own
// language; the commands and options; and the values of each option, those alike only once.
#pragma once

#include <string>
#include <vector>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

/// Where values of one kind are asked for, in the order of the help: "map:--arch"; "presets:" where
/// they stand alone.
struct ValueGroup {
  Choices choices;
  std::vector<std::string> places;

  [[nodiscard]] std::string name() const;  ///< for a function: "map_arch", after the first place
};
std::vector<ValueGroup> value_groups(const Manual& manual);
/// The group of an option or argument that takes a value.
const ValueGroup& group_of(const std::vector<ValueGroup>& groups, const CommandEntry& command,
                           const OptionEntry& option);

/// `text` between single quotes, as bash and zsh (`posix`) or fish read them.
std::string quoted(const std::string& text, bool posix = true);

/// All words in one, separated by spaces.
std::string spaced(const std::vector<std::string>& words);

/// pimbb completion SHELL.
Command completion_command();

}  // namespace pimbb::terminal
