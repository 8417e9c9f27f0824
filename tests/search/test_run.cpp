// Limits of runs: the gap of a progress report, guards, and accounts of memory.
#include <doctest/doctest.h>

#include "pimbb/run_limits.hpp"
#include "run/guard.hpp"

using namespace pimbb;

TEST_CASE("the gap of a report is a part of the best value, and nothing without one") {
  const auto gap = [](std::optional<double> incumbent, double bound) {
    Progress progress;
    progress.incumbent = incumbent;
    progress.bound = bound;
    return progress.gap();
  };
  CHECK(gap({}, 5) == 0);
  CHECK(gap(0.0, -1) == 0);
  CHECK(gap(-1.0, -2) == 0);
  CHECK(gap(0.5, 0.25) == 0.5);
  CHECK(gap(1.0, 0) == 1);
  CHECK(gap(8.0, 6) == 0.25);
  CHECK(gap(8.0, 8) == 0);
  CHECK(gap(8.0, 9) == 0);  // rounded: no gap
}

TEST_CASE("a guard is asked once in so many steps") {
  int asked = 0;
  run::Guard guard;
  guard.stop = [&] { return ++asked == 3; };
  run::GuardedSteps step(guard, 4);
  for (int k = 0; k < 3; ++k) step();
  CHECK(asked == 0);
  step();
  CHECK(asked == 1);
  step(3);
  CHECK(asked == 1);
  step(1);
  CHECK(asked == 2);
  CHECK_THROWS_AS(step(4), run::Stopped);
  CHECK(asked == 3);
}

TEST_CASE("a guard gives all its room and no more, and tells what would be needed") {
  std::uint64_t noted = 0;
  const run::Guard guard{.room = 100, .used = 7, .note = [&](std::uint64_t n) { noted = n; }};
  guard.need(100);
  CHECK(noted == 100);
  try {
    guard.need(101);
    FAIL("there was room");
  } catch (const run::TooLarge& tables) {
    CHECK(tables.needed == 108);
  }
  CHECK(noted == 100);
}

TEST_CASE("an account knows what is in use, its peak, and whether there is room for more") {
  run::Account account(100);
  {
    const auto first = account.hold(49);
    CHECK(account.roomy());
    const auto second = account.hold(1);
    CHECK(!account.roomy());
    account.note(20);
    CHECK(account.used() == 50);
    CHECK(account.room() == 50);
    CHECK_THROWS_AS(static_cast<void>(account.hold(51)), run::TooLarge);
    const auto third = account.hold(50);
    CHECK(account.room() == 0);
  }
  CHECK(account.used() == 0);
  CHECK(account.peak() == 100);
  account.note(130);
  CHECK(account.peak() == 130);
}
