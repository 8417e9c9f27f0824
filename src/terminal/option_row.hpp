// One option of one command: how it is shown, what it takes, and where its value goes.
//
// A command lists its rows; parsing, --help, completions and manual pages are made of them. Rows
// that several commands share are functions of the settings that they store to.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/choices.hpp"

namespace pimbb::terminal {

/// Headings under which --help shows options.
namespace groups {
inline constexpr const char* kProblem = "Problem";
inline constexpr const char* kGoal = "What to minimise";
inline constexpr const char* kMethod = "Method";
inline constexpr const char* kEffort = "Effort";
inline constexpr const char* kOutput = "Output";
}  // namespace groups

struct OptionRow {
  const char* name;    ///< "--arch"; of an argument its placeholder, "FILE"
  const char* value;   ///< what stands for the value in the help; null for a flag
  const char* group;   ///< see groups
  const char* preset;  ///< shown as the default; "" for none
  const char* help;
  /// Checks and stores; throws InputError naming option, value and what is allowed.
  std::function<void(std::string_view option, const std::string& text)> store;
  Choices (*choices)() = nullptr;  ///< what `value` may be; null where that is not a list
};

using OptionRows = std::vector<OptionRow>;

/// The rows of all parts, in their order.
inline OptionRows rows_of(std::initializer_list<OptionRows> parts) {
  OptionRows all;
  for (const OptionRows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace pimbb::terminal
