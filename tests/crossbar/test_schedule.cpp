// Streams and their simulation: figures counted by hand, streams judged by their rules, limits.
#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stop_token>

#include "crossbar/instances.hpp"
#include "crossbar/schedule/neighbours.hpp"
#include "crossbar/schedule/timing.hpp"
#include "crossbar/small_chip.hpp"
#include "crossbar/stream_checker.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

/// input [4, 6, 6] -> conv (3 x 3) -> pool (2 x 2) -> point (1 x 1) -> add (pool) -> fc
NodeGraph chain() {
  NodeGraph graph;
  graph.name = "chain";
  graph.nodes.resize(6);
  const WindowAxis three{3, 1, 1, 1};
  const WindowAxis two{2, 2, 0, 0};
  graph.nodes[0] = {"input", "Input", Op::input, {}, {4, 6, 6}, {4, 6, 6}, {}, {}};
  graph.nodes[1] = {"conv", "Conv", Op::conv, {0}, {4, 6, 6}, {20, 6, 6}, three, three};
  graph.nodes[2] = {"pool", "MaxPool", Op::pool, {1}, {20, 6, 6}, {20, 3, 3}, two, two};
  graph.nodes[3] = {"point", "Conv", Op::conv, {2}, {20, 3, 3}, {20, 3, 3}, {}, {}};
  graph.nodes[4] = {"add", "Add", Op::eltwise, {2, 3}, {20, 3, 3}, {20, 3, 3}, {}, {}};
  graph.nodes[5] = {"fc", "Gemm", Op::fc, {4}, {20, 3, 3}, {8, 1, 1}, {}, {}};
  return graph;
}

struct Case {
  Architecture a = parse_architecture(
      testkit::kSmallChip, "chip.yaml",
      {"chips=1", "cores=4", "core.crossbars=12", "core.max_nodes=3", "core.local_memory=10000"});
  Partition p = make_partition(a, chain());
  Mapping mapping{{2, 2, 1},
                  {{{0, 4}, {1, 2}}, {{0, 3}, {2, 6}}, {{0, 1}, {2, 10}}, {{1, 2}, {2, 2}}}};
};

constexpr std::array<ScheduleOptions, 4> kSchedules{{{Mode::ht, Policy::add},
                                                     {Mode::ht, Policy::ag},
                                                     {Mode::ll, Policy::add},
                                                     {Mode::ll, Policy::ag}}};

/// input [2, 1, 2] -> conv (1 x 1), two windows of one array group in one core
Case two_windows() {
  Case at;
  NodeGraph graph;
  graph.name = "two";
  graph.nodes.resize(2);
  graph.nodes[0] = {"input", "Input", Op::input, {}, {2, 1, 2}, {2, 1, 2}, {}, {}};
  graph.nodes[1] = {"conv", "Conv", Op::conv, {0}, {2, 1, 2}, {4, 1, 2}, {}, {}};
  at.p = make_partition(at.a, graph);
  at.mapping = {{1}, {{{0, 1}}, {}, {}, {}}};
  return at;
}

}  // namespace

TEST_CASE("two windows of one array group, by hand") {
  // A LD of 20 bytes takes 5 ns, ACT of 8 bytes 5, ST 2. The second MVM starts at 105, when the
  // first ends; its result is there at 205, after the ST of the first, and stored at 212.
  const Case at = two_windows();
  const Simulation ht = simulate(at.a, at.p, at.mapping);
  CHECK(ht.time == 5 + 100 + 100 + 5 + 2);
  CHECK(ht.instructions == 8);
  CHECK(ht.busy.memory == 14);
  CHECK(ht.busy.vector == 10);
  CHECK(ht.busy.bus == 0);
  CHECK(ht.core_ends == std::vector<std::int64_t>{212, 0, 0, 0});
  CHECK(ht.live.core == 0);
  CHECK(ht.live.bytes == 2 * 20 + 8);
  CHECK(!ht.exact);
  // one core is on for 212 ns: 4 + 0.1 * (12 + 2 + 3); two routers and the memory all the time
  CHECK(ht.energy.standing == Rational(212) * (Rational(57, 10) + Rational(16, 10)));
  const Utilization used = utilization(at.a, at.p, ht);  // one of 4 cores, one of its crossbars
  CHECK(used.arrays == Rational(200, std::int64_t{212} * 4 * at.a.core.crossbars));
  CHECK(used.memory == Rational(14, std::int64_t{212} * at.a.chips));
  CHECK(used.vector == Rational(10, std::int64_t{212} * 4));
  CHECK(used.bus == 0);
  // over time: 53 intervals of 4 ns, LD at 0 and 5, MVM from 5 on, ACT and ST of both results
  CHECK(ht.occupancy.interval == 4);
  REQUIRE(ht.occupancy.memory.size() == 53);
  CHECK(ht.occupancy.memory[0] == 4);
  CHECK(ht.occupancy.memory[2] == 2);
  CHECK(ht.occupancy.arrays[0] == 0);
  CHECK(ht.occupancy.arrays[1] == 3);
  CHECK(ht.occupancy.arrays[51] == 1);
  CHECK(ht.occupancy.memory[52] == 2);
  REQUIRE(ht.spans.size() == 1);
  CHECK(ht.spans[0].start == 0);
  CHECK(ht.spans[0].end == 212);
  // low latency: the first result is stored before the second window is loaded
  const Simulation ll = simulate(at.a, at.p, at.mapping, {Mode::ll, Policy::add});
  CHECK(ll.time == 112 + 5 + 100 + 5 + 2);
  CHECK(ll.live.bytes == 2 * 20 + 8);
}

namespace {

RunLimits node_limited(std::uint64_t nodes) {
  RunLimits limits;
  limits.node_limit = nodes;
  return limits;
}

}  // namespace

TEST_CASE("what works over time adds up to the busy times") {
  testkit::Draw draw(7);
  for (std::size_t k = 0; k < testkit::cases(60); ++k) {
    CAPTURE(k);
    const testkit::Instance at = testkit::random_instance(draw);
    const Solution found = solve(at.a, at.p, {Goal::ht}, node_limited(20));
    if (!found.mapping) continue;
    for (const Mode mode : {Mode::ht, Mode::ll}) {
      const Simulation s = simulate(at.a, at.p, *found.mapping, {mode, Policy::add});
      const Occupancy& busy = s.occupancy;
      const auto total = [](const std::vector<std::int64_t>& intervals) {
        return std::accumulate(intervals.begin(), intervals.end(), std::int64_t{0});
      };
      CHECK(total(busy.memory) == s.busy.memory);
      CHECK(total(busy.bus) == s.busy.bus);
      CHECK(total(busy.link) == s.busy.link);
      CHECK(total(busy.vector) == s.busy.vector);
      const Rational crossbars(at.a.all_cores() * at.a.core.crossbars);
      CHECK(Rational(total(busy.arrays)) ==
            utilization(at.a, at.p, s).arrays * Rational(s.time) * crossbars);
      CHECK(busy.arrays.size() <= Occupancy::kMostIntervals);
      std::int64_t last = 0;
      for (const NodeSpan& span : s.spans) {
        CHECK(span.start <= span.end);
        last = std::max(last, span.end);
      }
      CHECK(last == s.time);
    }
  }
}

TEST_CASE("lines of a stream") {
  const Case at = two_windows();
  std::string text;
  const auto none = write_stream([&](std::string_view piece) { text += piece; }, at.a, at.p,
                                 at.mapping, {Mode::ht, Policy::add}, false);
  CHECK(!none);
  CHECK(text.substr(0, text.find('\n')) ==
        R"({"core": 0, "id": 0, "unit": "dma", "op": "LD", "node": "conv", "window": 0, "ag": 0, )"
        R"("bytes": 20})");
  const auto lines = testkit::stream_lines(at.a, at.p, at.mapping, {Mode::ll, Policy::add});
  REQUIRE(lines.size() == 8);
  CHECK(lines[7] ==
        R"({"core": 0, "id": 7, "unit": "dma", "op": "ST", "node": "conv", "window": 1, "ag": 0, )"
        R"("bytes": 8, "start": 222})");
}

TEST_CASE("streams keep their rules") {
  const Case at;
  for (const ScheduleOptions options : kSchedules) {
    const auto lines = testkit::stream_lines(at.a, at.p, at.mapping, options);
    CHECK(lines.size() ==
          static_cast<std::size_t>(simulate(at.a, at.p, at.mapping, options).instructions));
    CHECK(testkit::stream_complaints(at.a, at.p, at.mapping, options, lines) ==
          std::vector<std::string>{});
  }
}

TEST_CASE("no instruction could start earlier, and the judge of streams notices if one does") {
  const Case at;
  for (const ScheduleOptions options : kSchedules) {
    const auto lines = testkit::stream_lines(at.a, at.p, at.mapping, options);
    const std::size_t every = lines.size() / testkit::cases(lines.size() / 11);
    for (std::size_t i = 0; i < lines.size(); i += every) {
      auto json = nlohmann::ordered_json::parse(lines[i]);
      const auto start = json.at("start").get<std::int64_t>();
      if (start == 0) continue;
      json["start"] = start - 1;
      auto changed = lines;
      changed[i] = json.dump();
      CAPTURE(changed[i]);
      CHECK(!testkit::stream_complaints(at.a, at.p, at.mapping, options, changed).empty());
    }
  }
}

TEST_CASE("a cutoff ends the simulation of slower mappings only") {
  const Case at;
  const std::int64_t endless = std::numeric_limits<std::int64_t>::max();
  for (const Mode mode : {Mode::ht, Mode::ll}) {
    CAPTURE(static_cast<int>(mode));
    const std::int64_t time = simulate(at.a, at.p, at.mapping, {mode, Policy::add}).time;
    for (std::int64_t cutoff = 0; cutoff < time + 200; cutoff += cutoff + 3 < time ? 3 : 1) {
      CAPTURE(cutoff);
      CHECK(schedule::simulated_time(at.a, at.p, at.mapping, mode, {}, cutoff) ==
            (cutoff < time ? endless : time));
    }
  }
}

namespace {

/// Walks over neighbours: counts mappings, and those that take another time without a stream.
struct Walk {
  std::int64_t compared = 0;
  std::size_t different = 0;

  void over(const Architecture& a, const Partition& p, Mapping mapping, std::size_t steps,
            std::uint64_t seed) {
    schedule::Neighbours neighbours(a, p, seed);
    const std::int64_t endless = std::numeric_limits<std::int64_t>::max();
    for (std::size_t draws = 0, taken = 0; taken < steps && draws < 20 * steps; ++draws) {
      std::optional<Mapping> next = neighbours.draw(mapping);
      if (!next) continue;
      ++taken;
      mapping = std::move(*next);
      const std::int64_t time = simulate(a, p, mapping, {Mode::ll, Policy::add}).time;
      different += schedule::simulated_time(a, p, mapping, Mode::ll, {}, endless) == time ? 0 : 1;
      different += schedule::simulated_time(a, p, mapping, Mode::ll, {}, time) == time ? 0 : 1;
      different += schedule::simulated_time(a, p, mapping, Mode::ll, {}, time - 1) > time ? 0 : 1;
      ++compared;
    }
  }
};

}  // namespace

TEST_CASE("low latency: neighbours take the time of their instructions without them") {
  Walk walk;
  const std::vector<std::vector<std::string>> chips{
      {"chips=1", "cores=4"},
      {"chips=2", "cores=2"},
      {"chips=4", "cores=1", "bandwidth.link=100"},
      {"chips=1", "cores=4", "bandwidth.memory=0.3", "mvm.time=20"},
      {"chips=1", "cores=4", "bandwidth.bus=0.2", "core.vector_time=1"},
      {"chips=2", "cores=2", "core.vector_time=400", "mvm.interval=1"},
      {"chips=1", "cores=4", "core.vector_time=30", "mvm.interval=100", "bandwidth.bus=100"}};
  for (const std::vector<std::string>& chip : chips) {
    std::vector<std::string> changes = chip;
    changes.insert(changes.end(),
                   {"core.crossbars=14", "core.max_nodes=3", "core.local_memory=10000"});
    const Architecture a = parse_architecture(testkit::kSmallChip, "chip.yaml", changes);
    walk.over(a, make_partition(a, chain()), Case().mapping, testkit::cases(150), walk.compared);
    testkit::Instance joined = testkit::modules(2, 4, chip);
    joined.a.core.crossbars = 12;
    const BaselineResult start = baseline(joined.a, joined.p, Baseline::puma);
    REQUIRE(start.mapping);
    walk.over(joined.a, joined.p, *start.mapping, testkit::cases(40), walk.compared);
  }
  testkit::Draw draw(testkit::first_seed(20));
  for (std::size_t i = 0; i < testkit::cases(100); ++i) {
    const testkit::Instance at = testkit::random_instance(draw);
    if (const auto start = baseline(at.a, at.p, Baseline::puma); start.mapping) {
      walk.over(at.a, at.p, *start.mapping, 10, i);
    }
  }
  CHECK(walk.different == 0);
  CHECK(walk.compared > 20);
}

TEST_CASE("local memory: lifetimes need less than blocks of their own") {
  const Case at;
  const Metrics metrics = evaluate(at.a, at.p, at.mapping);
  const Simulation s = simulate(at.a, at.p, at.mapping, {Mode::ht, Policy::exact});
  REQUIRE(s.exact);
  CHECK(s.live.bytes <= s.exact->peak.bytes);
  CHECK(s.exact->peak.bytes <= metrics.peaks[1].bytes);
  CHECK(s.exact->least);
  CHECK(s.time == simulate(at.a, at.p, at.mapping).time);
}

TEST_CASE("low latency: pixels are kept until the last round that reads them") {
  // one core: conv (1 x 1) of a row of three pixels, then a pool over all three. The pixels of 8
  // bytes are made in the rounds 1, 2 and 3 and read in round 4.
  Case at;
  NodeGraph graph;
  graph.name = "row";
  graph.nodes.resize(3);
  graph.nodes[0] = {"input", "Input", Op::input, {}, {2, 1, 3}, {2, 1, 3}, {}, {}};
  graph.nodes[1] = {"conv", "Conv", Op::conv, {0}, {2, 1, 3}, {4, 1, 3}, {}, {}};
  graph.nodes[2] = {"pool", "MaxPool", Op::pool, {1}, {4, 1, 3}, {4, 1, 1}, {}, {3, 1, 0, 0}};
  at.p = make_partition(at.a, graph);
  at.mapping = {{1}, {{{0, 1}}, {}, {}, {}}};
  const Simulation ll = simulate(at.a, at.p, at.mapping, {Mode::ll, Policy::add});
  CHECK(ll.live.bytes == 2 * 20 + 8 + 3 * 8);
}

TEST_CASE("limits end a simulation") {
  const Case at;
  RunLimits small;
  small.memory_limit = 1000;
  CHECK_THROWS_AS(simulate(at.a, at.p, at.mapping, {}, small), LimitError);
  std::stop_source source;
  source.request_stop();
  RunLimits stopped;
  stopped.stop = source.get_token();
  CHECK_THROWS_AS(simulate(at.a, at.p, at.mapping, {}, stopped), LimitError);
  Mapping broken = at.mapping;
  broken.cores[0][0].groups = 3;
  CHECK_THROWS_AS(simulate(at.a, at.p, broken), InputError);
}
