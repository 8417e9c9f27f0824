// pimbb completion: what a shell offers when the tabulator is pressed.
#include "dram_pim/cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/output.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::cli {
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

int run_completion(const Settings& settings) {
  if (settings.shell.empty()) {
    throw InputError(
        fmt::format("SHELL: found none, allowed are {}", fmt::join(kShellNames, ", ")));
  }
  const Manual manual = manual_of(*settings.parser);
  Output output(settings);
  output.content(settings.shell == "bash"  ? bash_completion(manual)
                 : settings.shell == "zsh" ? zsh_completion(manual)
                                           : fish_completion(manual));
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
