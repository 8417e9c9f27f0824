// Files, partitions, the rules of a legal mapping, and figures counted by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "crossbar/cost/slots.hpp"
#include "crossbar/cost/window.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::kSmallChip;

namespace {

Architecture small_chip() { return parse_architecture(kSmallChip, "a.yaml"); }

/// input [4, 4, 4] -> conv (2 x 2 window, 10 channels) -> relu -> fc (25 outputs)
NodeGraph small_graph() {
  NodeGraph graph;
  graph.name = "small";
  graph.nodes.resize(4);
  graph.nodes[0] = {"input", "Input", Op::input, {}, {4, 4, 4}, {4, 4, 4}, {}, {}};
  graph.nodes[1] = {"conv",    "Conv",     Op::conv,     {0},
                    {4, 4, 4}, {10, 2, 2}, {2, 2, 0, 0}, {2, 2, 0, 0}};
  graph.nodes[2] = {"relu", "Relu", Op::pass, {1}, {10, 2, 2}, {10, 2, 2}, {}, {}};
  graph.nodes[3] = {"fc", "Gemm", Op::fc, {2}, {10, 1, 1}, {25, 1, 1}, {}, {}};
  graph.nodes[3].in = {40, 1, 1};
  return graph;
}

/// Three conv replicas would not fit beside the fully connected layer: 2 of 2 groups, 4 of width 3.
constexpr std::string_view kRoomy = "core.crossbars=8";

template <class Read>
std::string complaint(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string edited(std::string_view text, const std::string& from, const std::string& to) {
  std::string copy(text);
  const auto at = copy.find(from);
  REQUIRE(at != std::string::npos);
  return copy.replace(at, from.size(), to);
}

std::string refused_chip(const std::string& from, const std::string& to) {
  return complaint(
      [&] { static_cast<void>(parse_architecture(edited(kSmallChip, from, to), "a.yaml")); });
}

std::string refused_graph(const NodeGraph& graph) {
  return complaint([&] { validate(graph); });
}

bool has(const std::string& text, const std::string& part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an accelerator is read as it stands") {
  const Architecture a = small_chip();
  CHECK(a.all_cores() == 4);
  CHECK(a.core.slices == 1);
  CHECK(!a.core.enforce_local_memory);
  CHECK(a.power.leak == Rational(1, 10));
  CHECK(a.bandwidth.bus == Rational(5, 2));
  CHECK(transfer_time(20, a.bandwidth.bus) == 8);
  CHECK(transfer_time(21, a.bandwidth.bus) == 9);
  CHECK(a.bytes(5) == 10);
  CHECK(a.vector_pass(17) == 15);
  const Architecture other =
      parse_architecture(kSmallChip, "a.yaml", {"core.slices=3", "mvm.time=7"});
  CHECK(other.weights_per_row() == 3);
  CHECK(other.mvm.time == 7);
  CHECK(other.name == "small with core.slices=3, mvm.time=7");
}

TEST_CASE("all presets are valid") {
  CHECK(architecture_presets() == std::vector<std::string>{"isaac", "pimcomp", "pimcomp_36",
                                                           "pimcomp_4000", "pimcomp_sliced"});
  for (const std::string& name : architecture_presets())
    CHECK(read_architecture(name).name == name);
  // Table I of PIMCOMP: the chip has 56.79 W.
  const Power power = read_architecture("pimcomp_36").power;
  const Rational core = Rational(64) * power.crossbar + power.vector + power.local + power.control;
  CHECK(core == Rational::parse("1270.56"));
  CHECK((Rational(36) * core + Rational(9) * power.router + power.memory + power.link) ==
        Rational::parse("56786.05"));
  // Table 1 of ISAAC: tiles and routers have 55.4 W, the chip has 65.8 W.
  const Power isaac = read_architecture("isaac").power;
  const Rational tiles =
      Rational(168) * (Rational(96) * isaac.crossbar + isaac.vector + isaac.local + isaac.control) +
      Rational(42) * isaac.router;
  CHECK(std::abs(tiles.to_double() - 55'400) < 50);
  CHECK(std::abs((tiles + isaac.link).to_double() - 65'800) < 50);
  Architecture slow = read_architecture("pimcomp_4000");
  CHECK(slow.mvm.time == 4000);
  slow.mvm.time = 800;
  slow.name = "pimcomp";
  CHECK(slow == read_architecture("pimcomp"));
}

TEST_CASE("bad accelerators are refused by line, key, found and allowed") {
  CHECK(refused_chip("rows: 10", "rows: 0") ==
        "a.yaml:5:30: crossbar_accelerator.core.rows: found 0, allowed are integers 1 .. 1048576");
  CHECK(has(refused_chip("rows: 10", "row: 10"),
            "crossbar_accelerator.core.row: found an unknown key (did you mean 'rows'?)"));
  CHECK(has(refused_chip("chips: 2", "kind: dram_pim"),
            "a.yaml:3:3: crossbar_accelerator.kind: found an unknown key"));
  CHECK(has(refused_chip("crossbar_accelerator:", "accelerator:"), "found an unknown key"));
  CHECK(has(refused_chip("bus: 2.5", "bus: 0"), "bandwidth.bus: found 0, allowed are numbers > 0"));
  CHECK(has(refused_chip("link: 7}", "link: 7, leak: 1.5}"), "power.leak: found 3/2"));
  CHECK(has(refused_chip("cell_bits: 2", "cell_bits: 2, slices: 11"), "core.slices: found 11"));
  CHECK(has(refused_chip("mvm: {time: 100, ", "mvm: {"), "mvm.time: found nothing"));
  CHECK(has(refused_chip("bus: 2.5", "bus: 1/1000003"), "bandwidth.bus: found 1/1000003"));
}

TEST_CASE("bad graphs are refused by node") {
  CHECK(refused_graph(small_graph()) == "accepted");
  const auto with = [](auto change) {
    NodeGraph graph = small_graph();
    change(graph.nodes);
    return refused_graph(graph);
  };
  CHECK(has(with([](auto& n) { n[1].from = {2}; }),
            "node 'conv': found an operand that comes later"));
  CHECK(has(with([](auto& n) { n[1].out.height = 3; }), "node 'conv': found 3 output pixels"));
  CHECK(
      has(with([](auto& n) { n[3].in.channels = 39; }), "node 'fc': found an operand [10, 2, 2]"));
  CHECK(has(with([](auto& n) { n[2].op = Op::eltwise; }), "node 'relu': found one operand"));
  CHECK(has(with([](auto& n) {
              n[2].op = Op::eltwise;
              n[2].from = {1, 1};
            }),
            "node 'relu': found the operand 'conv' twice"));
  CHECK(has(with([](auto& n) { n[0].op = Op::pass; }), "found no input as node 0"));
  CHECK(has(with([](auto& n) { n[0].out.width = std::int64_t{1} << 31; }), "less than 2^31"));
  NodeGraph twice = small_graph();
  twice.nodes[2].name = "conv";
  CHECK(has(complaint([&] { static_cast<void>(make_partition(small_chip(), twice)); }),
            "the node name 'conv' twice"));
}

TEST_CASE("times beyond the exact range are refused") {
  NodeGraph graph = small_graph();
  graph.nodes[1].vertical = {1, (std::int64_t{1} << 31) - 1, 0, 0};
  graph.nodes[1].horizontal = graph.nodes[1].vertical;
  graph.nodes[1].out = graph.nodes[2].in = graph.nodes[2].out = {10, 1, 1};
  graph.nodes[3].in = {10, 1, 1};
  CHECK_THROWS_AS(static_cast<void>(make_partition(small_chip(), graph)), LimitError);
  graph.nodes[1].vertical.stride = graph.nodes[1].horizontal.stride = 1 << 16;
  CHECK(make_partition(small_chip(), graph).arrays[0].windows == 1);
  const Architecture slow =
      parse_architecture(kSmallChip, "a", {"core.crossbars=1000000", "mvm.interval=1000000000"});
  CHECK(make_partition(slow, small_graph()).arrays.size() == 2);
  NodeGraph large = small_graph();
  large.nodes[0].out = large.nodes[1].in = {1, 40000, 40000};
  large.nodes[1].out = large.nodes[2].in = large.nodes[2].out = {1, 20000, 20000};
  large.nodes[3].in = {400000000, 1, 1};
  CHECK_THROWS_AS(static_cast<void>(make_partition(slow, large)), LimitError);
}

TEST_CASE("nodes become array groups, wide ones parts") {
  const Partition p = make_partition(small_chip(), small_graph());
  REQUIRE(p.arrays.size() == 3);   // the fc has 25 outputs: 3 crossbars, 2 of which a core has
  CHECK(p.arrays[0].groups == 2);  // 16 rows
  CHECK(p.arrays[0].width == 1);
  CHECK(p.arrays[0].windows == 4);
  CHECK(p.node(p.arrays[1]).name == "fc.0");
  CHECK(p.node(p.arrays[2]).name == "fc.1");
  CHECK(p.arrays[1].width == 2);
  CHECK(p.arrays[2].width == 1);
  CHECK(p.node(p.arrays[1]).out.channels == 20);
  CHECK(p.node(p.arrays[2]).out.channels == 5);
  CHECK(p.arrays[2].groups == 4);
  CHECK(p.arrays[2].family == 1);
  CHECK(p.sources[4] == std::vector<std::size_t>{1});  // through relu
  CHECK(p.consumers[2] == std::vector<std::size_t>{3, 4});
  const Partition sliced =
      make_partition(parse_architecture(kSmallChip, "a", {"core.slices=3"}), small_graph());
  CHECK(sliced.arrays[0].width == 2);  // 10 channels, 3 weights side by side, 6 in a core
  CHECK(sliced.node(sliced.arrays[1]).name == "conv.1");
  CHECK(sliced.operands[3] == 1);  // relu reads one tensor, which two parts make
  CHECK(sliced.graph.nodes[3].from == std::vector<std::size_t>{1, 2});
}

TEST_CASE("the rule that a mapping breaks is named") {
  const Architecture a = parse_architecture(kSmallChip, "a", {std::string(kRoomy)});
  const Partition p = make_partition(a, small_graph());
  REQUIRE(p.arrays.size() == 2);  // conv 2 x 1, fc 4 x 3
  const Mapping good{{3, 1}, {{{0, 2}, {1, 2}}, {{0, 4}, {1, 1}}, {{1, 1}}, {}}};
  const auto rule = [&](auto change) {
    Mapping mapping = good;
    Architecture other = a;
    change(mapping, other);
    const auto broken = find_violation(other, p, mapping);
    return broken ? broken->rule + " " + broken->where : "none";
  };
  CHECK(rule([](auto&, auto&) {}) == "none");
  CHECK(rule([](auto& m, auto&) { m.replication[0] = 5; }) == "replication conv");
  CHECK(rule([](auto& m, auto&) { m.replication[0] = 2; }) == "groups conv");
  CHECK(rule([](auto& m, auto&) { m.cores[2].clear(); }) == "groups fc");
  CHECK(rule([](auto& m, auto&) { m.cores.pop_back(); }) == "cores mapping");
  CHECK(rule([](auto& m, auto&) { std::swap(m.cores[0][0], m.cores[0][1]); }) == "shares core 0");
  CHECK(rule([](auto& m, auto&) {
          m.cores[1][1].groups = 2;
          m.cores[2].clear();
        }) == "crossbars core 1");
  CHECK(rule([](auto&, auto& chip) { chip.core.max_nodes = 1; }) == "nodes core 0");
  CHECK(rule([](auto&, auto& chip) { chip.core.enforce_local_memory = true; }) == "none");
  CHECK(rule([](auto&, auto& chip) {
          chip.core.enforce_local_memory = true;
          chip.core.local_memory = 300;
        }) == "memory core 0");
}

TEST_CASE("a mapping counted by hand") {
  const Architecture a = parse_architecture(kSmallChip, "a", {std::string(kRoomy)});
  const Partition p = make_partition(a, small_graph());
  const Metrics m = evaluate(a, p, {{3, 1}, {{{0, 2}, {1, 2}}, {{0, 4}, {1, 1}}, {{1, 1}}, {}}});
  // conv has 2 cycles, fc one. Core 0: 4 groups, then 2; core 1: 5 groups, then 4; core 2: one.
  CHECK(m.core_times == std::vector<std::int64_t>{160 + 100, 200 + 160, 100, 0});
  CHECK(m.ht == 360);
  // Loads of 10 elements take 5 ns, stores of 10 and 25 elements 5 and 13; all windows are new.
  // Chip 0: conv 4 windows x 2 groups, fc 3 groups, stores of both; chip 1: one group of fc.
  CHECK(m.roofs.memory == 8 * 5 + 3 * 5 + 4 * 5 + 13);
  CHECK(m.busy.memory == m.roofs.memory + 5);
  // The fc sends 25 elements from core 1 (20 ns on the bus) and from core 2 (and 50 on the link).
  CHECK(m.roofs.bus == 20);
  CHECK(m.busy.bus == 40);
  CHECK(m.roofs.link == 50);
  CHECK(m.ht_roof == 360);
  CHECK(m.traffic() == 70);
  // conv: 20 bytes, 3 steps of 5 ns, twice for each of 4 windows; fc: 50 bytes, 7 steps, 4 times.
  CHECK(m.busy.vector == 4 * 2 * 15 + 4 * 35);
  REQUIRE(m.latency);
  CHECK(m.latency->ll == Rational(400, 3));  // one convolution: 4 windows on 3 replicas
  CHECK(m.latency->rounds == Rational(1));
  // Low latency: 4 pixels of conv are sent, from core 0 or 1 to all of the fc, also on chip 1.
  CHECK(m.latency->busy.bus == 4 * 8 + 40);
  CHECK(m.latency->busy.link == 4 * 20 + 50);
  CHECK(m.latency->busy.memory == 8 * 5 + 13);
  // Core 0: inputs of 4 groups, a conv part of 2 groups, an fc part of 2 that receives 2 sums.
  // Core 1: inputs of 5 groups, two conv parts of 2 groups, an fc part of one.
  CHECK(m.peaks[0].core == 0);
  CHECK(m.peaks[0].bytes == 4 * 40 + 4 * 20 + 8 * 50);
  CHECK(m.peaks[1].bytes == 4 * 40 + 2 * 20 + 4 * 50);
  CHECK(m.peaks[2].core == 1);
  CHECK(m.peaks[2].bytes == 5 * 40 + 2 * (2 * 20) + 50);
}

TEST_CASE("a network without convolution has no latency") {
  NodeGraph graph = small_graph();
  graph.nodes[1] = {"pool",    "MaxPool", Op::pool,     {0},
                    {4, 4, 4}, {4, 2, 2}, {2, 2, 0, 0}, {2, 2, 0, 0}};
  graph.nodes[2].in = graph.nodes[2].out = {4, 2, 2};
  graph.nodes[3].in = {16, 1, 1};
  const Architecture a = parse_architecture(kSmallChip, "a", {std::string(kRoomy)});
  const Partition p = make_partition(a, graph);
  const Metrics m = evaluate(a, p, {{1}, {{{0, 2}}, {}, {}, {}}});
  CHECK(!m.latency);
  CHECK(m.no_latency == "a path begins with the pool 'pool'");
  CHECK(has(complaint([&] { static_cast<void>(m.energy_of(Mode::ll)); }), "allowed"));
  // 4 pixels, one for each core: 16 elements in, 4 out; on each chip 2 x (8 + 2); fc 2 loads, a
  // store
  CHECK(m.roofs.memory == 20 + 2 * 5 + 13);
}

TEST_CASE("the waiting fraction by its cases") {
  const auto fraction = [](std::int64_t input, const WindowAxis& axis) {
    NodeGraph graph;
    graph.nodes.resize(3);
    graph.nodes[0].op = Op::input;
    graph.nodes[1].op = Op::conv;
    graph.nodes[2].op = Op::conv;
    graph.nodes[2].from = {1};
    graph.nodes[2].in = {1, input, 1};
    graph.nodes[2].vertical = axis;
    return cost::waiting_fraction(graph, 2);
  };
  CHECK(fraction(8, {1, 1, 0, 0}) == Rational(0));     // works as its provider does
  CHECK(fraction(8, {3, 1, 1, 1}) == Rational(1, 8));  // rest 7 < 8 outputs
  CHECK(fraction(8, {2, 2, 0, 0}) == Rational(1, 2));  // rest 7, 4 outputs: all of the input
  CHECK(fraction(9, {1, 4, 0, 0}) == Rational(6, 9));  // 3 outputs during 3 + 2 * 3 elements
  CHECK(fraction(2, {4, 1, 0, 2}) == Rational(1));     // the window never fits into the input
}

TEST_CASE("slots are taken one by one") {
  cost::Slots slots;
  CHECK(slots.take(5, 0) == 5);
  CHECK(slots.take(10, 5) == 15);
  CHECK(slots.take(20, 5) == 25);
  CHECK(slots.take(8, 4) == 17);   // 8, 9, 15, 16
  CHECK(slots.take(12, 3) == 20);  // 17, 18, 19
  CHECK(slots.take(0, 9) == 26);   // 0 .. 7, then 25
  CHECK(slots.take(26, 1) == 27);
}

TEST_CASE("mappings are written and read again, bad ones refused") {
  const Architecture a = parse_architecture(kSmallChip, "a", {std::string(kRoomy)});
  const Partition p = make_partition(a, small_graph());
  const Mapping mapping{{3, 1}, {{{0, 2}, {1, 2}}, {{0, 4}, {1, 1}}, {{1, 1}}, {}}};
  const std::string text = evaluation_json(a, p, mapping, evaluate(a, p, mapping), Mode::ll);
  CHECK(has(text, "\"format\": \"pimbb-crossbar/1\""));
  CHECK(has(text, "\"ll\": \"400/3\""));
  CHECK(parse_mapping(text, "m.json", a, p) == mapping);
  const auto refused = [&](const std::string& changed) {
    return complaint([&] { static_cast<void>(parse_mapping(changed, "m.json", a, p)); });
  };
  const std::string bare =
      "{replication: {conv: 3, fc: 1}, cores: [[[fc, 2], [conv, 2]], [[conv, 4], [fc, 1]], "
      "[[fc, 1]], []]}";
  CHECK(parse_mapping(bare, "m.json", a, p) == mapping);
  CHECK(has(refused(edited(bare, "fc: 1}", "gc: 1}")), "replication.gc: found an unknown key"));
  CHECK(has(refused(edited(bare, "conv: 3, ", "")), "replication.conv: found nothing"));
  CHECK(has(refused(edited(bare, "[fc, 2]", "[fd, 2]")), "cores[0][0][0]: found fd"));
  CHECK(
      has(refused(edited(bare, "[fc, 2]", "[conv, 1]")), "cores[0][1][0]: found a node a second"));
  CHECK(has(refused(edited(bare, "[fc, 2]", "[fc, 9]")), "found 9, allowed are integers 1 .. 8"));
  CHECK(has(refused(edited(bare, ", []]", "]")), "cores: found a list of 3"));
  CHECK(has(refused("{format: pimbb-mapping/1}"), "allowed are pimbb-crossbar/1"));
  const Mapping wrong{{2, 1}, mapping.cores};
  CHECK(complaint([&] { static_cast<void>(evaluate(a, p, wrong)); }) ==
        "mapping: groups: conv: found 6 array groups in all cores, allowed are 4: 2 for each of 2 "
        "replicas");
}
