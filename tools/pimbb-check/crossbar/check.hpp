// Checking a proof about crossbar accelerators, pimbb-crossbar-proof/1, line by line.
#pragma once

#include <optional>
#include <string>

#include "../lines.hpp"
#include "../report.hpp"

namespace pimbb_check::crossbar {

/// Everything after the first line. Throws a std::exception at the first record that is false; with
/// `instance`, the proof must be about just this one. What is known is in `report` in any case.
void check(Lines& lines, const std::optional<std::string>& instance, Report& report);

}  // namespace pimbb_check::crossbar
