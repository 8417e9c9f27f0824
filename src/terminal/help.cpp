// Wrapping explanations; naming what was not understood and what it may have meant.
#include "terminal/help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>
#include <vector>

#include "files/nearest.hpp"
#include "terminal/format.hpp"

namespace pimbb::terminal {
namespace {

constexpr std::size_t kNameColumn = 26;
constexpr std::size_t kWidth = 96;

std::string wrap(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::string out;
  std::size_t column = 0;
  for (std::string word; words >> word;) {
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

class Layout : public CLI::Formatter {
 public:
  Layout() { column_width(kNameColumn); }

  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = option->get_description();
    if (!option->get_default_str().empty()) text += " (default: " + option->get_default_str() + ")";
    return wrap(text, kWidth - kNameColumn);
  }

  std::string make_option(const CLI::Option* option, bool is_argument) const override {
    if (!is_argument || !option->nonpositional()) {
      return CLI::Formatter::make_option(option, is_argument);
    }
    return fmt::format("  {:{}}The same as {}\n", make_option_name(option, true), kNameColumn - 2,
                       option->get_name());
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;)
      text.erase(at, 1);
    return text;
  }
};

/// The subcommand that was named, or the program itself.
const CLI::App* named(const CLI::App* app) {
  const auto subcommands = app->get_subcommands();
  return subcommands.empty() ? app : subcommands.front();
}

std::string path_of(const CLI::App* app) {
  return app->get_parent() == nullptr ? app->get_name()
                                      : path_of(app->get_parent()) + " " + app->get_name();
}

std::vector<std::string> options_of(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> commands_of(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return files::did_you_mean(word, views);
}

/// The first word that was not understood: CLI11 keeps them in no dependable order, and an option
/// explains more than its value.
std::string first_stranger(const CLI::App* app) {
  const std::vector<std::string> words = app->remaining(true);
  for (const std::string& word : words) {
    if (word.size() > 1 && word.front() == '-') return word;
  }
  return words.empty() ? "" : words.front();
}

std::string explain(const CLI::App* app, const CLI::Error& error) {
  const std::string stranger = printable(first_stranger(app));
  const bool option = !stranger.empty() && stranger.front() == '-';
  if (app->get_parent() == nullptr && !option) {
    const std::vector<std::string> commands = commands_of(app);
    return stranger.empty()
               ? fmt::format("a command is needed: {}", fmt::join(commands, ", "))
               : fmt::format("found '{}', allowed are the commands {}{}", stranger,
                             fmt::join(commands, ", "), suggestion(stranger, commands));
  }
  if (stranger.empty()) return printable(error.what());
  return option
             ? fmt::format("unknown option '{}'{}", stranger, suggestion(stranger, options_of(app)))
             : fmt::format("found '{}', which belongs to no option", stranger);
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_layout() { return std::make_shared<Layout>(); }

std::string refusal(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* at = named(app);
  const std::string path = path_of(at);
  return fmt::format("{}: {}\n'{} --help' explains.\n", path, explain(at, error), path);
}

}  // namespace pimbb::terminal
