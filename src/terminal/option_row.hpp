// One option of one command: its help, its possible values, and where its value is stored.
//
// A command lists its rows; parsing, --help, completions and manual pages follow from them. Rows
// that several commands share are functions of the settings that they store to.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/choices.hpp"

namespace pimbb::terminal {

/// Headings of the sections of --help.
namespace groups {
inline constexpr const char* kProblem = "Problem";
inline constexpr const char* kGoal = "What to minimise";
inline constexpr const char* kMethod = "Method";
inline constexpr const char* kEffort = "Effort";
inline constexpr const char* kOutput = "Output";
}  // namespace groups

struct OptionRow {
  const char* name;    ///< "--arch"; for an argument its placeholder, "FILE"
  const char* value;   ///< placeholder of the value in the help; null for a flag
  const char* group;   ///< see groups
  const char* preset;  ///< shown as the default; "" for none
  std::string help;
  /// Checks and stores the value; throws InputError that names option, value and what is allowed.
  std::function<void(std::string_view option, const std::string& text)> store;
  std::function<Choices()> choices = nullptr;  ///< the possible values; null if not listed
  bool alone = false;    ///< also an argument: the value without the option's name
  bool repeats = false;  ///< may be given several times; each value is stored
};

using OptionRows = std::vector<OptionRow>;

/// The rows of all parts in order.
inline OptionRows rows_of(std::initializer_list<OptionRows> parts) {
  OptionRows all;
  for (const OptionRows& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace pimbb::terminal
