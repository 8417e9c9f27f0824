// Rows of several commands merged by the names of options.
#include "terminal/shared_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pimbb/error.hpp"

namespace pimbb::terminal {
namespace {

struct Member {
  Kind kind;
  PreparedCommand command;
};

struct Parts {
  std::vector<Member> members;
  std::vector<std::pair<std::string, std::string>>
      given;              // options and values, in the help's order
  OutputSettings output;  // of the switches of every command
};

const OptionRow* find_row(const Member& member, std::string_view name) {
  const auto row = std::ranges::find(member.command.options, name, &OptionRow::name);
  return row == member.command.options.end() ? nullptr : &*row;
}

/// The kinds whose commands have the option.
std::string kinds_with(const Parts& parts, std::string_view name) {
  std::string kinds;
  for (const Member& member : parts.members) {
    if (find_row(member, name) == nullptr) continue;
    kinds += (kinds.empty() ? "" : ", ") + std::string(pimbb::name(member.kind));
  }
  return kinds;
}

std::string merged_help(const Parts& parts, std::string_view name) {
  std::string text;
  std::string first;
  std::size_t have = 0;
  for (const Member& member : parts.members) {
    const OptionRow* row = find_row(member, name);
    if (row == nullptr) continue;
    if (++have == 1) {
      text = first = row->help;
    } else if (row->help != first) {
      text += fmt::format("; with kind {}: {}", pimbb::name(member.kind), row->help);
    }
  }
  return have == parts.members.size() ? text
                                      : fmt::format("{} (kind {})", text, kinds_with(parts, name));
}

Choices merged_choices(const Parts& parts, std::string_view name) {
  Choices all;
  const auto add = [](std::vector<std::string>& list, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      if (std::ranges::count(list, word) == 0) list.push_back(word);
    }
  };
  for (const Member& member : parts.members) {
    const OptionRow* row = find_row(member, name);
    if (row == nullptr || row->choices == nullptr) continue;
    const Choices own = row->choices();
    add(all.words, own.words);
    add(all.files, own.files);
    all.list = all.list || own.list;
  }
  return all;
}

OptionRows merged_rows(const std::shared_ptr<Parts>& parts) {
  OptionRows rows;
  for (const Member& member : parts->members) {
    for (const OptionRow& own : member.command.options) {
      if (std::ranges::count(rows, std::string_view(own.name), &OptionRow::name) > 0) continue;
      OptionRow row = own;
      row.help = merged_help(*parts, row.name);
      row.store = [all = parts.get()](std::string_view option, const std::string& text) {
        all->given.emplace_back(option, text);
      };
      row.choices = [all = parts.get(), name = std::string(row.name)] {
        return merged_choices(*all, name);
      };
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

const Member& member_of(const Parts& parts, Kind kind) {
  const auto found = std::ranges::find(parts.members, kind, &Member::kind);
  if (found != parts.members.end()) return *found;
  std::string kinds;
  for (const Member& member : parts.members) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(name(member.kind));
  }
  throw InputError(
      fmt::format("--arch: found an architecture of kind {}, allowed with this command is {}",
                  name(kind), kinds));
}

int run(const Parts& parts, const std::function<Kind(const GivenValue&)>& kind_of) {
  const Kind kind = kind_of([&](std::string_view option) -> std::optional<std::string> {
    const auto last = std::ranges::find(parts.given.rbegin(), parts.given.rend(), option,
                                        &std::pair<std::string, std::string>::first);
    return last == parts.given.rend() ? std::nullopt : std::optional(last->second);
  });
  const Member& member = member_of(parts, kind);
  *member.command.output = parts.output;
  for (const auto& [option, text] : parts.given) {
    const OptionRow* row = find_row(member, option);
    if (row == nullptr) {
      throw InputError(
          fmt::format("{}: found with an architecture of kind {}, allowed with kind {}", option,
                      name(kind), kinds_with(parts, option)));
    }
    row->store(option, text);
  }
  return member.command.run();
}

}  // namespace

Command shared_command(std::vector<KindCommand> commands,
                       std::function<Kind(const GivenValue&)> kind_of) {
  Command shared = commands.front().command;
  for (std::size_t k = 1; k < commands.size(); ++k) {
    shared.examples += "\n\n" + commands[k].command.examples;
  }
  shared.prepare = [commands = std::move(commands),
                    kind_of = std::move(kind_of)](const Program& program) {
    const auto parts = std::make_shared<Parts>();
    for (const KindCommand& each : commands) {
      parts->members.push_back({each.kind, each.command.prepare(program)});
    }
    return PreparedCommand{merged_rows(parts), &parts->output,
                           [parts, kind_of] { return run(*parts, kind_of); }};
  };
  return shared;
}

}  // namespace pimbb::terminal
