// Completion for fish: one line for each option of each command.
#include <fmt/format.h>

#include "terminal/completion.hpp"

namespace pimbb::terminal {
namespace {

constexpr const char* kFishHead =
    R"fish(# Completion of pimbb for fish, written by 'pimbb completion fish'.

# Whether the command on the line is this one; '' for none yet.
function __pimbb_is
    set -l command ''
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            set command $word
            break
        end
    end
    test "$command" = "$argv[1]"
end

# LIST FILES WORD...: words, several of them with commas between if LIST is not empty, and files
# with these extensions ('*' for any).
function __pimbb_choose
    set -l list $argv[1]
    set -l files (string split -n ' ' -- $argv[2])
    set -l current (string replace -r -- '^--[a-z-]+=' '' (commandline -ct))
    set -l head ''
    if test -n "$list"
        set head (string match -r -- '^.*,' $current)
    end
    for word in $argv[3..-1]
        if not string match -q -- "*,$word,*" ",$head"
            echo $head$word
        end
    end
    if set -q files[1]
        for path in (__fish_complete_path $current)
            set -l extension (string replace -r -- '^.*\.([^.\t]*)(\t.*)?$' '$1' $path)
            if test "$files" = '*'; or string match -q -r -- '/(\t|$)' $path; or contains -- $extension $files
                echo $path
            end
        end
    end
end

)fish";

std::string condition(const CommandEntry& command) {
  return fmt::format("complete -c pimbb -n \"__pimbb_is '{}'\"", command.name);
}

using Groups = std::vector<ValueGroup>;

std::string fish_values(const Groups& groups) {
  std::string text;
  for (const ValueGroup& group : groups) {
    if (group.choices.empty()) continue;
    text += fmt::format("function __pimbb_{}\n    __pimbb_choose '{}' '{}' {}\nend\n", group.name(),
                        group.choices.list ? "list" : "", spaced(group.choices.files),
                        spaced(group.choices.words));
  }
  return text;
}

std::string offer(const Groups& groups, const CommandEntry& command, const OptionEntry& option) {
  if (option.choices.empty()) return "";
  return fmt::format(" -a '(__pimbb_{})'", group_of(groups, command, option).name());
}

std::string line(const Groups& groups, const CommandEntry& command, const OptionEntry& option) {
  std::string text = condition(command);
  if (option.argument) return text + offer(groups, command, option) + "\n";
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += " -x" + offer(groups, command, option);
  return text + " -d " + quoted(brief(option.help), false) + "\n";
}

}  // namespace

std::string fish_completion(const Manual& manual) {
  const Groups groups = value_groups(manual);
  std::string text = kFishHead + fish_values(groups) + "\ncomplete -c pimbb -f\n";
  for (const CommandEntry& command : manual.commands) {
    text += fmt::format("{} -a {} -d {}\n", condition(manual.program), command.name,
                        quoted(brief(command.description), false));
  }
  for (const OptionEntry& option : manual.program.options)
    text += line(groups, manual.program, option);
  for (const CommandEntry& command : manual.commands) {
    text += "\n";
    for (const OptionEntry& option : command.options) text += line(groups, command, option);
  }
  return text;
}

}  // namespace pimbb::terminal
