// Proofs about layers on whole devices, pimbb-device-proof/1: every slice that a split leads to is
// closed by its least cost under each of its splits, by the size of the DRAM, or by a tree.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "../lines.hpp"
#include "../report.hpp"
#include "../whole.hpp"

namespace pimbb_check::device {

/// Reads the tree of one slice with this instance, to its end.
using ReadTree = std::function<Report(const std::string& instance, const Whole& whole)>;

/// Reads the lines after the first one; throws a std::exception at what is false.
void check(Lines& lines, const std::optional<std::string>& instance, const ReadTree& read_tree,
           Report& report);

}  // namespace pimbb_check::device
