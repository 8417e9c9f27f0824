// Checking a proof of a front of SRAM compute-in-memory, pimbb-cim-front-proof/1: mappings that
// attain the points, and for each spatial scheme the reason why nothing in it is better than all of
// them on some axis.
#pragma once

#include <optional>
#include <string>

#include "../lines.hpp"
#include "../report.hpp"

namespace pimbb_check::cim {

/// Reads the lines after the first one; throws a std::exception at what is false.
void check_front(Lines& lines, const std::optional<std::string>& instance, Report& report);

}  // namespace pimbb_check::cim
