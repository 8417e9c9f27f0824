// Commands and options handed to CLI11.
#include "terminal/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/help.hpp"

namespace pimbb::terminal {
namespace {

/// A command and, once it is named or described, its settings and options.
struct Entry {
  Command text;
  CLI::App* app;
  std::optional<PreparedCommand> command = std::nullopt;
};

void add_switches(CLI::App& app, OutputSettings& output) {
  app.add_flag("-q,--quiet", output.quiet,
               "No report and no progress, only errors and the exit code")
      ->group(groups::kOutput);
  app.add_flag("--ascii", output.ascii, "Draw bars without Unicode characters")
      ->group(groups::kOutput);
  app.add_flag("--wide", output.wide,
               "All columns of tables; otherwise those that fit the terminal, or 80 columns")
      ->group(groups::kOutput);
}

void add_options(CLI::App& app, const OptionRows& rows) {
  for (const OptionRow& row : rows) {
    const std::string name = row.name;
    const auto store = [&row, name](const std::string& text) { row.store(name, text); };
    if (row.value == nullptr) {
      app.add_flag_callback(
             name, [store] { store(""); }, row.help)
          ->group(row.group);
      continue;
    }
    const std::string names = row.alone ? std::string(row.value) + ',' + name : name;
    const auto store_all = [store](const std::vector<std::string>& texts) {
      for (const std::string& text : texts) store(text);
    };
    auto* option =
        row.repeats ? app.add_option_function<std::vector<std::string>>(names, store_all, row.help)
                          ->take_all()
                    : app.add_option_function<std::string>(names, store, row.help);
    const bool is_argument = name[0] != '-';
    if (row.repeats && !is_argument) option->expected(1)->allow_extra_args(false);
    option->type_name(row.value)->group(row.group);
    if (*row.preset != '\0') option->default_str(row.preset);
  }
}

/// The options of a command: most of the time that a program takes to begin, hence those of the
/// command that is named only.
void make_options(Entry& entry, const Program& program) {
  if (entry.command) return;
  entry.command = entry.text.prepare(program);
  add_options(*entry.app, entry.command->options);
  add_switches(*entry.app, *entry.command->output);
}

/// Options on which the answer does not depend.
constexpr std::array<std::string_view, 7> kOnlyOutput{
    "--json", "--csv", "--log", "--proof", "--output", "--threads", "--timeless"};

/// A word as a POSIX shell reads it back.
std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// "pimbb map --layer resnet18:fc": the options that were given, in the order of the help.
std::string command_line(const std::string& program, const Entry& entry) {
  std::string line = program + ' ' + entry.app->get_name();
  for (const OptionRow& row : entry.command->options) {
    if (std::ranges::count(kOnlyOutput, row.name) > 0) continue;
    const CLI::Option* option = entry.app->get_option_no_throw(row.name);
    if (option == nullptr || option->count() == 0) continue;
    const bool is_option = row.name[0] == '-';
    if (row.value == nullptr) {
      line += ' ' + std::string(row.name);
      continue;
    }
    for (const std::string& value : option->results()) {
      if (is_option) line += ' ' + std::string(row.name);
      line += ' ' + shell_word(value);
    }
  }
  return line;
}

}  // namespace

struct Program::Parts {
  explicit Parts(const ProgramText& text) : app("", text.name), version(text.version) {}

  CLI::App app;
  std::string version;
  OutputSettings output;  // of switches in front of the command
  std::vector<Entry> entries;

  /// The one that the parser found; it requires one.
  [[nodiscard]] const Entry& parsed() const {
    return *std::ranges::find_if(entries, [](const Entry& e) { return e.app->parsed(); });
  }
};

Program::Program(const ProgramText& text, std::vector<Command> commands)
    : parts_(std::make_unique<Parts>(text)) {
  CLI::App& app = parts_->app;
  app.description(text.description);
  app.set_version_flag("--version", std::string(text.version) + "\n" + text.build,
                       "Print the version, commit, compiler and features, and exit");
  app.formatter(help_layout());  // inherited by the subcommands, as is the next
  app.failure_message(refusal);
  app.require_subcommand(1);
  app.footer(std::string(text.beginning) + "\n\n" + text.exit_codes);
  add_switches(app, parts_->output);
  parts_->entries.reserve(commands.size());  // entries do not move: the parser refers to them
  for (Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.description);
    sub->footer(command.examples + "\n\n" + text.exit_codes);
    Entry& entry = parts_->entries.emplace_back(Entry{std::move(command), sub});
    sub->preparse_callback([this, &entry](std::size_t) { make_options(entry, *this); });
  }
}

Program::~Program() = default;

int Program::run(int argc, char** argv) {
  try {
    parts_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parts_->app.exit(error) == 0 ? kProven : kBadInput;
  }
  const Entry& entry = parts_->parsed();
  OutputSettings& output = *entry.command->output;
  output.quiet |= parts_->output.quiet;
  output.ascii |= parts_->output.ascii;
  output.wide |= parts_->output.wide;
  output.version = parts_->version;
  output.command = command_line(parts_->app.get_name(), entry);
  return entry.command->run();
}

int Program::call(std::vector<std::string> words, Caller& caller) {
  std::ranges::reverse(words);  // as the parser takes them
  try {
    parts_->app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::string text = refusal(&parts_->app, error);
    text.erase(text.find_last_not_of('\n') + 1);
    throw InputError(text);
  }
  const Entry& entry = parts_->parsed();
  OutputSettings& output = *entry.command->output;
  output.quiet = true;
  output.version = parts_->version;
  output.caller = &caller;
  return entry.command->run();
}

Manual Program::manual() const {
  for (Entry& entry : parts_->entries) make_options(entry, *this);
  return manual_of(parts_->app, [&](const std::string& command, const std::string& option) {
    for (const Entry& entry : parts_->entries) {
      if (entry.app->get_name() != command) continue;
      const auto row = std::ranges::find(entry.command->options, option, &OptionRow::name);
      if (row != entry.command->options.end() && row->choices != nullptr) return row->choices();
    }
    return Choices();
  });
}

}  // namespace pimbb::terminal
