// Completion scripts, one source file for each shell.
//
// A script has three parts: fixed text in the language of the shell; the commands and options; and
// the values of each option, where equal sets of values occur only once.
#pragma once

#include <string>
#include <vector>

#include "terminal/command.hpp"
#include "terminal/manual.hpp"

namespace pimbb::terminal {

std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

/// The options and arguments with the same set of values, in the order of the help: "map:--arch",
/// or "presets:" for an argument.
struct ValueGroup {
  Choices choices;
  std::vector<std::string> places;

  [[nodiscard]] std::string name()
      const;  ///< for a shell function: "map_arch", from the first place
};
std::vector<ValueGroup> value_groups(const Manual& manual);
/// The group of an option or argument that takes a value.
const ValueGroup& group_of(const std::vector<ValueGroup>& groups, const CommandEntry& command,
                           const OptionEntry& option);

/// `text` in single quotes, for bash and zsh (`posix`) or for fish.
std::string quoted(const std::string& text, bool posix = true);

/// All words in one, separated by spaces.
std::string spaced(const std::vector<std::string>& words);

/// pimbb completion SHELL.
Command completion_command();

}  // namespace pimbb::terminal
