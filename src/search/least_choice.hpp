// One option of each group, at least cost, where all chosen options share a room.
//
// An option has a size, a peak and a cost. The sizes of the chosen options add up, of their peaks
// only the largest counts: the sum of the sizes + the largest peak <= room. So a memory holds the
// weights of all layers at once, and the inputs and outputs of one layer after the other.
//
// Costs are lists of numbers, compared lexicographically and added entry by entry. As the order is
// compatible with sums and with factors >= 0, all claims below hold for lists as for numbers.
//
// Every largest peak m is a problem of its own: the multiple-choice knapsack of the options with
// peaks up to m in the room r that is left.
//
// Claim. For a price p >= 0 of a unit of size, each choice within r costs at least
// sum_g min_o (cost + p size) - p r. Proof: its cost is sum (cost + p size) - p sum size, and its
// sizes add up to r at most.  []
//
// The best price is the slope at which the lower convex hulls of the groups, taken together, meet
// the room; what the hulls give is a choice, too. Between the two, groups are added one after the
// other: of partial choices those are kept that no other beats in both size and cost, and whose
// bound, at the same price, is below the best choice.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "exact/int128.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::search {

using CostList = std::vector<Rational>;

struct ChoiceOption {
  Int128 size = 0;
  Int128 peak = 0;
  CostList cost;
};
using ChoiceGroup = std::vector<ChoiceOption>;

struct LeastChoice {
  std::vector<std::size_t> options;  ///< one number a group
  CostList cost;
  CostList floor;  ///< no choice costs less; `cost` unless the search was stopped
};

/// The least choice, of equal ones always the same; none if there is none, or if the search was
/// stopped before one was found. All costs have the same number of entries. Sizes and peaks are
/// >= 0; without a room there is room for all.
std::optional<LeastChoice> least_choice(const std::vector<ChoiceGroup>& groups,
                                        const std::optional<std::int64_t>& room,
                                        const std::function<bool()>& stopped = {});

struct SmallestChoice {
  std::vector<std::size_t> options;  ///< one number a group
  Int128 room = 0;                   ///< what it takes: its sizes and its peak
};

/// The choice that takes the least room, whatever it costs; none if a group has no option.
std::optional<SmallestChoice> smallest_choice(const std::vector<ChoiceGroup>& groups);

}  // namespace pimbb::search
