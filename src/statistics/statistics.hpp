// Means, and the agreement of a model with exact values over many samples: errors and rank
// correlation. Floating point: for reports, never for decisions.
#pragma once

#include <cstddef>
#include <vector>

namespace pimbb::statistics {

struct ModelAccuracy {
  std::size_t samples = 0;
  double bias = 0;      ///< mean of (model - truth) / truth
  double error = 0;     ///< mean of its absolute value
  double worst = 0;     ///< largest absolute value
  double spearman = 0;  ///< rank correlation, ties share their mean rank; 0 if either is constant
};

/// Pairs of positive numbers, at least one.
ModelAccuracy model_accuracy(const std::vector<double>& model, const std::vector<double>& truth);

/// The geometric mean of positive numbers, taken one by one; 1 if there are none.
class GeometricMean {
 public:
  /// Values below a millionth count as a millionth, the resolution of a clock, so that logarithms
  /// are finite.
  void add(double value);
  [[nodiscard]] double value() const;

 private:
  double logs_ = 0;
  std::size_t count_ = 0;
};

/// The same of a list.
double geometric_mean(const std::vector<double>& values);

}  // namespace pimbb::statistics
