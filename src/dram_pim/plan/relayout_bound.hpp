// Row activations of copies out of and into row-aligned boxes, without walking them.
#pragma once

#include <vector>

#include "dram_pim/plan/relayout.hpp"

namespace pimbb::dram_pim::network {

/// Boxes of a row-aligned place that have an element of `part`, and those that lie in it entirely.
std::int64_t touched_boxes(const Placement& place, const Rectangle& part);
std::int64_t whole_boxes(const Placement& place, const Rectangle& part);

/// How often a walk over `part`, in the order n c h w or n h w c, comes to another box of `place`,
/// the first included.
std::int64_t box_changes(const Placement& place, const Rectangle& part, bool channels_last);

/// Row activations of a copy of `part` from boxes into boxes.
PassRows rows_between(const Placement& from, const Placement& to, const Rectangle& part);

/// Of copies of what two row-aligned places have in common, over pairs of boxes.
struct FewestRows {
  LayoutBox source{1, 1, 1, 1};  ///< a pair with the fewest activations in all
  LayoutBox target{1, 1, 1, 1};
  std::vector<PassRows> undominated;  ///< no pair needs fewer of both than one of these
};
FewestRows fewest_rows(const Placement& from, const std::vector<LayoutBox>& sources,
                       const Placement& to, const std::vector<LayoutBox>& targets);

}  // namespace pimbb::dram_pim::network
