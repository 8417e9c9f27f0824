// Ranks, correlations, means.
#include "statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pimbb::statistics {
namespace {

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    const double shared = static_cast<double>(first + last - 1) / 2;
    for (std::size_t k = first; k < last; ++k) result[order[k]] = shared;
    first = last;
  }
  return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xy += (x[k] - mean_x) * (y[k] - mean_y);
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    yy += (y[k] - mean_y) * (y[k] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

}  // namespace

ModelAccuracy model_accuracy(const std::vector<double>& model, const std::vector<double>& truth) {
  ModelAccuracy result;
  result.samples = model.size();
  for (std::size_t k = 0; k < model.size(); ++k) {
    const double error = (model[k] - truth[k]) / truth[k];
    result.bias += error / static_cast<double>(model.size());
    result.error += std::abs(error) / static_cast<double>(model.size());
    result.worst = std::max(result.worst, std::abs(error));
  }
  result.spearman = correlation(ranks(model), ranks(truth));
  return result;
}

void GeometricMean::add(double value) {
  logs_ += std::log(std::max(value, 1e-6));
  ++count_;
}

double GeometricMean::value() const {
  return count_ == 0 ? 1 : std::exp(logs_ / static_cast<double>(count_));
}

double geometric_mean(const std::vector<double>& values) {
  GeometricMean mean;
  for (const double value : values) mean.add(value);
  return mean.value();
}

}  // namespace pimbb::statistics
