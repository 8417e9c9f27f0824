// Options as tables of markdown.
#include <fmt/format.h>

#include "terminal/man.hpp"

namespace pimbb::terminal {
namespace {

/// Text in a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<') out += '\\';
    out += c;
  }
  return out;
}

std::string row(const OptionEntry& option) {
  const std::string words = unsaid_words(option);
  return fmt::format("| `{}` | {}{}{} | {} |\n", option.heading(), cell(option.help),
                     words.empty() ? "" : ". ", cell(words),
                     option.preset.empty() ? "" : "`" + option.preset + "`");
}

}  // namespace

std::string markdown_page(const Manual& manual, const CommandEntry& command) {
  std::string text;
  if (command.name.empty()) {
    text += "| command | what it does |\n|---|---|\n";
    for (const CommandEntry& other : manual.commands) {
      text += fmt::format("| [`{0}`]({0}.md) | {1} |\n", other.name, cell(other.description));
    }
    text += "\n";
  }
  for (const std::string& group : command.groups()) {
    if (group == "Options") continue;  // --help and --version, which explain themselves
    text += fmt::format("| {} | what it is | default |\n|---|---|---|\n", group);
    for (const OptionEntry& option : command.options) {
      if (option.group == group) text += row(option);
    }
    text += "\n";
  }
  text.pop_back();
  return text;
}

}  // namespace pimbb::terminal
