// Commands of the same name joined.
#include "cli/all_commands.hpp"

#include <algorithm>

#include "cim/cli/commands.hpp"
#include "cli/commands.hpp"
#include "cli/kind_of.hpp"
#include "crossbar/cli/commands.hpp"
#include "dram_pim/cli/commands.hpp"
#include "report/command.hpp"
#include "terminal/completion.hpp"
#include "terminal/man.hpp"
#include "terminal/shared_command.hpp"

namespace pimbb::cli {
namespace {

using terminal::Command;
using terminal::KindCommand;
using terminal::shared_command;

void add_of_same_name(std::vector<KindCommand>& same, Kind kind, std::vector<Command>& commands) {
  const auto other = std::ranges::find(commands, same.front().command.name, &Command::name);
  if (other != commands.end()) same.push_back({kind, std::move(*other)});
}

}  // namespace

std::vector<Command> all_commands() {
  std::vector<Command> all;
  std::vector<Command> of_cim = cim::cli::commands();
  std::vector<Command> of_crossbar = crossbar::cli::commands();
  for (Command& command : dram_pim::cli::commands()) {
    std::vector<KindCommand> same{{Kind::dram_pim, std::move(command)}};
    add_of_same_name(same, Kind::cim, of_cim);
    add_of_same_name(same, Kind::crossbar, of_crossbar);
    all.push_back(shared_command(std::move(same), kind_of_options));
  }
  all.insert(all.end() - 1, presets_command());
  all.insert(all.end() - 1, lp_command());
#ifdef PIMBB_REPORT
  all.insert(all.end() - 1, report::report_command());
#endif
  all.push_back(terminal::completion_command());
  all.push_back(terminal::man_command());
  return all;
}

}  // namespace pimbb::cli
