// Proofs about fronts, pimbb-front-proof/1: mappings that attain the points, and trees that show
// that no mapping is better than all of them on some axis.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lines.hpp"
#include "report.hpp"
#include "whole.hpp"

namespace pimbb_check {

/// Reads the trees of the layer with this instance, to the end of the proof.
using ReadFrontTrees = std::function<Report(const std::string& instance, const Whole& whole)>;

/// Reads the lines after the first one; throws a std::exception at what is false.
void check_front(Lines& lines, const std::optional<std::string>& instance,
                 const ReadFrontTrees& read_trees, Report& report);

}  // namespace pimbb_check
