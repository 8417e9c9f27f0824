// A tiny network's optimum by trying everything: all mappings of every layer, all storage choices,
// all permutations of the loops, and all ways to put the layers' mappings together.
#pragma once

#include <vector>

#include "pimbb/dram_pim/network.hpp"
#include "support/fraction.hpp"

namespace exhaust {

/// Everything that may come out of a network, for any objective.
class Space {
 public:
  Space(const pimbb::dram_pim::Architecture& architecture, const pimbb::Network& network,
        pimbb::dram_pim::RowModel model, const pimbb::dram_pim::JointOptions& joint);

  /// One value per goal, of the network's totals; empty if there is no solution.
  [[nodiscard]] std::vector<oracle::Fraction> best(
      const pimbb::dram_pim::Objective& objective) const;

 private:
  struct Totals {
    oracle::Fraction latency, energy, activations;
  };
  std::vector<Totals> totals_;  // what is not dominated
};

}  // namespace exhaust
