// CLI11's view of the options, and the paragraphs below them, taken apart.
#include "terminal/manual.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace pimbb::terminal {
namespace {

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) entry.names.push_back("--" + name);
  entry.argument = entry.names.empty();
  if (entry.argument) {
    entry.names.push_back(option.get_name());
  } else if (option.get_type_size() > 0) {
    entry.value = option.get_type_name();
  }
  entry.group = entry.argument ? "Arguments" : option.get_group();
  entry.preset = option.get_default_str();
  entry.help = option.get_description();
  return entry;
}

/// The argument that stands for an option: its value without its name.
OptionEntry argument_of(const OptionEntry& option) {
  OptionEntry entry;
  entry.names = {option.value};
  entry.argument = true;
  entry.group = "Arguments";
  entry.help = "The same as " + option.names.back();
  entry.choices = option.choices;
  return entry;
}

/// A line that is indented is shown as it is; the others are text to be filled.
Note note_of(const std::string& paragraph) {
  Note note;
  std::istringstream lines(paragraph);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ")) {
      note.lines.push_back(line.substr(2));
    } else {
      note.text += (note.text.empty() ? "" : " ") + line;
    }
  }
  if (note.text == "Example:" || note.text == "Examples:") {
    note.text.clear();
    note.title = "Examples";
  } else if (note.text.starts_with("Exit code")) {
    note.title = "Exit status";
  }
  return note;
}

std::vector<Note> notes_of(const std::string& footer) {
  std::vector<Note> notes;
  for (std::size_t begin = 0; begin < footer.size();) {
    const std::size_t end = std::min(footer.find("\n\n", begin), footer.size());
    notes.push_back(note_of(footer.substr(begin, end - begin)));
    begin = end + 2;
  }
  return notes;
}

CommandEntry entry_of(const CLI::App& app, std::string name, const ChoicesOf& choices_of) {
  CommandEntry entry;
  for (const CLI::Option* option : app.get_options()) {
    entry.options.push_back(entry_of(*option));
    entry.options.back().choices = choices_of(name, entry.options.back().names.back());
    if (option->get_positional() && option->nonpositional()) {
      entry.options.push_back(argument_of(entry.options.back()));
    }
  }
  // Arguments first, as --help has it.
  std::stable_partition(entry.options.begin(), entry.options.end(),
                        [](const OptionEntry& o) { return o.argument; });
  entry.name = std::move(name);
  entry.description = app.get_description();
  entry.notes = notes_of(app.get_footer());
  return entry;
}

}  // namespace

std::string OptionEntry::heading() const {
  return fmt::format("{}{}{}", fmt::join(names, ", "), value.empty() ? "" : " ", value);
}

std::vector<std::string> CommandEntry::groups() const {
  std::vector<std::string> groups;
  for (const OptionEntry& option : options) {
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  }
  return groups;
}

Manual manual_of(const CLI::App& program, const ChoicesOf& choices_of) {
  Manual manual{.program = entry_of(program, "", choices_of), .commands = {}};
  std::vector<std::string> names;
  for (const CLI::App* app : program.get_subcommands([](const CLI::App*) { return true; })) {
    manual.commands.push_back(entry_of(*app, app->get_name(), choices_of));
    names.push_back(app->get_name());
  }
  for (CommandEntry& command : manual.commands) {
    for (OptionEntry& option : command.options) {
      if (option.argument && option.names.front() == "COMMAND") option.choices.words = names;
    }
  }
  return manual;
}

std::string unsaid_words(const OptionEntry& option) {
  constexpr std::size_t kReadable = 16;
  const std::vector<std::string>& words = option.choices.words;
  const auto said = [&](const std::string& word) {
    return option.help.find(word) != std::string::npos;
  };
  if (words.empty() || words.size() > kReadable || std::ranges::all_of(words, said)) return "";
  return fmt::format("{}: {}",
                     !option.choices.files.empty() ? "Presets"
                     : option.choices.list         ? "One or more, separated by commas"
                                                   : "One",
                     fmt::join(words, ", "));
}

std::string brief(const std::string& help) {
  constexpr std::size_t kMenu = 72;
  std::string text = help;
  for (const char* end : {"; ", ". "}) text = text.substr(0, text.find(end));
  if (text.size() <= kMenu) return text;
  return text.substr(0, text.rfind(' ', kMenu - 4)) + " ...";
}

}  // namespace pimbb::terminal
