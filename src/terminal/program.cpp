// Commands and options handed to CLI11.
#include "terminal/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "terminal/exit_code.hpp"
#include "terminal/help.hpp"

namespace pimbb::terminal {
namespace {

struct Entry {
  CLI::App* app;
  PreparedCommand command;
};

void add_switches(CLI::App& app, OutputSettings& output) {
  app.add_flag("-q,--quiet", output.quiet,
               "No report and no progress, only errors and the exit code")
      ->group(groups::kOutput);
  app.add_flag("--ascii", output.ascii, "Draw bars without Unicode characters")
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
                          ->expected(1)
                          ->take_all()
                    : app.add_option_function<std::string>(names, store, row.help);
    option->type_name(row.value)->group(row.group);
    if (*row.preset != '\0') option->default_str(row.preset);
  }
}

}  // namespace

struct Program::Parts {
  explicit Parts(const char* name) : app("", name) {}

  CLI::App app;
  OutputSettings output;  // of switches in front of the command
  std::vector<Entry> entries;
};

Program::Program(const ProgramText& text, const std::vector<Command>& commands)
    : parts_(std::make_unique<Parts>(text.name)) {
  CLI::App& app = parts_->app;
  app.description(text.description);
  app.set_version_flag("--version", text.version, "Print the version and exit");
  app.formatter(help_layout());  // inherited by the subcommands, as is the next
  app.failure_message(refusal);
  app.require_subcommand(1);
  app.footer(std::string(text.beginning) + "\n\n" + text.exit_codes);
  add_switches(app, parts_->output);
  parts_->entries.reserve(commands.size());
  for (const Command& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.description);
    sub->footer(std::string(command.examples) + "\n\n" + text.exit_codes);
    Entry& entry = parts_->entries.emplace_back(Entry{sub, command.prepare(*this)});
    add_options(*sub, entry.command.options);
    add_switches(*sub, *entry.command.output);
  }
}

Program::~Program() = default;

int Program::run(int argc, char** argv) {
  try {
    parts_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return parts_->app.exit(error) == 0 ? kProven : kBadInput;
  }
  for (const Entry& entry : parts_->entries) {
    if (!entry.app->parsed()) continue;
    entry.command.output->quiet |= parts_->output.quiet;
    entry.command.output->ascii |= parts_->output.ascii;
    return entry.command.run();
  }
  return kInternal;  // not reached: the parser requires one of them
}

Manual Program::manual() const {
  return manual_of(parts_->app, [&](const std::string& command, const std::string& option) {
    for (const Entry& entry : parts_->entries) {
      if (entry.app->get_name() != command) continue;
      const auto row = std::ranges::find(entry.command.options, option, &OptionRow::name);
      if (row != entry.command.options.end() && row->choices != nullptr) return row->choices();
    }
    return Choices();
  });
}

}  // namespace pimbb::terminal
