// The simulated time without a stream against the simulation of the stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "crossbar/instances.hpp"
#include "crossbar/partition/shares.hpp"
#include "crossbar/schedule/timing.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "run/guard.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

template <typename T, std::size_t n>
T one_of(testkit::Draw& draw, const std::array<T, n>& values) {
  return values[draw() % n];
}

/// A pool of the last tensor or of the network's input. Its windows overlap, so that some at the
/// ends of rows come after later ones.
void append_pool(NodeGraph& graph, bool of_input) {
  if (graph.nodes.back().op == Op::fc) return;
  const std::size_t from = of_input ? 0 : graph.nodes.size() - 1;
  const Volume plane = graph.nodes[from].out;
  const WindowAxis wide{3, 1, 1, 1};
  graph.nodes.push_back({"more" + std::to_string(graph.nodes.size()),
                         "MaxPool",
                         Op::pool,
                         {from},
                         plane,
                         plane,
                         wide,
                         wide});
}

/// One or more chips whose memories, buses, vector units or arrays may each be what delays.
testkit::Instance random_chips(testkit::Draw& draw, std::size_t i) {
  testkit::Instance at = testkit::drawn_instance(draw, i);
  for (std::uint64_t more = draw() % 3; more > 0; --more) append_pool(at.graph, draw() % 4 == 0);
  at.a.chips = one_of<std::int64_t>(draw, std::array<std::int64_t, 4>{1, 1, 2, 3});
  at.a.core.crossbars += static_cast<std::int64_t>(draw() % 24);
  at.a.core.max_nodes += static_cast<std::int64_t>(draw() % 4);
  at.a.core.vector_time = one_of(draw, std::array<std::int64_t, 5>{0, 1, 10, 60, 400});
  at.a.mvm.time = one_of(draw, std::array<std::int64_t, 4>{1, 20, 100, 900});
  at.a.mvm.interval = one_of(draw, std::array<std::int64_t, 4>{1, 20, 100, 1000});
  const std::array<Rational, 5> rates{Rational(1, 9), Rational(1), Rational(7, 3), Rational(64),
                                      Rational(10000)};
  at.a.bandwidth = {one_of(draw, rates), one_of(draw, rates), one_of(draw, rates)};
  at.p = make_partition(at.a, at.graph);
  return at;
}

/// Array groups dealt out to random cores, several at once or one by one; nothing where that is no
/// legal mapping.
std::optional<Mapping> random_mapping(testkit::Draw& draw, const testkit::Instance& at) {
  Mapping mapping;
  mapping.cores.resize(static_cast<std::size_t>(at.a.all_cores()));
  const std::uint64_t most = 1 + draw() % 6;
  for (std::size_t v = 0; v < at.p.arrays.size(); ++v) {
    const ArrayNode& array = at.p.arrays[v];
    const bool follows = array.family != v;  // parts of a node have equal replicas
    mapping.replication.push_back(
        follows ? mapping.replication[array.family]
                : std::min(array.windows, static_cast<std::int64_t>(1 + draw() % most)));
    const std::uint64_t together = 1 + draw() % 3;
    for (std::int64_t left = array.groups * mapping.replication[v]; left > 0;) {
      const auto some = std::min(left, static_cast<std::int64_t>(1 + draw() % together));
      std::vector<Share>& core = mapping.cores[draw() % mapping.cores.size()];
      partition::add_groups(core, v, some);
      left -= some;
    }
  }
  if (find_violation(at.a, at.p, mapping)) return std::nullopt;
  return mapping;
}

/// Mappings compared, and how many kinds of work they have.
struct Compared {
  std::size_t mappings = 0;
  std::size_t far = 0;        ///< with messages to other chips
  std::size_t collected = 0;  ///< with a replica in three cores or more
  std::size_t uneven = 0;     ///< replicas whose windows differ
  std::size_t vectors = 0;    ///< with vector nodes

  void count(const testkit::Instance& at, const Mapping& mapping, const Busy& busy) {
    ++mappings;
    far += busy.link > 0 ? 1 : 0;
    const auto placements = partition::placements(at.p, mapping);
    bool many = false;
    bool differ = false;
    for (std::size_t v = 0; v < placements.size(); ++v) {
      const auto& parts = placements[v].parts;
      for (std::size_t k = 2; k < parts.size(); ++k) {
        many = many || parts[k].replica == parts[k - 2].replica;
      }
      differ = differ || at.p.arrays[v].windows % mapping.replication[v] != 0;
    }
    collected += many ? 1 : 0;
    uneven += differ ? 1 : 0;
    vectors += std::ranges::any_of(at.graph.nodes, &Node::is_vector) ? 1 : 0;
  }
};

}  // namespace

TEST_CASE("the time without a stream is that of the stream, or above a cutoff") {
  testkit::Draw draw(testkit::first_seed(40));
  Compared compared;
  for (std::size_t i = 0; i < testkit::cases(6000); ++i) {
    CAPTURE(i);
    const testkit::Instance at = random_chips(draw, i);
    const std::optional<Mapping> mapping = random_mapping(draw, at);
    if (!mapping) continue;
    for (const Mode mode : {Mode::ht, Mode::ll}) {
      CAPTURE(static_cast<int>(mode));
      const auto stream = schedule::make_stream(at.a, at.p, *mapping, {mode, Policy::add}, {});
      const schedule::Timing timing = schedule::simulate(at.a, stream, {});
      compared.count(at, *mapping, timing.busy);
      const auto within = [&](std::int64_t cutoff) {
        return schedule::simulated_time(at.a, at.p, *mapping, mode, {}, cutoff);
      };
      REQUIRE(within(kEndless) == timing.time);
      REQUIRE(within(timing.time) == timing.time);
      REQUIRE(within(timing.time - 1) == kEndless);
      REQUIRE(within(static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(timing.time))) ==
              kEndless);
    }
  }
  CHECK(compared.far > compared.mappings / 20);
  CHECK(compared.collected > compared.mappings / 20);
  CHECK(compared.uneven > compared.mappings / 20);
  CHECK(compared.vectors > compared.mappings / 20);
}

TEST_CASE("limits without a stream") {
  testkit::Draw draw(1);
  std::optional<Mapping> mapping;
  testkit::Instance at;
  while (!mapping) mapping = random_mapping(draw, at = testkit::random_branches(draw));
  run::Guard small;
  small.room = 100;
  run::Guard stopped;
  stopped.stop = [] { return true; };
  for (const Mode mode : {Mode::ht, Mode::ll}) {
    CHECK_THROWS_AS(schedule::simulated_time(at.a, at.p, *mapping, mode, small, kEndless),
                    run::TooLarge);
    CHECK_THROWS_AS(schedule::simulated_time(at.a, at.p, *mapping, mode, stopped, kEndless),
                    run::Stopped);
  }
}
