// Proofs about padded layers, pimbb-padded-proof/1: many vectors of bounds, each closed by the
// closed form of its least cost or by a proof of its own.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lines.hpp"
#include "report.hpp"

namespace pimbb_check {

/// Reads the proof of one vector of bounds, which must be about the instance given.
using ReadSlice = std::function<Report(const std::string& instance)>;

/// Reads the lines after the first one; throws a std::exception at what is false.
void check_padded(Lines& lines, const std::optional<std::string>& instance,
                  const ReadSlice& read_slice, Report& report);

}  // namespace pimbb_check
