// The baselines: replications counted by hand, and the genetic algorithm, which repeats.
#include <doctest/doctest.h>

#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

constexpr std::string_view kPair = R"(crossbar_accelerator:
  name: pair
  chips: 1
  cores: 2
  core: {crossbars: 8, rows: 16, columns: 4, cell_bits: 2, max_nodes: 4, vector_bytes: 8,
         vector_time: 1, local_memory: 4096}
  bits: {activation: 16, weight: 16}
  mvm: {time: 8, interval: 2}
  bandwidth: {memory: 64, bus: 25.6, link: 6.4}
  power: {crossbar: 1, vector: 2, local: 3, control: 4, router: 5, cores_per_router: 4, memory: 6,
          link: 7}
)";

// 2 groups and 16 windows, 1 group and 4 windows, 1 group of 2 crossbars and 1 window
constexpr std::string_view kThree = R"(
name: three
layers:
  - {name: one, R: 3, S: 3, P: 4, Q: 4, C: 2, K: 4, N: 1, input: [4, 4]}
  - {name: two, R: 1, S: 1, P: 2, Q: 2, C: 4, K: 4, N: 1}
  - {name: fc, R: 1, S: 1, P: 1, Q: 1, C: 16, K: 8, N: 1}
graph:
  - {node: one, layer: one}
  - {node: pool, op: MaxPool, window: [2, 2], stride: [2, 2]}
  - {node: two, layer: two}
  - {node: flatten, op: Flatten}
  - {node: fc, layer: fc}
)";

struct Made {
  Architecture a;
  Partition p;
};

Made made(const std::vector<std::string>& changes = {}) {
  Made all;
  all.a = parse_architecture(kPair, "pair.yaml", changes);
  all.p = make_partition(all.a, node_graph(parse_network(kThree, "three.yaml")));
  return all;
}

using Replicas = std::vector<std::int64_t>;

Replicas replicas(const Made& m, Baseline method) {
  const BaselineResult found = baseline(m.a, m.p, method);
  if (!found.mapping) return {};
  CHECK(!find_violation(m.a, m.p, *found.mapping));
  return found.mapping->replication;
}

}  // namespace

TEST_CASE("puma gives replicas to the node with the most cycles") {
  // 16 - 5 crossbars are left: cycles 16 4 become 8 4, 6 4, 4 4, 4 4, 3 4, 3 2
  const Made m = made();
  CHECK(replicas(m, Baseline::puma) == Replicas{6, 2, 1});
  const Mapping mapping = *baseline(m.a, m.p, Baseline::puma).mapping;
  CHECK(mapping.cores[0] == std::vector<Share>{{0, 8}});
  CHECK(mapping.cores[1] == std::vector<Share>{{0, 4}, {1, 2}, {2, 1}});
}

TEST_CASE("replicas in proportion to windows, and evenly") {
  // r = 16 / 4 and 4 / 4, of 14 crossbars: floor(14 / (1.2 * 9)) = 1
  CHECK(replicas(made(), Baseline::w0h0) == Replicas{4, 1, 1});
  // floor(14 / (1.2 * 3)) = 3
  CHECK(replicas(made(), Baseline::uniform) == Replicas{3, 3, 1});
  // floor(398 / (1.2 * 3)) = 110: at most one for each window
  CHECK(replicas(made({"core.crossbars=200"}), Baseline::uniform) == Replicas{16, 4, 1});
  // floor(398 / (1.2 * 9)) = 36
  CHECK(replicas(made({"core.crossbars=200"}), Baseline::w0h0) == Replicas{16, 4, 1});
}

TEST_CASE("a replica less of the largest Conv until it fits") {
  // one node a core: 10 2 1 replicas fit the crossbars, but only 8 groups of `one` fit a core
  CHECK(replicas(made({"cores=3", "core.max_nodes=1"}), Baseline::puma) == Replicas{4, 2, 1});
  for (const Baseline method : {Baseline::puma, Baseline::w0h0, Baseline::uniform, Baseline::ga}) {
    CAPTURE(name(method));
    CHECK(replicas(made({"core.max_nodes=1"}), method).empty());  // three nodes, two cores
    CHECK(replicas(made({"cores=1", "core.crossbars=4"}), method).empty());
  }
}

TEST_CASE("local memory that is enforced bounds the replicas") {
  const Replicas free = replicas(made(), Baseline::puma);
  const Made m = made({"core.enforce_local_memory=true", "core.local_memory=512"});
  for (const Baseline method : {Baseline::puma, Baseline::ga}) {
    const Replicas enforced = replicas(m, method);
    REQUIRE(!enforced.empty());
    CHECK(enforced != free);
  }
}

TEST_CASE("the genetic algorithm repeats for any number of threads") {
  const Made m = made();
  for (std::size_t e = 0; e < kEstimateNames.size(); ++e) {
    if (!testkit::chosen(e)) continue;
    const auto estimate = static_cast<Estimate>(e);
    CAPTURE(name(estimate));
    const Evolution evolution{estimate, Mode::ll, 7};
    const BaselineResult one = baseline(m.a, m.p, Baseline::ga, evolution, {.threads = 1});
    const BaselineResult three = baseline(m.a, m.p, Baseline::ga, evolution, {.threads = 3});
    REQUIRE(one.mapping);
    CHECK(one.mapping == three.mapping);
    CHECK(one.evaluations == three.evaluations);
    CHECK(!one.stopped);
    const Metrics metrics = evaluate(m.a, m.p, *one.mapping);
    CHECK(value_of(m.a, m.p, *one.mapping, estimate, Mode::ll) ==
          value(metrics, estimate, Mode::ll));
    const Mapping puma = *baseline(m.a, m.p, Baseline::puma).mapping;
    CHECK(value_of(m.a, m.p, puma, estimate, Mode::ht) ==
          value(evaluate(m.a, m.p, puma), estimate, Mode::ht));
  }
}

TEST_CASE("limits end the genetic algorithm after a generation") {
  const Made m = made();
  std::uint64_t reports = 0;
  RunLimits limits{.threads = 1, .node_limit = 150};
  limits.on_progress = [&](const Progress& progress) {
    CHECK(progress.goal == "ht");
    CHECK(progress.incumbent);
    ++reports;
  };
  const BaselineResult found = baseline(m.a, m.p, Baseline::ga, {}, limits);
  REQUIRE(found.mapping);
  CHECK(found.stopped);
  CHECK(found.evaluations >= 150);
  CHECK(found.evaluations < 250);
  CHECK(reports > 0);
}

TEST_CASE("an estimate that the network does not have") {
  Made m = made();
  m.p = make_partition(
      m.a, node_graph(parse_network(
               R"({name: fc, layers: [{name: fc, R: 1, S: 1, P: 1, Q: 1, C: 4, K: 4, N: 1}],
                                    graph: [{node: fc, layer: fc}]})",
               "fc.yaml")));
  CHECK_THROWS_AS(baseline(m.a, m.p, Baseline::ga, {Estimate::ll}), InputError);
  CHECK_THROWS_AS(baseline(m.a, m.p, Baseline::ga, {Estimate::edp, Mode::ll}), InputError);
  CHECK(replicas(m, Baseline::puma) == Replicas{1});
}
