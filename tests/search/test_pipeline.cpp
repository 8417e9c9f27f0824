// The pipeline: what follows the bodies comes in their order, one at a time, and after its body.
#include "run/pipeline.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"

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

TEST_CASE("a computation on one thread leaves others their threads") {
  std::atomic<bool> begun = false;
  std::atomic<bool> over = false;
  std::jthread alone([&] {
    on_threads(1, [&] {
      for (begun = true; !over;) std::this_thread::yield();
    });
  });
  while (!begun) std::this_thread::yield();
  std::atomic<int> inside = 0;
  std::atomic<bool> together = false;
  on_threads(2, [&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    parallel_for(2, [&](std::size_t) {
      for (++inside; !together && std::chrono::steady_clock::now() < end;) {
        if (inside == 2) together = true;
        std::this_thread::yield();
      }
    });
  });
  over = true;
  CHECK(together);
}

}  // namespace
}  // namespace pimbb::run
