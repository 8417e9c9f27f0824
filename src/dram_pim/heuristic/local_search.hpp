// A good mapping at once, without tables: the best of some random mappings, the greedy ones and a
// given one, improved step by step while a step helps; then the best found, with the array filled
// in another way or a few random steps away, improved in the same way; then the best of more random
// mappings, and so on.
//
// A step moves a prime factor, or all of a dimension's factor, from one place (a direction of the
// array, a level) to another; exchanges two factors between two places; makes a tensor stationary
// at a level; stores a tensor at a level with free bypass, or drops it; or changes the layout of a
// tensor. Every mapping is evaluated exactly. The work is limited by a number of mappings, not by
// time, so the result is the same in every run; `stop` ends it earlier.
#pragma once

#include <cstdint>
#include <functional>

#include "dram_pim/heuristic/random_search.hpp"

namespace pimbb::dram_pim::heuristic {

struct LocalSearch {
  const Architecture& architecture;
  const Workload& workload;
  const Objective& objective;
  RowModel row_model;
  /// Whether a feasible mapping is admissible; may reorder its loops. Empty: all are.
  std::function<bool(Mapping&)> admits = {};
  std::function<bool()> stop = {};  ///< empty: never
  std::uint64_t tries = 1000;       ///< mappings looked at
  std::uint64_t seed = 1;           ///< of the random mappings
};

/// The best mapping found; `start` is one of those from which it begins. No levels: none was found.
RandomBest local_search(const LocalSearch& search, const Mapping& start, const Mapping& smallest);

}  // namespace pimbb::dram_pim::heuristic
