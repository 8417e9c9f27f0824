// A description of the command line, extracted from its parser.
//
// Completions and manual pages are generated from this description only, so they contain the same
// commands, options, defaults and explanations as --help.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "terminal/choices.hpp"

namespace CLI {
class App;
}

namespace pimbb::terminal {

struct OptionEntry {
  std::vector<std::string> names;  ///< as typed: "-q", "--quiet"; for an argument its placeholder
  bool argument = false;           ///< a value without an option name
  std::string value;               ///< placeholder of the value, empty for a flag
  std::string group;               ///< heading of its section in --help
  std::string preset;              ///< the default, empty for none
  std::string help;
  Choices choices;

  /// The heading on pages: "-q, --quiet", "--arch ARCH", "NAME".
  [[nodiscard]] std::string heading() const;
};

/// A part of the text below the options: a sentence or two, and lines that are shown unchanged.
/// Examples have the title "Examples".
struct Note {
  std::string title;
  std::string text;
  std::vector<std::string> lines;
};

struct CommandEntry {
  std::string name;  ///< "map"; empty for the program itself
  std::string description;
  std::vector<OptionEntry> options;
  std::vector<Note> notes;

  /// The groups of its options, in the order of --help.
  [[nodiscard]] std::vector<std::string> groups() const;
};

struct Manual {
  CommandEntry program;
  std::vector<CommandEntry> commands;
};

/// The possible values of a command's option.
using ChoicesOf = std::function<Choices(const std::string& command, const std::string& option)>;

Manual manual_of(const CLI::App& program, const ChoicesOf& choices_of);

/// The words that an option accepts and `help` does not name: "One of a, b." Empty if the
/// explanation names all of them, or if there are too many.
std::string unsaid_words(const OptionEntry& option);

/// The beginning of an explanation, short enough for a menu.
std::string brief(const std::string& help);

}  // namespace pimbb::terminal
