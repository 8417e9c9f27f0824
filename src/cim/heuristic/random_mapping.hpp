// Random mappings: samples for studies of the model.
//
// A mapping is drawn as follows, with random numbers that depend on the seed only, not on the
// machine. The spatial scheme is drawn uniformly. The prime factors of what it leaves are put in
// random order, and neighbours of one dimension merged with probability 1/2. Levels are filled from
// the innermost outwards: after each loop that fits, a level goes on with probability 3/4. Each
// tile that may be double-buffered is so with probability 1/2. Every sample is feasible; mappings
// are not equally likely.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cim/heuristic/filling.hpp"
#include "cim/mapper/schemes.hpp"
#include "exact/splitmix64.hpp"
#include "run/guard.hpp"

namespace pimbb::cim::heuristic {

class RandomMappings {
 public:
  /// Keeps references. The layer is computed as it is, without padding.
  RandomMappings(const Architecture& architecture, const Workload& layer, std::uint64_t seed,
                 const run::Guard& guard = run::kUnguarded);

  /// Nothing if the DRAM is too small for what it was left with, in each of 100 trials.
  std::optional<Mapping> next();

 private:
  Mapping draw();
  /// A number in 0 .. options - 1.
  std::size_t pick(std::size_t options);

  const Architecture& a_;
  const Workload& layer_;
  Elements elements_;
  std::vector<mapper::Scheme> schemes_;
  SplitMix64 random_;
};

}  // namespace pimbb::cim::heuristic
