// The search for the least simulated time, and the bound of it, against all mappings of small
// problems.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stop_token>

#include "crossbar/exhaustion.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::Row;

namespace {

std::int64_t least_by_exhaustion(const Row& at, Mode mode) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const testkit::Replication& replication : testkit::replications(at.a, at.p)) {
    testkit::for_each_mapping(at.a, at.p, replication, [&](const Mapping& mapping) {
      least = std::min(least, simulate(at.a, at.p, mapping, {mode, Policy::add}).time);
    });
  }
  return least;
}

}  // namespace

TEST_CASE("the bound of the simulated time, by hand") {
  // 12 multiplications are 6 a core: the last starts 5 * 40 ns after the first and takes 100. Loads
  // take 5 ns each and stores 2: 84 ns in all. Two windows one after another: 200 ns.
  const Row six(2, 6);
  CHECK(simulated_bound(six.a, six.p, Mode::ht).best() == 300);
  CHECK(simulated_bound(six.a, six.p, Mode::ll).best() == 300);
  CHECK(simulated_bound(six.a, six.p, Mode::ht).memory == 12 * (5 + 2));
  CHECK(simulated_bound(six.a, six.p, Mode::ll).memory == 6 * (5 + 2));
  CHECK(simulated_bound(six.a, six.p, Mode::ll).windows == 200);
  // A slow memory; low latency loads and stores 6 times each, not 12 times.
  const Row slow(2, 6, {"bandwidth.memory=0.5"});
  CHECK(simulated_bound(slow.a, slow.p, Mode::ht).best() == 12 * 40 + 12 * 16);
  CHECK(simulated_bound(slow.a, slow.p, Mode::ll).best() == 6 * 40 + 6 * 16);
  // Two chips share the transfers.
  const Row chips(2, 6, {"bandwidth.memory=0.5", "chips=2"});
  CHECK(simulated_bound(chips.a, chips.p, Mode::ht).best() == 336);
  // One multiplication at a time: the room is for three replicas of the one, one of the other.
  const Row few(2, 6, {"mvm.interval=1", "core.crossbars=2"});
  CHECK(simulated_bound(few.a, few.p, Mode::ht).best() == 300);
}

TEST_CASE("no mapping is below the bound, and the search is near the least time") {
  for (const std::int64_t channels : {2, 15}) {
    for (const std::int64_t columns : {2, 3}) {
      const Row at(channels, columns);
      for (const Mode mode : {Mode::ht, Mode::ll}) {
        CAPTURE(channels);
        CAPTURE(columns);
        CAPTURE(static_cast<int>(mode));
        const std::int64_t least = least_by_exhaustion(at, mode);
        const Fastest found = fastest(at.a, at.p, {mode, 1});
        CHECK(found.bound == simulated_bound(at.a, at.p, mode).best());
        CHECK(found.bound <= least);
        REQUIRE(found.mapping);
        CHECK(found.time == least);
        CHECK(found.time <= found.start_time);
        CHECK(!find_violation(at.a, at.p, *found.mapping));
        CHECK(found.time == simulate(at.a, at.p, *found.mapping, {mode, Policy::add}).time);
        CHECK(found.metrics->ht == evaluate(at.a, at.p, *found.mapping).ht);
        CHECK((found.status == Status::optimal) == (found.time == found.bound));
      }
    }
  }
}

TEST_CASE(
    "the fastest mapping does not depend on the number of threads; limits count simulations") {
  const Row at(15, 9);
  RunLimits one;
  one.threads = 1;
  RunLimits two;
  two.threads = 2;
  const Fastest first = fastest(at.a, at.p, {Mode::ll, 3}, one);
  const Fastest again = fastest(at.a, at.p, {Mode::ll, 3}, two);
  CHECK(*first.mapping == *again.mapping);
  CHECK(first.simulations == again.simulations);
  CHECK(first.simulations <= kDefaultSimulations);
  RunLimits few;
  few.node_limit = 2;
  const Fastest cut = fastest(at.a, at.p, {Mode::ll, 3}, few);
  CHECK(cut.simulations == 2);
  CHECK(cut.time == cut.start_time);
  CHECK(cut.time >= first.time);
  RunLimits hurry;
  hurry.time_limit = 0;
  const Fastest hasty = fastest(at.a, at.p, {Mode::ll, 3}, hurry);
  REQUIRE(hasty.mapping);
  CHECK(hasty.starts == 1);
  CHECK(hasty.time == simulate(at.a, at.p, *hasty.mapping, {Mode::ll, Policy::add}).time);
}

TEST_CASE("searches for the fastest mapping that find none") {
  const Row at(2, 3);
  std::stop_source source;
  source.request_stop();
  RunLimits stopped;
  stopped.stop = source.get_token();
  const Fastest none = fastest(at.a, at.p, {}, stopped);
  CHECK(none.status == Status::unknown);
  CHECK(!none.mapping);
  const Row wide(45, 3, {"core.crossbars=2"});  // five array groups
  const Fastest infeasible = fastest(wide.a, wide.p);
  CHECK(infeasible.status == Status::infeasible);
  CHECK(!infeasible.reason.empty());
}
