// Single steps of the search for assignments: packings, exchanges, paths, and where it begins.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/exchange.hpp"
#include "crossbar/assign/packing.hpp"
#include "crossbar/assign/paths.hpp"
#include "crossbar/assign/spread.hpp"
#include "crossbar/assign/starts.hpp"
#include "crossbar/instances.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::Draw;
using testkit::Instance;

namespace {

using ByFamily = std::vector<std::int64_t>;

/// Two convolutions of one array group each, of one crossbar, on two cores of eight crossbars.
struct TwoNodes : testkit::Row {
  explicit TwoNodes(std::int64_t columns, const std::vector<std::string>& changes = {},
                    std::int64_t channels = 2)
      : Row(channels, columns, with(changes)), problem(a, p) {}
  assign::Problem problem;

 private:
  static std::vector<std::string> with(const std::vector<std::string>& changes) {
    std::vector<std::string> all{"core.columns=32", "core.crossbars=8"};
    all.insert(all.end(), changes.begin(), changes.end());
    return all;
  }
};

/// Exchanges from what first fit makes of the replication with a cap of cycles: how often they make
/// it faster.
std::size_t exchange_for(const Instance& at, std::int64_t cap, std::uint64_t seed) {
  const assign::Problem problem(at.a, at.p);
  const auto replication = assign::usual_replication(problem, cap);
  if (!replication) return 0;
  const auto begin = assign::first_fit(problem, *replication);
  if (!begin || find_violation(at.a, at.p, *begin)) return 0;
  assign::Exchange exchange(problem, *begin, seed);
  CHECK(exchange.mapping() == *begin);
  const std::int64_t before = exchange.time();
  CHECK(before == evaluate(at.a, at.p, *begin).ht);
  std::size_t faster = 0;
  for (const std::int64_t deadline : {before - 1, before * 3 / 4, before * 9 / 10}) {
    std::uint64_t steps = 2'000;
    const bool met = exchange.reach(deadline, steps, {});
    CHECK(met == (exchange.time() <= deadline));
    const Mapping mapping = exchange.mapping();
    CHECK(!find_violation(at.a, at.p, mapping));
    CHECK(mapping.replication == begin->replication);
    CHECK(exchange.time() == evaluate(at.a, at.p, mapping).ht);
    faster += exchange.time() < before ? 1 : 0;
  }
  return faster;
}

}  // namespace

TEST_CASE("more multiplications than all cores have time for are refuted at once") {
  const TwoNodes at(6);
  assign::Effort effort;
  std::vector<std::string> records;
  // 3 array groups of 2 cycles for each node: 12, where two cores have time for 5 each.
  const assign::Packed packed = assign::pack(at.problem, {3, 3}, 239, effort,
                                             [&](const std::string& r) { records.push_back(r); });
  CHECK(packed.answer == assign::Answer::no);
  CHECK(records == std::vector<std::string>{"t"});
}

TEST_CASE("a core takes the one array group that it has time for") {
  const TwoNodes at(6, {"cores=6", "mvm.interval=100"});
  assign::Effort effort;
  const assign::Packed packed = assign::pack(at.problem, {3, 3}, 200, effort);
  REQUIRE(packed.answer == assign::Answer::yes);
  for (const std::vector<Share>& core : packed.cores) {
    REQUIRE(core.size() == 1);
    CHECK(core[0].groups == 1);
  }
  CHECK(assign::pack(at.problem, {3, 3}, 199, effort).answer == assign::Answer::no);
}

TEST_CASE("what has failed is kept as far as memory allows") {
  const TwoNodes at(6, {"cores=1", "core.max_nodes=1"});
  assign::Effort effort;
  CHECK(assign::pack(at.problem, {1, 1}, {}, effort).answer == assign::Answer::no);
  CHECK(effort.bytes > 0);
  assign::Effort little;
  little.most_bytes = 0;
  CHECK(assign::pack(at.problem, {1, 1}, {}, little).answer == assign::Answer::no);
  CHECK(little.bytes == 0);
}

TEST_CASE("a run with a node limit is the same with a time limit beside it") {
  const TwoNodes at(3, {"core.crossbars=3"}, 12);
  RunLimits limits;
  limits.node_limit = 1;
  const Solution without = solve(at.a, at.p, {Goal::ht}, limits);
  limits.time_limit = 3'600;
  const Solution with = solve(at.a, at.p, {Goal::ht}, limits);
  REQUIRE(without.status == Status::feasible);  // so that more rounds could follow
  CHECK(with.steps == without.steps);
  CHECK(with.mapping == without.mapping);
}

TEST_CASE("replications of the bound are filled up without a search") {
  // 14 crossbars: 6 replicas of both nodes, for their 6 windows; or 7 of each, for 9 windows.
  RunLimits limits;
  limits.node_limit = 0;
  const TwoNodes six(6, {"core.crossbars=7"});
  CHECK(solve(six.a, six.p, {Goal::ll}, limits).result.value == 100);
  const TwoNodes nine(9, {"core.crossbars=7"});
  CHECK(solve(nine.a, nine.p, {Goal::ll}, limits).result.value == Rational(900) / 7);
}

TEST_CASE("a box that is taken is a node") {
  const TwoNodes at(9, {"core.crossbars=7"});
  RunLimits limits;
  limits.node_limit = 0;
  const Solution none = solve(at.a, at.p, {Goal::ll}, limits);
  CHECK(none.status == Status::feasible);
  CHECK(none.nodes == 0);
  limits.node_limit = 1;
  const Solution one = solve(at.a, at.p, {Goal::ll}, limits);
  CHECK(one.status == Status::optimal);
  CHECK(one.nodes == 1);
}

TEST_CASE("no least latency where one replica of each node cannot be packed") {
  const TwoNodes at(6, {"cores=1", "core.max_nodes=1"});
  const Solution solution = solve(at.a, at.p, {Goal::ll});
  CHECK(solution.status == Status::infeasible);
  CHECK(solution.reason == "one replica of each node cannot be packed into the cores");
}

TEST_CASE("weights of a path are those of its cut, but for its first node's time") {
  const TwoNodes at(6);
  const assign::Paths paths(at.problem);
  const assign::LongestPath path = paths.longest({1, 1});
  REQUIRE(path.steps.size() == 2);
  const std::vector<double> weights = paths.weights(path);
  const assign::Cut cut = paths.cut(path);
  CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == doctest::Approx(1));
  for (std::size_t f = 0; f < weights.size(); ++f) {
    CHECK(weights[f] * 6 * 100 ==
          doctest::Approx(static_cast<double>(cut.weights[f]) / (1 << assign::kCutBits)));
  }
}

TEST_CASE("array groups that are dealt out have the replication asked for") {
  const TwoNodes at(6);
  for (const ByFamily& asked : {ByFamily{3, 2}, ByFamily{1, 6}, ByFamily{6, 6}}) {
    const auto mapping = assign::dealt_out(at.problem, asked, at.problem.crossbars);
    REQUIRE(mapping);
    CHECK(mapping->replication == asked);
    CHECK(!find_violation(at.a, at.p, *mapping));
  }
  CHECK(!assign::dealt_out(at.problem, {9, 9}, at.problem.crossbars));
}

TEST_CASE("exchanges keep mappings legal and know their time") {
  Draw draw(testkit::first_seed(7));
  std::size_t faster = 0;
  for (std::size_t i = testkit::cases(200); i > 0; --i) {
    CAPTURE(i);
    const Instance at = testkit::random_instance(draw);
    const std::int64_t cap = 2 + static_cast<std::int64_t>(draw() % 9);
    faster += exchange_for(at, cap, draw());
  }
  for (const std::int64_t cap : {5, 9, 18, 36}) {
    CAPTURE(cap);
    faster += exchange_for(testkit::modules(2, 8), cap, draw());
  }
  CHECK(faster > 0);
}

TEST_CASE("two cores exchange until both are in time, or a stop is asked for") {
  const TwoNodes at(6);
  const Mapping all_in_one{{2, 2}, {{{0, 2}, {1, 2}}, {}}};
  assign::Exchange exchange(at.problem, all_in_one, 1);
  CHECK(exchange.time() == 3 * 160);
  std::uint64_t steps = 1'000;
  CHECK(exchange.reach(300, steps, {}));
  CHECK(exchange.time() == 300);
  CHECK(steps > 0);
  std::size_t asked = 0;
  steps = 1'000;  // asked at each 1,024th step, and before bundles are exchanged
  CHECK(!exchange.reach(200, steps, [&] { return ++asked == 0; }));
  CHECK(asked < 10);
  CHECK(exchange.time() == 300);
  CHECK(steps == 0);
}

TEST_CASE("all ways to begin find a mapping where there is room") {
  const TwoNodes at(32, {"cores=4", "core.crossbars=16"});
  const ByFamily given{16, 8};
  std::map<ByFamily, std::size_t> found;
  for (const Mapping& mapping :
       assign::starting_mappings(at.problem, given, [] { return false; })) {
    CHECK(!find_violation(at.a, at.p, mapping));
    ++found[mapping.replication];
  }
  for (std::int64_t part = 1; part <= 16; ++part) {
    CAPTURE(part);
    CHECK(found[{part, std::max<std::int64_t>(1, part / 2)}] >= 7);
  }
  CHECK(found[{1, 1}] >= 7);
}

TEST_CASE("replicas begin whole where cores have room for them") {
  // 3 replicas of two array groups and 3 of one, on two cores of five crossbars: one way to begin
  // would split a replica, and levels of whole ones do not.
  const TwoNodes at(8, {"core.crossbars=5"}, 12);
  REQUIRE(at.p.arrays[0].groups == 2);
  std::size_t whole = 0;
  for (const Mapping& mapping : assign::starting_mappings(at.problem, {}, [] { return false; })) {
    if (mapping.replication != ByFamily{3, 3}) continue;
    const auto keeps = [&](const std::vector<Share>& core) {
      return std::ranges::all_of(
          core, [](const Share& share) { return share.array != 0 || share.groups % 2 == 0; });
    };
    whole += std::ranges::all_of(mapping.cores, keeps) ? 1 : 0;
  }
  CHECK(whole >= 2);
}
