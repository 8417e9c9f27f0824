// Means and agreement of hand-made samples.
#include <doctest/doctest.h>

#include "statistics/statistics.hpp"

using namespace pimbb;

TEST_CASE("agreement of hand-made samples") {
  const statistics::ModelAccuracy a = statistics::model_accuracy({2, 1, 6, 4}, {1, 2, 3, 4});
  CHECK(a.samples == 4);
  CHECK(a.bias == doctest::Approx((1 - 0.5 + 1 + 0) / 4));
  CHECK(a.error == doctest::Approx(2.5 / 4));
  CHECK(a.worst == doctest::Approx(1));
  CHECK(a.spearman == doctest::Approx(0.6));  // ranks 2 1 4 3 against 1 2 3 4
  CHECK(statistics::model_accuracy({1, 1, 2}, {5, 5, 9}).spearman == doctest::Approx(1));  // ties
  CHECK(statistics::model_accuracy({3, 2, 1}, {1, 2, 3}).spearman == doctest::Approx(-1));
  CHECK(statistics::model_accuracy({3, 7}, {1, 2}).spearman == doctest::Approx(1));
  CHECK(statistics::model_accuracy({7, 7}, {1, 2}).spearman == 0);
  CHECK(statistics::model_accuracy({1, 2}, {7, 7}).spearman == 0);
  CHECK(statistics::geometric_mean({2, 8}) == doctest::Approx(4));
  CHECK(statistics::geometric_mean({}) == 1);
  CHECK(statistics::geometric_mean({8}) == doctest::Approx(8));
}
