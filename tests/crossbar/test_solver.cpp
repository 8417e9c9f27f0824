// The solver against the golden optima of tiny problems and against exhaustion of random ones; what
// limits and threads may change.
#include <doctest/doctest.h>

#include <iostream>
#include <random>

#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using golden::Json;

namespace {

struct Instance {
  Architecture a;
  Partition p;
};

Instance golden_instance(const Json& line, const std::filesystem::path& folder) {
  Architecture a = golden::architecture(line.at("arch"));
  Partition p = make_partition(a, golden::graph(line.at("net"), folder));
  return {std::move(a), std::move(p)};
}

/// A mapping that is claimed to be optimal: legal, of the value that is reported.
void check_optimal(const Instance& at, const Solution& solution, const Question& question) {
  REQUIRE(solution.status == Status::optimal);
  REQUIRE(solution.mapping);
  CHECK(!find_violation(at.a, at.p, *solution.mapping));
  CHECK(solution.result.goal == question.goal);
  CHECK(solution.result.value == solution.result.bound);
  const Metrics m = evaluate(at.a, at.p, *solution.mapping);
  CHECK(solution.result.value == Rational(m.ht));
}

using Draw = std::mt19937_64;

std::int64_t between(Draw& draw, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
}

Node convolution(Draw& draw, std::size_t number, const Volume& in) {
  Node node;
  node.name = "conv" + std::to_string(number);
  node.operation = "Conv";
  node.op = Op::conv;
  node.from = {number - 1};
  node.in = in;
  const std::int64_t kernel = between(draw, 1, 2);
  node.vertical = node.horizontal = {kernel, between(draw, 1, 2), 0, kernel - 1};
  const auto size = [](const WindowAxis& axis, std::int64_t length) {
    return (length + axis.before + axis.after - axis.kernel) / axis.stride + 1;
  };
  node.out = {between(draw, 1, 40), size(node.vertical, in.height),
              size(node.horizontal, in.width)};
  return node;
}

/// A chain of convolutions on a few small cores; nodes may be wider than a core.
Instance random_instance(Draw& draw) {
  Architecture a = read_architecture("pimcomp");
  a.cores = between(draw, 1, 4);
  a.core.crossbars = between(draw, 2, 8);
  a.core.rows = 8;
  a.core.columns = 8;
  a.core.max_nodes = between(draw, 1, 3);
  a.mvm = {between(draw, 1, 9) * 100, between(draw, 1, 4) * 50};
  NodeGraph graph;
  graph.name = "random";
  const std::int64_t side = between(draw, 1, 5);
  graph.nodes.push_back(
      {"input", "Input", Op::input, {}, {3, side, side}, {3, side, side}, {}, {}});
  for (std::int64_t n = between(draw, 1, 3); n > 0; --n) {
    graph.nodes.push_back(convolution(draw, graph.nodes.size(), graph.nodes.back().out));
  }
  Partition p = make_partition(a, graph);
  return {std::move(a), std::move(p)};
}

/// Replications in which all parts of a node agree.
std::vector<testkit::Replication> legal_replications(const Instance& at) {
  std::vector<testkit::Replication> all = testkit::replications(at.a, at.p);
  std::erase_if(all, [&](const testkit::Replication& r) {
    for (std::size_t v = 0; v < r.size(); ++v) {
      if (r[v] != r[at.p.arrays[v].family]) return true;
    }
    return false;
  });
  return all;
}

/// No legal mapping is below the value; nothing is legal if there is none.
void check_by_exhaustion(const Instance& at, const Solution& solution) {
  std::optional<std::int64_t> deadline;
  if (solution.mapping) deadline = solution.metrics->ht;
  for (const auto& replication : legal_replications(at)) {
    CAPTURE(Json(replication).dump());
    CHECK(!testkit::fits(at.a, at.p, replication, deadline));
  }
}

}  // namespace

TEST_CASE("golden optima of tiny problems: ht") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    const Instance at = golden_instance(all[i], *folder);
    const Json& optimum = all[i].at("optimum");
    const Question question;
    const Solution solution = solve(at.a, at.p, question);
    if (optimum.at("status") == "infeasible") {
      CHECK(solution.status == Status::infeasible);
      CHECK(!solution.reason.empty());
      continue;
    }
    check_optimal(at, solution, question);
    CHECK(solution.metrics->ht == optimum.at("ht").at("value").get<std::int64_t>());
  }
  std::cout << "golden/crossbar/optima_tiny.jsonl: " << all.size() << " lines solved for ht\n";
}

TEST_CASE("random tiny problems against exhaustion: ht") {
  Draw draw(testkit::first_seed(1));
  int feasible = 0;
  const std::size_t cases = testkit::cases(300);
  for (std::size_t i = 0; i < cases; ++i) {
    CAPTURE(i);
    const Instance at = random_instance(draw);
    const Solution solution = solve(at.a, at.p);
    if (solution.status != Status::infeasible) {
      check_optimal(at, solution, {});
      ++feasible;
    }
    check_by_exhaustion(at, solution);
  }
  CHECK(feasible > 0);
}

TEST_CASE("a whole network: the same for any number of threads, and within its bounds") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = golden::architecture({{"cores", 20}});
  const Partition p = make_partition(a, golden::graph("networks/resnet18.json", *folder));
  RunLimits limits;
  limits.node_limit = 1'000;
  limits.threads = 1;
  const Solution one = solve(a, p, {}, limits);
  limits.threads = 3;
  const Solution three = solve(a, p, {}, limits);
  REQUIRE(one.mapping);
  CHECK(one.mapping == three.mapping);
  CHECK(one.steps == three.steps);
  CHECK(one.nodes == three.nodes);
  CHECK(one.nodes <= 1'000);
  CHECK(one.result.bound >= Rational(132'500 * 200 / 20));  // all multiplications
  CHECK(one.result.value >= one.result.bound);
  CHECK(!find_violation(a, p, *one.mapping));
}

TEST_CASE("a stopped search says what it has") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = golden::architecture(Json::object());
  const Partition p = make_partition(a, golden::graph("networks/vgg16.json", *folder));
  RunLimits limits;
  limits.time_limit = 0;
  const Solution solution = solve(a, p, {}, limits);
  CHECK(solution.status == Status::feasible);
  CHECK(solution.result.bound == Rational(2'365'200));
  limits.memory_limit = 1'000;
  CHECK_THROWS_AS(static_cast<void>(solve(a, p, {}, limits)), LimitError);
}
