// A subcommand: name, help, options, and the function that runs it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

class Program;

/// A command with its settings: parsing stores to them through the rows, `run` reads them.
struct PreparedCommand {
  OptionRows options;
  OutputSettings* output;    ///< part of the settings; --quiet and --ascii are stored here
  std::function<int()> run;  ///< returns the exit code; throws InputError on bad input
};

struct Command {
  std::string name;
  std::string description;
  std::string examples;  ///< below the options in --help
  /// Creates new settings at every call. `program` outlives the result.
  std::function<PreparedCommand(const Program& program)> prepare;
};

/// The usual preparation: `Settings` has a member `output`, `rows(settings)` lists the options that
/// store to the settings, `run(settings)` runs the command.
template <class Settings>
std::function<PreparedCommand(const Program&)> prepare(OptionRows (*rows)(Settings&),
                                                       int (*run)(const Settings&)) {
  return [rows, run](const Program&) {
    const auto settings = std::make_shared<Settings>();
    return PreparedCommand{rows(*settings), &settings->output, [=] { return run(*settings); }};
  };
}

}  // namespace pimbb::terminal
