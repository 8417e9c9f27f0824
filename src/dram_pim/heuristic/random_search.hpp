// Random mappings, and the best of them.
//
// A mapping is drawn as follows, with random numbers that depend on the seed only, not on the
// machine. Each level with free bypass stores each tensor that it may store with probability 1/2,
// as long as one element of each still fits. The prime factors of all bounds, in random order, are
// each assigned to a place drawn uniformly from those that can take them (directions of the array
// and levels). The loop order of each level is uniformly random. Each tensor that can be
// row-aligned is row-aligned with probability 1/2, and the edges of the input's block are drawn
// uniformly from those that cover the tile. Every sample is feasible; mappings are not equally
// likely.
#pragma once

#include <cstdint>
#include <functional>

#include "exact/splitmix64.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::heuristic {

class RandomMappings {
 public:
  RandomMappings(const Architecture& architecture, const Workload& workload, std::uint64_t seed,
                 Mapping smallest);

  Mapping next();

 private:
  /// A number in 0 .. options - 1.
  std::size_t pick(std::size_t options);

  const Architecture& a_;
  const Workload& w_;
  SplitMix64 random_;
  Mapping smallest_;
  std::vector<Loop> primes_;  // of all bounds
};

struct RandomBest {
  Mapping mapping;
  Metrics metrics;
  std::uint64_t samples = 0;  ///< number of mappings drawn
};

/// Whether `a` costs less than `b`; goals are compared in order of importance.
bool better(const Objective& objective, const Metrics& a, const Metrics& b);

/// The best of `samples` >= 1 mappings; goals are compared in order of importance. If `stop`
/// returns true, the best of fewer mappings, at least one.
RandomBest random_search(const Architecture& architecture, const Workload& workload,
                         const Objective& objective, RowModel row_model, std::uint64_t seed,
                         std::uint64_t samples, const Mapping& smallest,
                         const std::function<bool()>& stop);

}  // namespace pimbb::dram_pim::heuristic
