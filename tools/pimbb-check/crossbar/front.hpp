// Checking a proof of a front of crossbar accelerators, pimbb-crossbar-front-proof/1: mappings that
// attain the points, and for each step between them a tree that refutes everything below it.
#pragma once

#include <optional>
#include <string>

#include "../lines.hpp"
#include "../report.hpp"

namespace pimbb_check::crossbar {

/// Reads the lines after the first one; throws a std::exception at what is false.
void check_front(Lines& lines, const std::optional<std::string>& instance, Report& report);

}  // namespace pimbb_check::crossbar
