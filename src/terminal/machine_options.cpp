// Rows of the accelerator.
#include "terminal/machine_options.hpp"

#include "terminal/option_values.hpp"
#include "terminal/warnings.hpp"

namespace pimbb::terminal {

OptionRows machine_rows(MachineSettings& s, const char* preset,
                        std::function<std::vector<std::string>()> presets, std::string set) {
  return {{"--arch", "ARCH", groups::kProblem, preset,
           "Accelerator: a YAML or JSON file, or the name of a preset",
           [&](auto option, auto& text) {
             s.arch = not_empty(option, text);
             s.arch_given = true;
           },
           [presets = std::move(presets)] {
             return Choices{.words = presets(), .files = {"yaml", "yml", "json"}};
           }},
          {"--set", "KEY=VALUE", groups::kProblem, "", std::move(set),
           [&](auto, auto& text) { s.set.push_back(text); }, nullptr,
           /*alone=*/false,
           /*repeats=*/true},
          strict_row(s.strict)};
}

}  // namespace pimbb::terminal
