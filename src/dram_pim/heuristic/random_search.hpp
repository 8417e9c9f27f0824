// Random mappings, and the best of them.
//
// A mapping is drawn like this, from a stream of numbers that a seed determines on every machine:
// each level with free bypass stores each tensor that it may with probability 1/2, as long as one
// element of each still fits; the prime factors of all bounds, in random order, go to a place drawn
// uniformly from those that can still take them (the array's directions and all levels); the loops
// of each level stand in a uniformly random order; and each tensor is row-aligned with probability
// 1/2 where it can be, the edges of the input's block drawn uniformly from those that cover the
// tile. Every sample is feasible; they are not uniform over all mappings.
#pragma once

#include <cstdint>
#include <functional>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::heuristic {

class RandomMappings {
 public:
  RandomMappings(const Architecture& architecture, const Workload& workload, std::uint64_t seed,
                 Mapping smallest)
      : a_(architecture), w_(workload), state_(seed), smallest_(std::move(smallest)) {}

  Mapping next();

 private:
  /// A number in 0 .. options - 1.
  std::size_t pick(std::size_t options);
  template <class T>
  void shuffle(std::vector<T>& items);

  const Architecture& a_;
  const Workload& w_;
  std::uint64_t state_;
  Mapping smallest_;
};

struct RandomBest {
  Mapping mapping;
  Metrics metrics;
  std::uint64_t samples = 0;  ///< drawn
};

/// The best of `samples` >= 1 mappings, goals compared in turn; of fewer, at least one, if `stop`
/// says so.
RandomBest random_search(const Architecture& architecture, const Workload& workload,
                         const Objective& objective, RowModel row_model, std::uint64_t seed,
                         std::uint64_t samples, const Mapping& smallest,
                         const std::function<bool()>& stop);

}  // namespace pimbb::dram_pim::heuristic
