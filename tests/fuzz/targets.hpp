// What is fuzzed: functions of any bytes that end well, whatever the bytes are.
//
// Readers either understand a text or throw InputError with a message that names the input.
// Problems are built from the bytes, solved, and held against exhaustion and the proof checker.
// Anything else, and any false answer, ends the process: libFuzzer keeps the bytes, which then
// belong into corpus/TARGET, where the replay (a test of every build) finds them.
#pragma once

#include <string_view>
#include <vector>

namespace fuzz {

using Bytes = std::string_view;

struct Target {
  std::string_view name;  ///< also of the folder of its corpus
  void (*run)(Bytes);
};

/// The readers of every format.
std::vector<Target> reader_targets();
/// The solvers of every wing, and that of linear programs.
std::vector<Target> solver_targets();
/// All of them; null if there is none of this name.
const Target* find_target(std::string_view name);

/// Ends the process with a message unless `holds`.
void require(bool holds, std::string_view message);

}  // namespace fuzz
