// A subcommand: its name, its help, the options it takes from the table, and what it does.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <initializer_list>
#include <string_view>

#include "dram_pim/cli/settings.hpp"

namespace pimbb::dram_pim::cli {

struct Command {
  const char* name;
  const char* description;
  const char* examples;  ///< below the options in --help
  std::initializer_list<std::string_view> options;
  int (*run)(const Settings&);  ///< returns the exit code; throws InputError on bad input
};

// One source file each.
int run_map(const Settings& settings);
int run_network(const Settings& settings);
int run_audit(const Settings& settings);
int run_evaluate(const Settings& settings);
int run_trace(const Settings& settings);
int run_export(const Settings& settings);
int run_lp(const Settings& settings);
int run_rowmodel(const Settings& settings);
int run_presets(const Settings& settings);
int run_bench(const Settings& settings);
int run_completion(const Settings& settings);
int run_man(const Settings& settings);

}  // namespace pimbb::dram_pim::cli
