// The pipeline: what follows the bodies comes in their order, one at a time, and after its body.
#include "run/pipeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
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
        for (const std::size_t ahead : {1, 2, 7, 64, 1000}) {
          std::vector<std::size_t> squares(count);  // written by bodies
          std::vector<std::size_t> order;
          std::atomic<std::size_t> followed = 0;
          std::atomic<int> inside = 0;
          std::atomic<bool> allowed = true;
          bool alone = true;
          bool computed = true;
          pipeline(ahead, {[&] { return std::min(count, order.size() + ahead); },
                           [&](std::size_t k) {
                             if (k >= followed + ahead) allowed = false;
                             volatile std::size_t sum = 0;  // the later ones are quicker
                             for (std::size_t i = 0; i < 20 * (count - k); ++i) sum = sum + 1;
                             squares[k] = k * k + 1;
                           },
                           [&](std::size_t k) {
                             alone = alone && ++inside == 1;
                             computed = computed && squares[k] == k * k + 1;
                             order.push_back(k);
                             ++followed;
                             --inside;
                           }});
          std::vector<std::size_t> expected(count);
          std::iota(expected.begin(), expected.end(), std::size_t{0});
          CHECK(order == expected);
          CHECK(allowed);
          CHECK(alone);
          CHECK(computed);
        }
      }
    });
  }
}

TEST_CASE("others may idle where no number is left for them") {
  CHECK(others_may_idle());  // outside of a pipeline
  on_threads(1, [] {
    std::vector<bool> may;
    std::size_t known = 3;
    pipeline(3, {[&] { return known; },
                 [&](std::size_t k) {
                   may.push_back(others_may_idle());
                   if (k > 0) return;
                   pipeline(1, {[] { return std::size_t{1}; },
                                [&](std::size_t) { may.push_back(others_may_idle()); },
                                [](std::size_t) {}});
                   may.push_back(others_may_idle());
                 },
                 [](std::size_t) {}});
    CHECK(may == std::vector<bool>{false, true, false, false, true});
    CHECK(others_may_idle());
  });
}

TEST_CASE("what follows one body adds others, as many as there is room for ahead") {
  constexpr std::size_t kAhead = 10;
  constexpr std::size_t kAll = 2000;
  for (const int threads : {1, 2, 5}) {
    on_threads(threads, [&] {
      std::vector<std::atomic<int>> calls(kAll);
      std::vector<std::size_t> number(kAhead);  // written before a body may read it
      std::size_t known = 1;
      std::size_t followed = 0;
      std::size_t waiting = 0;
      std::atomic<bool> read = true;
      pipeline(kAhead, {[&] {
                          for (; waiting > 0 && known < followed + kAhead; --waiting) {
                            number[known % kAhead] = known;
                            ++known;
                          }
                          return known;
                        },
                        [&](std::size_t k) {
                          if (number[k % kAhead] != k) read = false;
                          ++calls[k];
                        },
                        [&](std::size_t k) {
                          ++followed;
                          // None to three more, often none for the only one that is known.
                          waiting = std::min(waiting + k * 7 % 4, kAll - known);
                          if (known == followed) waiting = std::max<std::size_t>(waiting, 1);
                          if (known == kAll) waiting = 0;
                        }});
      CHECK(known == kAll);
      CHECK(followed == kAll);
      CHECK(read);
      CHECK(std::ranges::all_of(calls, [](const auto& count) { return count == 1; }));
    });
  }
}

TEST_CASE("pipelines within bodies of pipelines") {
  on_threads(3, [&] {
    std::atomic<int> inner = 0;
    std::size_t outer = 0;
    pipeline(8, {[&] { return std::min<std::size_t>(40, outer + 8); },
                 [&](std::size_t) {
                   std::size_t followed = 0;
                   pipeline(4, {[&] { return std::min<std::size_t>(100, followed + 4); },
                                [&](std::size_t) { ++inner; }, [&](std::size_t) { ++followed; }});
                 },
                 [&](std::size_t) { ++outer; }});
    CHECK(outer == 40);
    CHECK(inner == 4000);
  });
}

TEST_CASE("what a step throws is thrown again") {
  on_threads(2, [&] {
    const auto ten = [] { return std::size_t{10}; };
    const auto nothing = [](std::size_t) {};
    const auto third = [](std::size_t k) {
      if (k == 3) throw std::runtime_error("three");
    };
    const auto known = [calls = 0]() mutable {
      if (calls++ == 3) throw std::runtime_error("three");
      return std::size_t{10};
    };
    const auto unknown = []() -> std::size_t { throw std::runtime_error("none"); };
    CHECK_THROWS_AS(pipeline(10, {ten, third, nothing}), std::runtime_error);
    CHECK_THROWS_AS(pipeline(10, {ten, nothing, third}), std::runtime_error);
    CHECK_THROWS_AS(pipeline(10, {known, nothing, nothing}), std::runtime_error);
    CHECK_THROWS_AS(pipeline(10, {unknown, nothing, nothing}), std::runtime_error);
    std::size_t last = 0;
    pipeline(10, {ten, nothing, [&](std::size_t k) { last = k; }});
    CHECK(last == 9);
  });
}

/// Ends with an exception while `body` runs beside it, again and again for a while.
void beside_failure(const std::function<void()>& body) {
  using Clock = std::chrono::steady_clock;
  const auto far = Clock::now() + std::chrono::seconds(10);
  std::atomic<bool> begun = false;
  std::atomic<bool> failed = false;
  const auto fail = [&] {
    while (!begun && Clock::now() < far) std::this_thread::yield();
    failed = true;
    throw std::runtime_error("beside");
  };
  const auto go_on = [&] {
    begun = true;
    while (!failed && Clock::now() < far) body();
    const auto end = Clock::now() + std::chrono::milliseconds(20);
    while (Clock::now() < end) body();
  };
  CHECK_THROWS_AS(parallel_for(2, [&](std::size_t k) { k == 0 ? fail() : go_on(); }),
                  std::runtime_error);
}

TEST_CASE("a loop within one that fails is not left half done") {
  on_threads(2, [] {
    std::size_t loops = 0;
    std::size_t incomplete = 0;
    beside_failure([&] {
      std::atomic<std::size_t> done = 0;
      parallel_for(3, [&](std::size_t) { ++done; });
      ++loops;
      if (done != 3) ++incomplete;
    });
    beside_failure([&] {
      std::size_t done = 0;
      pipeline(3,
               {[] { return std::size_t{3}; }, [](std::size_t) {}, [&](std::size_t) { ++done; }});
      ++loops;
      if (done != 3) ++incomplete;
    });
    CHECK(loops > 2);
    CHECK(incomplete == 0);
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
