// The local search on the simulated time.
#include <doctest/doctest.h>

#include <stop_token>

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
