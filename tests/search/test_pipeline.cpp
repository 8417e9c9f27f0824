// The pipeline: what follows the bodies comes in their order, one at a time, and after its body.
#include "run/pipeline.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "run/on_threads.hpp"

namespace pimbb::run {
namespace {

TEST_CASE("what follows comes in order, after its body, and one at a time") {
  for (const int threads : {1, 2, 3, 8}) {
    on_threads(threads, [&] {
      for (const std::size_t count : {0, 1, 2, 3, 64, 1000}) {
        std::vector<std::size_t> squares(count);  // written by bodies
        std::vector<std::size_t> order;
        std::atomic<int> inside = 0;
        bool alone = true;
        bool computed = true;
        pipeline(
            count,
            [&](std::size_t k) {
              volatile std::size_t sum = 0;  // the later ones are quicker
              for (std::size_t i = 0; i < 50 * (count - k); ++i) sum = sum + 1;
              squares[k] = k * k + 1;
            },
            [&](std::size_t k) {
              alone = alone && ++inside == 1;
              computed = computed && squares[k] == k * k + 1;
              order.push_back(k);
              --inside;
            });
        std::vector<std::size_t> expected(count);
        std::iota(expected.begin(), expected.end(), std::size_t{0});
        CHECK(order == expected);
        CHECK(alone);
        CHECK(computed);
      }
    });
  }
}

TEST_CASE("what a body or what follows it throws is thrown again") {
  on_threads(2, [&] {
    const auto nothing = [](std::size_t) {};
    const auto third = [](std::size_t k) {
      if (k == 3) throw std::runtime_error("three");
    };
    CHECK_THROWS_AS(pipeline(10, third, nothing), std::runtime_error);
    CHECK_THROWS_AS(pipeline(10, nothing, third), std::runtime_error);
    std::size_t last = 0;
    pipeline(10, nothing, [&](std::size_t k) { last = k; });
    CHECK(last == 9);
  });
}

}  // namespace
}  // namespace pimbb::run
