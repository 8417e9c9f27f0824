// The manual page in the man macros of roff.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "terminal/man.hpp"

namespace pimbb::terminal {
namespace {

/// Text that roff prints as it stands: hyphens that can be copied, no line taken for a request.
std::string plain(std::string_view text) {
  std::string out;
  if (!text.empty() && (text.front() == '.' || text.front() == '\'')) out = "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      default: out += c;
    }
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string page_name(const CommandEntry& command) {
  return command.name.empty() ? "pimbb" : "pimbb-" + command.name;
}

/// "\fB--arch\fR \fIARCH\fR"
std::string heading(const OptionEntry& option) {
  if (option.argument) return "\\fI" + plain(option.names.front()) + "\\fR";
  std::string text;
  for (const std::string& name : option.names) {
    text += (text.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
  }
  return option.value.empty() ? text : text + " \\fI" + plain(option.value) + "\\fR";
}

std::string item(const OptionEntry& option) {
  std::string text = fmt::format(".TP\n{}\n{}.\n", heading(option), plain(option.help));
  if (const std::string words = unsaid_words(option); !words.empty()) {
    text += plain(words) + ".\n";
  }
  if (!option.preset.empty()) text += fmt::format("Default: \\fB{}\\fR.\n", plain(option.preset));
  return text;
}

std::string options(const CommandEntry& command) {
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : command.groups()) {
    text += fmt::format(".SS {}\n", plain(group));
    for (const OptionEntry& option : command.options) {
      if (option.group == group) text += item(option);
    }
  }
  return text;
}

std::string body(const Note& note) {
  std::string text;
  if (!note.text.empty()) text += plain(note.text) + "\n";
  if (note.lines.empty()) return text;
  text += (text.empty() ? "" : ".PP\n") + std::string(".nf\n");
  for (const std::string& line : note.lines) text += plain(line) + "\n";
  return text + ".fi\n";
}

/// All notes of one title under one heading; those without a title belong to the description.
std::string notes(const CommandEntry& command, std::string_view title) {
  std::string text;
  for (const Note& note : command.notes) {
    if (note.title == title) text += (text.empty() && !title.empty() ? "" : ".PP\n") + body(note);
  }
  if (title.empty() || text.empty()) return text;
  return fmt::format(".SH {}\n", upper(std::string(title))) + text;
}

std::string synopsis(const CommandEntry& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n.B pimbb{}{}\n[\\fIoptions\\fR]\n",
                                 command.name.empty() ? "" : " ", plain(command.name));
  if (command.name.empty()) text += "\\fIcommand\\fR ...\n";
  for (const OptionEntry& option : command.options) {
    if (option.argument) text += fmt::format("[\\fI{}\\fR]\n", plain(option.names.front()));
  }
  return text;
}

std::string commands(const Manual& manual) {
  std::string text = ".SH COMMANDS\n";
  for (const CommandEntry& command : manual.commands) {
    text += fmt::format(".TP\n\\fBpimbb {}\\fR\n{}.\n", plain(command.name),
                        plain(command.description));
  }
  return text;
}

std::string see_also(const Manual& manual, const CommandEntry& command) {
  std::string text;
  const auto add = [&](const CommandEntry& other) {
    text += fmt::format("{}.BR {} (1)", text.empty() ? "" : " ,\n", plain(page_name(other)));
  };
  if (!command.name.empty()) {
    add(manual.program);
  } else {
    for (const CommandEntry& other : manual.commands) add(other);
  }
  return ".SH SEE ALSO\n" + text + "\n";
}

}  // namespace

std::string roff_page(const Manual& manual, const CommandEntry& command) {
  const bool whole = command.name.empty();
  std::string description = command.description;
  std::ranges::replace(description, '\n', ' ');
  std::string name =
      whole ? "exact mapping of neural networks onto DRAM accelerators" : description;
  if (!whole) name.front() = static_cast<char>(std::tolower(name.front()));
  return fmt::format(".TH {} 1 \"\" pimbb \"pimbb manual\"\n.SH NAME\n{} \\- {}\n",
                     plain(upper(page_name(command))), plain(page_name(command)), plain(name)) +
         synopsis(command) +
         fmt::format(".SH DESCRIPTION\n{}{}\n", plain(description),
                     description.ends_with('.') ? "" : ".") +
         notes(command, "") + (whole ? commands(manual) : "") + options(command) +
         notes(command, "Examples") + notes(command, "Exit status") + see_also(manual, command);
}

}  // namespace pimbb::terminal
