// Answers without time: a local search finds them, they keep every restriction of the question, and
// are at least as good as those of the greedy heuristic.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "dram_pim/heuristic/greedy.hpp"
#include "dram_pim/heuristic/local_search.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/model/dataflow.hpp"
#include "dram_pim/solver/search_beside.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

Rational value(const Instance& i, const Mapping& mapping) {
  const Metrics metrics = evaluate(i.architecture, i.workload, mapping, i.row_model);
  return i.objective.value(i.objective.goals[0], metrics);
}

}  // namespace

TEST_CASE("a local search repeats, and is not worse than what it begins with") {
  const std::uint64_t first = testkit::first_seed(21'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(200); ++seed) {
    testkit::Choices choices(seed);
    const Instance i = testkit::random_instance(choices, {.macs = 64});
    CAPTURE(testkit::to_json(i));
    if (!mapper::obstacle(i.architecture, i.workload, Method::exact).empty()) continue;
    const Mapping smallest = mapper::smallest_mapping(i.architecture, i.workload);
    const heuristic::LocalSearch search{
        i.architecture, i.workload, i.objective, i.row_model, {}, {}, 150};
    const auto found = heuristic::local_search(search, smallest, smallest);
    CHECK(found.samples == 150);
    CHECK(!find_violation(i.architecture, i.workload, found.mapping));
    CHECK(value(i, found.mapping) <= value(i, smallest));
    const Mapping greedy = heuristic::greedy(i.architecture, i.workload, i.row_model, smallest);
    CHECK(value(i, found.mapping) <= value(i, greedy));
    const auto in_rows =
        heuristic::greedy_in_rows(i.architecture, i.workload, i.row_model, smallest);
    if (in_rows) CHECK(value(i, found.mapping) <= value(i, *in_rows));
    CHECK((heuristic::local_search(search, smallest, smallest).mapping == found.mapping));
  }
}

TEST_CASE("greedy in rows: for unbounded row buffers, row-buffer tiles that fit a row") {
  std::size_t found = 0;
  const std::uint64_t first = testkit::first_seed(22'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    testkit::Choices choices(seed);
    Instance i = testkit::random_instance(choices, {.macs = 64});
    Architecture& a = i.architecture;
    if (!mapper::obstacle(a, i.workload, Method::exact).empty()) continue;
    const Mapping smallest = mapper::smallest_mapping(a, i.workload);
    CAPTURE(testkit::to_json(i));
    a.levels[a.row_buffer()].capacity = a.row_bytes();
    CHECK(!heuristic::greedy_in_rows(a, i.workload, i.row_model, smallest));
    const bool fits = !find_violation(a, i.workload, smallest);
    a.levels[a.row_buffer()].capacity.reset();
    const auto mapping = heuristic::greedy_in_rows(a, i.workload, i.row_model, smallest);
    REQUIRE(mapping.has_value() == fits);
    if (!mapping) continue;
    ++found;
    CHECK(!find_violation(a, i.workload, *mapping));
    const Factors tile = mapping->tile(a.row_buffer());
    for (const Tensor t : kAllTensors) {
      CHECK(a.tile_bytes(t, i.workload.tile_elements(t, tile)) <= a.row_bytes());
    }
  }
  CHECK(found > 0);
}

TEST_CASE("without time: not worse than greedy, and a third of the smallest mapping's cost") {
  for (const Architecture& a : {testkit::simple_pim(), testkit::free_bypass_pim()}) {
    const std::size_t layers = testkit::cases(testkit::resnet18_layers().size());
    for (std::size_t k = 0; k < layers; ++k) {
      const Workload layer = testkit::resnet18_layer(k);
      const Instance i{a, layer, Objective::parse("edp"), RowModel::hybrid};
      CAPTURE(testkit::to_json(i));
      SolveOptions options = testkit::options_for(i);
      options.time_limit = 0;
      const Solution s = solve(a, layer, options);
      REQUIRE(s.mapping);
      CHECK(testkit::false_claim(i, s) == "");
      const Mapping smallest = mapper::smallest_mapping(a, layer);
      const Mapping greedy = heuristic::greedy(a, layer, i.row_model, smallest);
      CHECK(value(i, *s.mapping) <= value(i, greedy));
      CHECK(value(i, *s.mapping) * 3 <= value(i, smallest));
    }
  }
}

TEST_CASE("without time: dataflows, limits on the first goal and lists are kept") {
  const Architecture a = testkit::simple_pim();
  const Workload layer = testkit::resnet18_layer(1);
  for (const Method method : {Method::ws, Method::os, Method::is, Method::rs}) {
    SolveOptions options;
    options.method = method;
    options.time_limit = 0;
    const Solution s = solve(a, layer, options);
    REQUIRE(s.mapping);
    CHECK(!find_departure(a, layer, *s.mapping, method));
  }
  SolveOptions options;
  options.time_limit = 0;
  options.objective = Objective::parse("latency,energy");
  const Solution s = solve(a, layer, options);
  REQUIRE(s.mapping);
  options.at_most = s.goals[0].value;
  CHECK(solve(a, layer, options).mapping.has_value());
  options.at_most = Rational(1);
  CHECK(!solve(a, layer, options).mapping);
}

TEST_CASE("a search beside: on one thread only while it is lent the thread") {
  std::atomic<int> asked = 0;
  bool running = false;  // read and written in turns, which the thread sanitizer verifies
  mapper::SearchBeside beside;
  const auto started = std::chrono::steady_clock::now();
  beside.start(
      [&](const std::function<bool()>& enough) {
        running = true;
        while (!enough()) ++asked;
        return mapper::Incumbent();
      },
      {true, 0});
  beside.lend();
  if (std::chrono::steady_clock::now() - started < std::chrono::milliseconds(10)) {  // not due yet
    CHECK(asked == 0);
    CHECK(!running);
  }
  for (int turn = 0; turn < 2; ++turn) {
    std::this_thread::sleep_for(std::chrono::milliseconds(11));
    const int before = asked;
    beside.lend();
    CHECK(running);
    CHECK(asked > before);
    const int after = asked;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(asked == after);
  }
  CHECK(!beside.result());
  CHECK(!beside.result());
}

TEST_CASE("a search beside may end by itself, late, at once or by an exception") {
  for (const bool takes_turns : {false, true}) {
    CAPTURE(takes_turns);
    const auto quick = [](const std::function<bool()>&) {
      return mapper::Incumbent(std::in_place);
    };
    const auto wait_a_turn = [](mapper::SearchBeside& beside) {
      std::this_thread::sleep_for(std::chrono::milliseconds(11));
      beside.lend();
    };
    mapper::SearchBeside first;
    first.start(quick, {takes_turns, 0});
    for (int turn = 0; turn < 2; ++turn) wait_a_turn(first);
    CHECK(first.result());
    mapper::SearchBeside late;  // is not waited for
    std::atomic<bool> began = false;
    late.start(
        [&](const std::function<bool()>& enough) {
          began = true;
          while (!enough()) {
          }
          return mapper::Incumbent();
        },
        {takes_turns, 1e6});
    wait_a_turn(late);
    CHECK(!began);
    CHECK(!late.result());
    mapper::SearchBeside fails;
    fails.start([](const std::function<bool()>&) -> mapper::Incumbent { throw std::bad_alloc(); },
                {takes_turns, 0});
    for (int turn = 0; turn < 2; ++turn) wait_a_turn(fails);
    CHECK_THROWS_AS(fails.result(), std::bad_alloc);
  }
}

TEST_CASE("a search that has time looks for mappings beside its tables") {
  // 92,160 tiles: no local search comes before the tables, which take longer than the time limit.
  const Architecture hbm = read_architecture("hbm_pim");
  const Workload layer =
      parse_network("layers: [{name: a, R: 3, S: 3, P: 168, Q: 168, C: 48, K: 256, N: 1}]", "layer")
          .layers[0]
          .workload;
  const Objective objective = Objective::parse("activations");
  for (const int threads : {1, 2}) {
    SolveOptions options;
    options.objective = objective;
    options.row_model = RowModel::trace;
    options.threads = threads;
    options.time_limit = 0;
    const Solution at_once = solve(hbm, layer, options);
    options.time_limit = 1;
    const Solution later = solve(hbm, layer, options);
    REQUIRE(at_once.mapping);
    REQUIRE(later.mapping);
    if (later.status == Status::optimal) continue;
    CHECK(later.goals[0].value < at_once.goals[0].value);
  }
}

TEST_CASE("the greedy heuristic alone waits for no tables that take seconds") {
  SolveOptions options;
  options.method = Method::greedy;
  const auto memory = [&](const Architecture& a, const Factors& bounds) {
    Workload layer;
    layer.bounds = bounds;
    const Solution s = solve(a, layer, options);
    CHECK(s.mapping);
    CHECK(s.goals.at(0).bound > Rational(0));
    CHECK(s.goals.at(0).bound <= s.goals.at(0).value);
    return s.memory;
  };
  const Factors wide{1, 1, 168, 60, 224, 72, 1, 1};  // 27,648 tiles
  CHECK(memory(read_architecture("hbm_pim"), wide) == 0);
  CHECK(memory(testkit::simple_pim(), wide) > 0);  // whose row buffer is bounded
  CHECK(memory(read_architecture("hbm_pim"), {1, 1, 8, 8, 8, 8, 1, 1}) > 0);
}

TEST_CASE("a search of many storage choices is the same on any number of threads") {
  const std::size_t last = testkit::resnet18_layers().size() - 1;
  Instance i{testkit::free_bypass_pim(), testkit::resnet18_layer(last), Objective::parse("energy"),
             RowModel::hybrid};
  SolveOptions options = testkit::options_for(i);
  const Solution one = solve(i.architecture, i.workload, options);
  CHECK(one.status == Status::optimal);
  options.threads = 3;
  const Solution more = solve(i.architecture, i.workload, options);
  CHECK(more.nodes == one.nodes);
  CHECK((more.mapping == one.mapping));
}

TEST_CASE("under a limit of nodes a large problem has the same answer in every run" *
          doctest::skip(testkit::slow_build())) {
  Instance i{testkit::free_bypass_pim(), testkit::resnet18_layer(1), Objective::parse("edp"),
             RowModel::hybrid};
  SolveOptions options = testkit::options_for(i);
  options.node_limit = 1;
  options.threads = 2;
  const Solution one = solve(i.architecture, i.workload, options);
  CHECK(one.status == Status::feasible);
  for (const int threads : {3, 1}) {
    if (!testkit::chosen(1)) continue;
    options.threads = threads;
    const Solution again = solve(i.architecture, i.workload, options);
    CHECK(again.nodes == one.nodes);
    CHECK((again.mapping == one.mapping));
  }
}

TEST_CASE("layers that are to agree have a common mapping without time") {
  const Architecture a = testkit::free_bypass_pim();
  Network network;
  network.name = "two";
  for (const std::size_t k : {1, 4}) network.layers.push_back({testkit::resnet18_layer(k), 1});
  SolveOptions options;
  options.objective = Objective::parse("energy");
  options.time_limit = 0;
  for (const JointOptions joint : {JointOptions{.fix_bypass = true},
                                   JointOptions{.fix_bypass = true, .fix_permutation = true}}) {
    const NetworkSolution s = testkit::solve_network(a, network, options, {}, joint);
    REQUIRE(s.goals.size() == 1);
    CHECK(s.status == Status::feasible);
    Rational smallest;
    for (const NetworkLayer& layer : network.layers) {
      const Mapping mapping = mapper::smallest_mapping(a, layer.workload);
      smallest += evaluate(a, layer.workload, mapping, options.row_model).energy;
    }
    CHECK(s.goals[0].value * 2 <= smallest);
  }
}

TEST_CASE("under an unbounded row buffer a search begins with a row-buffer tile in one row, too") {
  // The bound of the root is the optimum, most nodes have it without containing a mapping that
  // attains it, and the greedy mapping attains it if its row-buffer tile fits a row. From the other
  // greedy mapping it took 61,426 nodes for the first layer, and more than a million for the other.
  const Architecture hbm = read_architecture("hbm_pim");
  for (const char* name : {"conv5_down", "conv4_down"}) {
    const auto layers = testkit::resnet18_layers();
    const auto layer = std::ranges::find(layers, name, &Workload::name);
    REQUIRE(layer != layers.end());
    SolveOptions options;
    options.objective = Objective::parse("latency");
    options.row_model = RowModel::trace;
    options.node_limit = 10;
    const Solution solution = solve(hbm, *layer, options);
    CHECK(solution.status == Status::optimal);
    REQUIRE(solution.goals.size() == 1);
    CHECK(solution.goals[0].value == Rational(1605632));
  }
}

TEST_CASE("under an unbounded row buffer a long search asks for better mappings" *
          doctest::skip(testkit::slow_build())) {
  // No greedy mapping attains the bound of the root, and the search alone does not find one that
  // does within 5,000 nodes.
  const Architecture hbm = read_architecture("hbm_pim");
  Workload layer;
  layer.bounds = {3, 3, 56, 56, 128, 256, 1, 1};
  SolveOptions options;
  options.objective = Objective::parse("latency");
  options.row_model = RowModel::trace;
  options.node_limit = 2000;
  std::vector<std::uint64_t> nodes;
  for (const int threads : {3, 1}) {
    if (threads == 1 && !testkit::chosen(1)) continue;
    options.threads = threads;
    const Solution solution = solve(hbm, layer, options);
    CHECK(solution.status == Status::optimal);
    REQUIRE(solution.goals.size() == 1);
    CHECK(solution.goals[0].value == Rational(231211008));
    nodes.push_back(solution.nodes);
  }
  CHECK(nodes.front() == nodes.back());
}
