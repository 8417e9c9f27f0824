// The local search on the simulated time.
#include <doctest/doctest.h>

#include <stop_token>

#include "crossbar/schedule/neighbours.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

/// One replica of each node in one core.
struct Start : testkit::Row {
  explicit Start(std::int64_t columns) : Row(2, columns) {}
  Mapping mapping{{1, 1}, {{{0, 1}, {1, 1}}, {}}};
};

RunLimits simulations(std::uint64_t count, int threads = 1) {
  RunLimits limits;
  limits.node_limit = count;
  limits.threads = threads;
  return limits;
}

}  // namespace

TEST_CASE("an obvious improvement: windows at the same time, in both cores") {
  // One replica of each node in one core: 6 windows, one after another. In both modes six times as
  // many array groups fit.
  const Start at(6);
  for (const Mode mode : {Mode::ht, Mode::ll}) {
    const Improvement better = improve(at.a, at.p, at.mapping, {mode, 1}, simulations(300));
    CHECK(better.given_time == simulate(at.a, at.p, at.mapping, {mode, Policy::add}).time);
    CHECK(better.time < better.given_time);
    CHECK(better.time == simulate(at.a, at.p, better.mapping, {mode, Policy::add}).time);
    CHECK(!find_violation(at.a, at.p, better.mapping));
    CHECK(better.simulations <= 300);
    CHECK(better.neighbours + 1 >= better.simulations);
  }
}

TEST_CASE("the answer does not depend on the number of threads, or on timing") {
  const Start at(9);
  const Improvement one = improve(at.a, at.p, at.mapping, {Mode::ht, 5}, simulations(60, 1));
  const Improvement two = improve(at.a, at.p, at.mapping, {Mode::ht, 5}, simulations(60, 2));
  CHECK(one.mapping == two.mapping);
  CHECK(one.time == two.time);
  CHECK(one.simulations == two.simulations);
  const Improvement none = improve(at.a, at.p, at.mapping, {Mode::ht, 5}, simulations(1));
  CHECK(none.mapping == at.mapping);
  CHECK(none.time == none.given_time);
}

TEST_CASE("a mapping without neighbours ends the local search") {
  // One core, and one window of each node: nothing to move, nothing to replicate.
  const testkit::Row at(2, 1, {"cores=1"});
  const Mapping only{{1, 1}, {{{0, 1}, {1, 1}}}};
  const Improvement same = improve(at.a, at.p, only, {}, simulations(100));
  CHECK(same.mapping == only);
  CHECK(same.simulations == 1);
  CHECK(same.neighbours == 0);
}

TEST_CASE("a new replica takes the room that there is, core by core") {
  // Array groups of 2 crossbars; each core has room for one more, and a crossbar is left over.
  const testkit::Row at(20, 2, {"core.crossbars=5", "core.columns=2"});
  REQUIRE(at.p.arrays[0].groups == 2);
  REQUIRE(at.p.arrays[0].width == 2);
  REQUIRE(at.p.arrays[1].groups * at.p.arrays[1].width == 2);
  const Architecture a = testkit::two_cores({"cores=3", "core.crossbars=5", "core.columns=2"});
  const Mapping from{{1, 1}, {{{0, 1}}, {{0, 1}}, {{1, 1}}}};
  REQUIRE(!find_violation(a, at.p, from));
  schedule::Neighbours neighbours(a, at.p, 1);
  std::size_t split = 0;
  for (int i = 0; i < 400; ++i) {
    const std::optional<Mapping> next = neighbours.draw(from);
    if (!next || next->replication[0] != 2) continue;
    std::size_t parts = 0;
    for (const auto& core : next->cores) {
      for (const Share& share : core) parts += share.array == 0 ? 1 : 0;
    }
    split += parts == 3 ? 1 : 0;  // one group more in two of the cores, or one in the third
  }
  CHECK(split > 0);
}

TEST_CASE("a local search that cannot begin") {
  const Start at(3);
  std::stop_source source;
  source.request_stop();
  RunLimits stopped;
  stopped.stop = source.get_token();
  CHECK_THROWS_AS(improve(at.a, at.p, at.mapping, {}, stopped), LimitError);
  Mapping broken = at.mapping;
  broken.replication[0] = 2;
  CHECK_THROWS_AS(improve(at.a, at.p, broken), InputError);
}
