// pimbb man: the manual page of a command.
#include "terminal/man.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/program.hpp"

namespace pimbb::terminal {
namespace {

const CommandEntry& find(const Manual& manual, const std::string& name) {
  if (name.empty()) return manual.program;
  const auto at = std::ranges::find(manual.commands, name, &CommandEntry::name);
  if (at != manual.commands.end()) return *at;
  std::vector<std::string_view> names;
  for (const CommandEntry& command : manual.commands) names.push_back(command.name);
  throw InputError(fmt::format("COMMAND: found '{}'{}, allowed are {}", name,
                               files::did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace

namespace {

constexpr std::array<std::string_view, 2> kPageFormatNames{"roff", "markdown"};

struct ManSettings {
  std::string command;  ///< empty for the program itself
  std::string_view format = kPageFormatNames[0];
  OutputSettings output;
};

OptionRows rows(ManSettings& s) {
  return {{"COMMAND", "", groups::kProblem, "", "Command to describe; without one, pimbb itself",
           [&](auto option, auto& text) { s.command = not_empty(option, text); }},
          {"--format", "FORMAT", groups::kOutput, "roff",
           "roff (for 'man -l -') or markdown (its tables of options, as in docs/commands)",
           [&](auto option, auto& text) {
             s.format = kPageFormatNames[place_among(option, text, kPageFormatNames)];
           },
           [] { return one_of(kPageFormatNames); }}};
}

int run(const ManSettings& settings, const Manual& manual) {
  const CommandEntry& command = find(manual, settings.command);
  Output output(settings.output);
  output.content(settings.format == "markdown" ? markdown_page(manual, command)
                                               : roff_page(manual, command));
  output.finish();
  return kProven;
}

}  // namespace

Command man_command() {
  return {"man", "Write the manual page of a command",
          "Examples:\n"
          "  pimbb man map | man -l -\n"
          "  pimbb man > pimbb.1",
          [](const Program& program) {
            const auto settings = std::make_shared<ManSettings>();
            return PreparedCommand{rows(*settings), &settings->output,
                                   [=, &program] { return run(*settings, program.manual()); }};
          }};
}

}  // namespace pimbb::terminal
