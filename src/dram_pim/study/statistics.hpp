// Agreement of a model with exact values over many samples: errors and rank correlation.
#pragma once

#include <cstddef>
#include <vector>

namespace pimbb::dram_pim::study {

struct ModelAccuracy {
  std::size_t samples = 0;
  double bias = 0;      ///< mean of (model - truth) / truth
  double error = 0;     ///< mean of its absolute value
  double worst = 0;     ///< largest absolute value
  double spearman = 0;  ///< rank correlation, ties share their mean rank; 0 if either is constant
};

/// Pairs of positive numbers, at least one.
ModelAccuracy model_accuracy(const std::vector<double>& model, const std::vector<double>& truth);

/// The geometric mean of positive numbers; 1 if there are none.
double geometric_mean(const std::vector<double>& values);

}  // namespace pimbb::dram_pim::study
