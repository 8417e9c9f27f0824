// Completion for zsh, as a function for its directory of functions.
#include <fmt/format.h>

#include "terminal/completion.hpp"

namespace pimbb::terminal {
namespace {

constexpr const char* kZshHead = R"zsh(#compdef pimbb
# Completion of pimbb for zsh, written by 'pimbb completion zsh'.

# _pimbb_choose LIST FILES WORD...: words, several of them with commas between if LIST is not empty,
# and files with these extensions ('*' for any).
_pimbb_choose() {
  local list=$1 files=$2 ret=1
  shift 2
  if [[ -n $list ]]; then
    _values -s , value "$@" && ret=0
  elif (( $# )); then
    compadd -- "$@" && ret=0
  fi
  if [[ $files == '*' ]]; then
    _files && ret=0
  elif [[ -n $files ]]; then
    _files -g "*.(${files// /|})(-.)" && ret=0
  fi
  return ret
}

)zsh";

constexpr const char* kTail = R"zsh(
# Sourced, it has to be made known; from the directory of functions, it is the function itself.
if [[ $funcstack[1] == _pimbb ]]; then
  _pimbb "$@"
else
  compdef _pimbb pimbb
fi
)zsh";

/// Help in a specification of _arguments, where these characters have a meaning.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

using Groups = std::vector<ValueGroup>;

/// ":ARCH: _pimbb_map_arch"; a blank where nothing can be offered.
std::string action(const Groups& groups, const CommandEntry& command, const OptionEntry& option) {
  const std::string& message = option.argument ? option.names.front() : option.value;
  const std::string function =
      option.choices.empty() ? "" : "_pimbb_" + group_of(groups, command, option).name();
  return fmt::format(":{}: {}", message, function);
}

std::string specification(const Groups& groups, const CommandEntry& command,
                          const OptionEntry& option) {
  if (option.argument) return quoted("1" + action(groups, command, option));
  const std::string help = "[" + escaped(brief(option.help)) + "]";
  if (!option.value.empty()) {
    return quoted(option.names.back() + "=" + help + action(groups, command, option));
  }
  if (option.names.size() == 1) return quoted(option.names.front() + help);
  return fmt::format("{}{{{}}}{}", quoted("(" + spaced(option.names) + ")"),
                     fmt::join(option.names, ","), quoted(help));
}

std::string specifications(const Groups& groups, const CommandEntry& command,
                           const std::string& indent) {
  std::string text;
  for (const OptionEntry& option : command.options) {
    text += fmt::format(" \\\n{}{}", indent, specification(groups, command, option));
  }
  return text;
}

std::string zsh_values(const Groups& groups) {
  std::string text;
  for (const ValueGroup& group : groups) {
    if (group.choices.empty()) continue;
    text += fmt::format("_pimbb_{}() {{ _pimbb_choose '{}' {} {}; }}\n", group.name(),
                        group.choices.list ? "list" : "", quoted(spaced(group.choices.files)),
                        spaced(group.choices.words));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const Manual& manual) {
  const Groups groups = value_groups(manual);
  std::string text = kZshHead + zsh_values(groups);
  text +=
      "\n_pimbb() {\n"
      "  local curcontext=$curcontext state line ret=1\n"
      "  typeset -A opt_args\n"
      "  _arguments -C" +
      specifications(groups, manual.program, "    ") +
      " \\\n    '1:command:->command' '*::argument:->argument' && ret=0\n"
      "  case $state in\n"
      "    command)\n"
      "      local -a commands=(\n";
  for (const CommandEntry& command : manual.commands) {
    text += fmt::format("        {}\n",
                        quoted(command.name + ":" + escaped(brief(command.description))));
  }
  text +=
      "      )\n"
      "      _describe command commands && ret=0\n"
      "      ;;\n"
      "    argument)\n"
      "      case $line[1] in\n";
  for (const CommandEntry& command : manual.commands) {
    text += fmt::format("        {})\n          _arguments{} && ret=0\n          ;;\n",
                        command.name, specifications(groups, command, "            "));
  }
  return text + "      esac\n      ;;\n  esac\n  return ret\n}\n" + kTail;
}

}  // namespace pimbb::terminal
