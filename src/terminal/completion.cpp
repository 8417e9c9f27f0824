// pimbb completion: what a shell offers when the tabulator is pressed.
#include "terminal/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/program.hpp"

namespace pimbb::terminal {
namespace {

std::string place(const CommandEntry& command, const OptionEntry& option) {
  return command.name + ":" + (option.argument ? "" : option.names.back());
}

}  // namespace

std::vector<ValueGroup> value_groups(const Manual& manual) {
  std::vector<ValueGroup> groups;
  for (const CommandEntry& command : manual.commands) {
    for (const OptionEntry& option : command.options) {
      if (!option.argument && option.value.empty()) continue;  // a flag
      auto at = std::ranges::find(groups, option.choices, &ValueGroup::choices);
      if (at == groups.end()) at = groups.insert(at, {option.choices, {}});
      at->places.push_back(place(command, option));
    }
  }
  return groups;
}

const ValueGroup& group_of(const std::vector<ValueGroup>& groups, const CommandEntry& command,
                           const OptionEntry& option) {
  return *std::ranges::find_if(groups, [&](const ValueGroup& group) {
    return std::ranges::count(group.places, place(command, option)) > 0;
  });
}

std::string ValueGroup::name() const {
  std::string name;
  for (const char c : places.front()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += c;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  if (name.ends_with('_')) name.pop_back();
  return name;
}

std::string quoted(const std::string& text, bool posix) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += posix ? "'\\''" : "\\'";
    } else {
      out += c == '\\' && !posix ? "\\\\" : std::string(1, c);
    }
  }
  return out + "'";
}

std::string spaced(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

namespace {

constexpr std::array<std::string_view, 3> kShellNames{"bash", "zsh", "fish"};

struct CompletionSettings {
  std::string shell;
  OutputSettings output;
};

OptionRows rows(CompletionSettings& s) {
  return {{"SHELL", "", groups::kProblem, "", "Shell: bash, zsh or fish",
           [&](auto option, auto& text) {
             s.shell = kShellNames[place_among(option, text, kShellNames)];
           },
           [] { return one_of(kShellNames); }}};
}

int run(const CompletionSettings& settings, const Manual& manual) {
  if (settings.shell.empty()) {
    throw InputError(
        fmt::format("SHELL: found none, allowed are {}", fmt::join(kShellNames, ", ")));
  }
  Output output(settings.output);
  output.content(settings.shell == "bash"  ? bash_completion(manual)
                 : settings.shell == "zsh" ? zsh_completion(manual)
                                           : fish_completion(manual));
  output.finish();
  return kProven;
}

}  // namespace

Command completion_command() {
  return {"completion", "Write the completion of commands, options and values for a shell",
          "Examples:\n"
          "  source <(pimbb completion bash)\n"
          "  pimbb completion zsh > ~/.zfunc/_pimbb\n"
          "  pimbb completion fish > ~/.config/fish/completions/pimbb.fish",
          [](const Program& program) {
            const auto settings = std::make_shared<CompletionSettings>();
            return PreparedCommand{rows(*settings), &settings->output,
                                   [=, &program] { return run(*settings, program.manual()); }};
          }};
}

}  // namespace pimbb::terminal
