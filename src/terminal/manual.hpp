// All that can be said of the command line, read off the parser that takes it.
//
// Completions and manual pages are made of this and of nothing else, so that they name the
// commands, options, defaults and explanations that --help names.
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
  std::vector<std::string> names;  ///< as typed: "-q", "--quiet"; of an argument, its placeholder
  bool argument = false;           ///< stands alone, without a name in front
  std::string value;               ///< placeholder of the value, empty for a flag
  std::string group;               ///< heading under which --help shows it
  std::string preset;              ///< the default, empty for none
  std::string help;
  Choices choices;

  /// "-q, --quiet", "--arch ARCH", "NAME": how pages head it.
  [[nodiscard]] std::string heading() const;
};

/// A part of what stands below the options: a sentence or two, and lines that are shown as they
/// are. Examples have the title "Examples".
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

/// What an option of a command takes.
using ChoicesOf = std::function<Choices(const std::string& command, const std::string& option)>;

Manual manual_of(const CLI::App& program, const ChoicesOf& choices_of);

/// What `help` leaves unsaid of the words that an option takes: "One of a, b." Empty where the
/// explanation names all of them, or where there are too many to read.
std::string unsaid_words(const OptionEntry& option);

/// The beginning of an explanation, short enough for a menu.
std::string brief(const std::string& help);

}  // namespace pimbb::terminal
