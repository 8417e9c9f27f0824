// Paths through a sequence of layers: one option of each, where neighbours agree on a state.
//
//     state 0 --[option of layer 1]--> state --[option of layer 2]--> ... --> state 0
//
// An option leads from one state to another; layer n + 1 goes on in the state in which layer n has
// ended. Options have sizes and peaks as those of least_choice.hpp: the sizes of a path add up, of
// its peaks only the largest counts, and the costs are lists that are added entry by entry and
// compared lexicographically.
//
// Of all paths only those are of any use to a choice of one path for each of many sequences that no
// other path beats in size, peak and cost. They are found state by state from the front: if one of
// two beginnings that end in the same state is no worse in all three, so is each of its
// continuations, because sums, maxima and the order of the lists are monotone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "search/least_choice.hpp"

namespace pimbb::search {

struct PathOption {
  std::int64_t from = 0;  ///< state before it; 0 for the first layer
  std::int64_t to = 0;    ///< state after it; 0 for the last layer
  Int128 size = 0;
  Int128 peak = 0;
  CostList cost;
};

struct Path {
  std::vector<std::size_t> options;  ///< one number a layer
  Int128 size = 0;
  Int128 peak = 0;
  CostList cost;
};

struct LeastPaths {
  std::vector<Path> paths;
  bool complete = true;  ///< false if the search was stopped: paths may be missing
};

/// The paths from state 0 to state 0 that no other one beats, of equal ones the first; without
/// `bounded` sizes and peaks do not matter, and it is the one path of least cost. There may be
/// none. At least one layer; all costs have the same number of entries. If `stopped` returns true,
/// the rest of the way only the cheapest and the smallest beginning of each state are followed.
LeastPaths least_paths(const std::vector<std::vector<PathOption>>& layers, bool bounded,
                       const std::function<bool()>& stopped = {});

}  // namespace pimbb::search
