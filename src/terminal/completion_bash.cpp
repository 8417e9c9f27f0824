// Completion for bash, which splits the line at ':' and '=' as well as at spaces.
#include <fmt/format.h>

#include "terminal/completion.hpp"

namespace pimbb::terminal {
namespace {

constexpr const char* kEngine = R"bash(
# Candidates for $cur among the words and files that were found.
_pimbb_candidates() {
  local word head='' slash=/
  [[ -n $list && $cur == *,* ]] && head=${cur%,*},
  for word in $words; do
    [[ -n $list && ,$head == *",$word,"* ]] && continue
    [[ $head$word == "$cur"* ]] && COMPREPLY+=("$head$word")
  done
  [[ -n $list ]] && compopt -o nospace 2>/dev/null
  [[ -z $files ]] && return
  # Words and files together are no file names to bash, which then adds no slash to directories.
  ((${#COMPREPLY[@]} == 0)) && slash='' && compopt -o filenames 2>/dev/null
  while IFS= read -r word; do
    if [[ -d ${word/#\~/$HOME} ]]; then
      COMPREPLY+=("$word$slash")
    elif [[ $files == '*' || " $files " == *" ${word##*.} "* ]]; then
      COMPREPLY+=("$word")
    fi
  done < <(compgen -f -- "$cur")
  ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}

_pimbb() {
  local line=() i word cur previous='' command='' option='' words list files
  # The words as they were typed: bash has cut them at ':' and '='.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((${#line[@]})) && [[ $word == [:=]* || ${COMP_WORDS[i - 1]} == [:=] ]]; then
      line[-1]+=$word
    else
      line+=("$word")
    fi
  done
  cur=${line[-1]}
  unset 'line[-1]'
  COMPREPLY=()
  for word in "${line[@]}"; do
    [[ -z $command && $word != -* ]] && command=$word
    previous=$word
  done

  if [[ $cur == --*=* ]]; then
    option=${cur%%=*}
    cur=${cur#*=}
  elif [[ $previous == -* ]] && _pimbb_values "$command:$previous"; then
    option=$previous
  elif [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_pimbb_options "$command")" -- "$cur")
    return
  fi
  _pimbb_values "$command:$option" || return
  _pimbb_candidates
  [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${cur%:*}:"}")
  [[ $COMP_WORDBREAKS != *=* && -n $option && $option != "$previous" ]] &&
    COMPREPLY=("${COMPREPLY[@]/#/$option=}")
  return 0
}

complete -F _pimbb pimbb
)bash";

std::string arm(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : command.options) {
    if (!option.argument) names.push_back(option.names.back());
  }
  return fmt::format("    '{}') echo '{}' ;;\n", command.name, spaced(names));
}

std::string value_arms(const Manual& manual) {
  std::vector<std::string> commands;
  for (const CommandEntry& command : manual.commands) commands.push_back(command.name);
  std::string text = fmt::format("    :) words='{}' ;;\n", spaced(commands));
  for (const auto& [choices, places] : value_groups(manual)) {
    text += fmt::format("    {})", fmt::join(places, " | "));
    if (!choices.words.empty()) text += fmt::format(" words={}", quoted(spaced(choices.words)));
    if (choices.list) text += " list=1";
    if (!choices.files.empty()) text += fmt::format(" files={}", quoted(spaced(choices.files)));
    text += " ;;\n";
  }
  return text;
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  std::string text =
      "# Completion of pimbb for bash, written by 'pimbb completion bash'.\n\n"
      "# The options of a command.\n_pimbb_options() {\n  case $1 in\n" +
      arm(manual.program);
  for (const CommandEntry& command : manual.commands) text += arm(command);
  return text +
         "  esac\n}\n\n"
         "# What follows an option (COMMAND:--OPTION) or stands alone (COMMAND:): words, whether "
         "a\n"
         "# list of them is allowed, files by extension. False where nothing does.\n"
         "_pimbb_values() {\n  words='' list='' files=''\n  case $1 in\n" +
         value_arms(manual) + "    *) return 1 ;;\n  esac\n}\n" + kEngine;
}

}  // namespace pimbb::terminal
