// Agreement of a model with the truth over many samples: errors and rank correlation.
#pragma once

#include <cstddef>
#include <vector>

namespace pimbb::dram_pim::study {

struct Agreement {
  std::size_t samples = 0;
  double bias = 0;      ///< mean of (model - truth) / truth
  double error = 0;     ///< mean of its magnitude
  double worst = 0;     ///< largest magnitude
  double spearman = 0;  ///< correlation of ranks, ties sharing their mean; 0 if either is constant
};

/// Pairs of positive numbers, at least one.
Agreement agreement(const std::vector<double>& model, const std::vector<double>& truth);

/// Of positive numbers; 1 of none.
double geometric_mean(const std::vector<double>& values);

}  // namespace pimbb::dram_pim::study
