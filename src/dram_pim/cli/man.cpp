// pimbb man: the manual page of a command.
#include "dram_pim/cli/man.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/output.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::cli {
namespace {

const CommandEntry& find(const Manual& manual, const std::string& name) {
  if (name.empty()) return manual.program;
  const auto at = std::ranges::find(manual.commands, name, &CommandEntry::name);
  if (at != manual.commands.end()) return *at;
  std::vector<std::string> names;
  for (const CommandEntry& command : manual.commands) names.push_back(command.name);
  throw InputError(
      fmt::format("COMMAND: found '{}', allowed are {}", name, fmt::join(names, ", ")));
}

}  // namespace

int run_man(const Settings& settings) {
  const Manual manual = manual_of(*settings.parser);
  const CommandEntry& command = find(manual, settings.command);
  Output output(settings);
  output.content(settings.page_format == "markdown" ? markdown_page(manual, command)
                                                    : roff_page(manual, command));
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
