// The options that name an accelerator, of any kind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "terminal/choices.hpp"
#include "terminal/option_row.hpp"

namespace pimbb::terminal {

/// An accelerator, with values that replace those of its file.
struct MachineSettings {
  std::string arch;
  bool arch_given = false;
  std::vector<std::string> set;
  bool strict = false;  ///< warnings about its file are errors
};

/// --arch, --set, --strict. `preset`: shown as the default of --arch; `presets`: its choices beside
/// files; `set`: the help of --set.
OptionRows machine_rows(MachineSettings& settings, const char* preset,
                        std::function<std::vector<std::string>()> presets, std::string set);

}  // namespace pimbb::terminal
