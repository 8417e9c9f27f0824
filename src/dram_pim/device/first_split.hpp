// A good split at once, without a list of all splits.
//
// From no split at all, each factor of each level in turn is set to its best value among the
// largest one that the level's children and the dimension allow and its halves; then factors are
// exchanged between two dimensions of a level; again, until nothing helps or a number of splits was
// looked at. A split that needs less of the bank is better as long as none is allowed.
#pragma once

#include <functional>
#include <optional>

#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::device {

struct FirstSplit {
  Split split;
  Factors slice;  ///< the least bounds
};

/// `price`: of a split into slices, less is better; `allowed`: whether slices of these bounds are.
/// Both are called `most` times at most. Nothing if no split that was looked at is allowed.
std::optional<FirstSplit> first_split(
    const Device& device, const Workload& layer, const Moves& moves,
    const std::function<Rational(const Split&, const Factors&)>& price,
    const std::function<bool(const Factors&)>& allowed, std::size_t most);

}  // namespace pimbb::dram_pim::device
