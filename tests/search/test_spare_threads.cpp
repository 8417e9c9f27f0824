// Work beside parallel loops: it is done once, by no more threads than loops may have, and never by
// a thread that waits for a loop.
#include "run/spare_threads.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::run {
namespace {

TEST_CASE("spare threads do what they are given, once, before they end") {
  for (const int threads : {2, 3, 8}) {
    on_threads(threads, [&] {
      std::vector<std::atomic<int>> calls(200);
      {
        SpareThreads spare(static_cast<std::size_t>(threads) - 1);
        for (std::atomic<int>& count : calls) {
          spare.begin([&count] { ++count; });
        }
      }
      CHECK(std::ranges::all_of(calls, [](const auto& count) { return count == 1; }));
    });
  }
  CHECK(SpareThreads(0).most() == 0);
}

TEST_CASE("with loops beside them there are never more threads than allowed") {
  static constexpr int kThreads = 3;
  on_threads(kThreads, [] {
    const auto asking = std::this_thread::get_id();
    std::atomic<int> working = 0;
    std::atomic<int> most = 0;
    std::atomic<int> done = 0;
    std::atomic<bool> apart = true;
    const auto work = [&] {
      const int now = ++working;
      for (int known = most; known < now && !most.compare_exchange_weak(known, now);) {
      }
      volatile int sum = 0;
      for (int k = 0; k < 2000; ++k) sum = sum + k;
      --working;
    };
    {
      SpareThreads spare(2);
      for (int round = 0; round < 100; ++round) {
        spare.begin([&] {
          if (std::this_thread::get_id() == asking) apart = false;
          work();
          parallel_for(5, [&](std::size_t) { ++done; });
        });
        parallel_for(20, [&](std::size_t) { work(); });
      }
    }
    CHECK(done == 500);
    CHECK(apart);
    CHECK(most <= kThreads);
  });
}

TEST_CASE("spare threads work side by side, if there are as many") {
  static constexpr std::size_t kMost = 3;
  on_threads(kMost + 1, [] {
    std::atomic<std::size_t> inside = 0;
    SpareThreads spare(kMost);
    for (std::size_t k = 0; k < kMost; ++k) {
      spare.begin([&] {
        ++inside;
        while (inside < kMost) std::this_thread::yield();
      });
    }
  });
}

}  // namespace
}  // namespace pimbb::run
