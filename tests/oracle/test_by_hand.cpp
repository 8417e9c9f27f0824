// Costs of a few tiny mappings, every term derived by hand.
//
// One architecture serves all: 2 x 2 PEs; buffer bandwidths (read, write) PE (1, 1), global buffer
// (4, 2), row buffer (2, 1) bytes a cycle; accesses at 1, 10, 100, 1000 nJ from the PE outwards; a
// MAC 1/2 nJ; rows of 4 bytes, an activation 5 + 3 cycles and 1/4 nJ; 3 bytes a cycle to the array.
#include <doctest/doctest.h>

#include "support/oracle_cost.hpp"
#include "support/oracle_feasibility.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;

namespace {

constexpr TensorFlags kAll{true, true, true};

Architecture tiny_pim() {
  Architecture a;
  a.pe_array.height = 2;
  a.pe_array.width = 2;
  a.pe_array.mac_energy = Rational(1, 2);
  a.levels.resize(4);
  const std::array<const char*, 4> names{"PE", "GB", "RB", "DRAM"};
  const std::array<int, 4> costs{1, 10, 100, 1000};
  for (std::size_t i = 0; i < 4; ++i) {
    a.levels[i].name = names.at(i);
    a.levels[i].access_cost = costs.at(i);
    a.levels[i].read_bandwidth = 1;
    a.levels[i].write_bandwidth = 1;
  }
  a.levels[1].read_bandwidth = 2;
  a.levels[1].num_read_ports = 2;
  a.levels[1].write_bandwidth = 2;
  a.levels[2].read_bandwidth = 2;
  a.levels[2].row_buffer_size = 4;
  a.dram_timings.tRCDRD = 5;
  a.dram_timings.tRP = 3;
  a.activation_energy = Rational(1, 4);
  a.interconnect_bandwidth = 3;
  return a;
}

Workload layer(std::initializer_list<Loop> bounds) {
  Workload w;
  for (const Loop& bound : bounds) w.bounds[index(bound.dim)] = bound.factor;
  return w;
}

Mapping stored_everywhere(std::vector<std::vector<Loop>> loops) {
  Mapping m;
  for (std::vector<Loop>& level : loops) m.levels.push_back({std::move(level), kAll});
  return m;
}

Fraction activations(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                     RowModel model) {
  REQUIRE(oracle::broken_rule(a, w, m) == "");
  return oracle::row_activations(a, w, m, t, model);
}

using PerTensorFractions = std::array<Fraction, 3>;

void check_reads(const oracle::Cost& cost, std::size_t level, const PerTensorFractions& expected) {
  for (const Tensor t : kAllTensors) {
    CAPTURE(level);
    CAPTURE(name(t));
    CHECK(cost.tensors[index(t)].reads_total.at(level).to_string() ==
          expected[index(t)].to_string());
  }
}

}  // namespace

// K2 on the array's rows; from the inside out P2 in the PE, C2 at the global buffer, P2 in DRAM.
//   tiles (input, weight, output): PE array 2, 2, 4; global and row buffer 4, 4, 4; whole 8, 4, 8
//   fills of the PEs     input 2*(C2*P2) = 8, weight 2*(C2*P2) = 8, output 4*(P2) = 8 (C2 is free)
//   fills of the buffers input 4*(P2) = 8,    weight 4 (P2 is free), output 4*(P2) = 8
struct Pointwise {
  Architecture a = tiny_pim();
  Workload w = layer({{Dim::P, 4}, {Dim::K, 2}, {Dim::C, 2}});
  Mapping m = stored_everywhere({{{Dim::P, 2}}, {{Dim::C, 2}}, {}, {{Dim::P, 2}}});
  Pointwise() { m.spatial[index(Direction::H)][index(Dim::K)] = 2; }
};

TEST_CASE_FIXTURE(Pointwise, "pointwise layer, everything stored everywhere") {
  const oracle::Cost cost = oracle::CostOracle(a, w, RowModel::trace).evaluate(m);
  check_reads(cost, 0, {16, 16, 16});  // 8 iterations on 2 PEs
  check_reads(cost, 1, {8, 8, 8});
  check_reads(cost, 2, {8, 4, 8});
  check_reads(cost, 3, {8, 4, 8});
  CHECK(cost.compute_cycles == Fraction(8));
  CHECK(cost.level_cycles[0] == Fraction(8));      // 8 bytes a PE at 1
  CHECK(cost.level_cycles[1] == Fraction(4));      // 8/4, 8/4, 8/2
  CHECK(cost.interconnect_cycles == Fraction(8));  // 24 bytes at 3
  // Rows of input and output hold one channel: {0 1 4 5} then {2 3 6 7} open rows 0 1 0 1.
  // The 4 bytes of weights are moved once.
  CHECK(cost.tensors[0].dram_cycles == Fraction(8 / 2 + 4 * 8));
  CHECK(cost.tensors[1].dram_cycles == Fraction(4 / 2 + 1 * 8));
  CHECK(cost.tensors[2].dram_cycles == Fraction(8 / 1 + 4 * 8));
  CHECK(cost.latency == Fraction(40));
  // 16 MACs, 48 PE accesses, 24 global buffer, 20 row buffer, 20 DRAM, 9 activations
  CHECK(cost.energy == Fraction(8 + 48 + 240 + 2000 + 20000) + Fraction(9) / 4);
}

TEST_CASE_FIXTURE(Pointwise, "partial sums read back") {
  a.psum_rereads = true;
  const oracle::Cost cost = oracle::CostOracle(a, w, RowModel::trace).evaluate(m);
  check_reads(cost, 0, {16, 16, 2 * 16 - 8});
  check_reads(cost, 1, {8, 8, 2 * 8 - 8});
  CHECK(cost.level_cycles[0] == Fraction(12));  // 24 accesses shared by 2 PEs
}

TEST_CASE_FIXTURE(Pointwise, "row models of a sequential tensor") {
  const auto n = [&](Tensor t, RowModel model) { return activations(a, w, m, t, model); };
  // 8 bytes are two rows' worth, the tile of 4 divides a row, nothing is reused.
  CHECK(n(Tensor::input, RowModel::analytic) == Fraction(2));
  CHECK(n(Tensor::output, RowModel::analytic) == Fraction(2));
  CHECK(n(Tensor::output, RowModel::hybrid) == Fraction(2));
  // Two tiles {0 1 4 5} and {2 3 6 7}, two rows each.
  CHECK(n(Tensor::input, RowModel::hybrid) == Fraction(4));
  // The weights fit one row.
  for (const RowModel model : {RowModel::analytic, RowModel::hybrid, RowModel::trace}) {
    CHECK(n(Tensor::weight, model) == Fraction(1));
  }
  // Channels last: the tiles are {0 1 2 3} and {4 5 6 7}.
  a.input_order = InputOrder::nhwc;
  CHECK(n(Tensor::input, RowModel::trace) == Fraction(2));
  CHECK(n(Tensor::input, RowModel::hybrid) == Fraction(2));
  // 3 bytes a row: the tile of 4 does not divide it, but nothing reuses it: 8/3.
  a.levels[2].row_buffer_size = 3;
  CHECK(n(Tensor::output, RowModel::analytic).to_string() == "8/3");
}

TEST_CASE_FIXTURE(Pointwise, "row-aligned tiles take one row each") {
  m.layout = {Layout::row_aligned, Layout::row_aligned, Layout::row_aligned};
  m.input_block = {1, 2};  // 2 columns of both channels: 4 bytes
  for (const RowModel model : {RowModel::analytic, RowModel::hybrid, RowModel::trace}) {
    CHECK(activations(a, w, m, Tensor::input, model) == Fraction(2));
    CHECK(activations(a, w, m, Tensor::output, model) == Fraction(2));
  }
  // The one tile of weights stays put under P2; the hybrid formula charges that loop all the same.
  CHECK(activations(a, w, m, Tensor::weight, RowModel::analytic) == Fraction(1));
  CHECK(activations(a, w, m, Tensor::weight, RowModel::hybrid) == Fraction(2));
  CHECK(activations(a, w, m, Tensor::weight, RowModel::trace) == Fraction(1));
}

// C2 inside the PE; in DRAM C2 outside K2. The PE holds weights, the global buffer inputs, and the
// output (2 bytes an element) goes straight from the PEs to the row buffer.
TEST_CASE("bypass, internal reduction, mixed widths, partial sums") {
  Architecture a = tiny_pim();
  a.pe_array.unit_type = UnitType::reduction_tree;
  a.pe_array.num_macs = 2;
  a.pe_array.reduction_latency = 3;
  a.psum_rereads = true;
  a.bits = {8, 8, 12};
  a.levels[0].stores = {false, true, false};
  a.levels[0].read_bandwidth.reset();  // 2 bytes every 3 cycles
  a.levels[0].blocksize = 2;
  a.levels[0].latency = 3;
  a.levels[1].stores = {true, false, false};
  a.levels[1].shared_ports = true;
  const Workload w = layer({{Dim::C, 4}, {Dim::K, 2}});
  Mapping m = stored_everywhere({{}, {}, {}, {{Dim::C, 2}, {Dim::K, 2}}});
  m.spatial[index(Direction::internal)][index(Dim::C)] = 2;
  m.levels[0].stores = a.levels[0].stores;
  m.levels[1].stores = a.levels[1].stores;
  REQUIRE(oracle::broken_rule(a, w, m) == "");

  const oracle::Cost cost = oracle::CostOracle(a, w, RowModel::trace).evaluate(m);
  // weight: 4 iterations times 2 MACs; 2 weights filled in each of the 4 iterations
  // input: read 4*2 times from the global buffer; its 2 elements change with C2 only (K2 is free)
  // output: 4 partial sums of 2 elements: 4 written and 2 read back
  check_reads(cost, 0, {0, 8, 0});
  check_reads(cost, 1, {8, 0, 0});
  check_reads(cost, 2, {4, 8, 6});
  check_reads(cost, 3, {4, 8, 6});
  CHECK(cost.compute_cycles == Fraction(4 + 3));
  CHECK(cost.level_cycles[0] == Fraction(12));  // 8 bytes at 2/3
  CHECK(cost.level_cycles[1] == Fraction(2));   // 8 bytes at 4
  CHECK(cost.interconnect_cycles == Fraction(8 + 8 + 6 * 2) / 3);
  // Input and output have 4 bytes: one row. Weights: K0 in row 0, K1 in row 1, in turn: 4.
  CHECK(cost.tensors[0].dram_cycles == Fraction(4 / 2 + 8));
  CHECK(cost.tensors[1].dram_cycles == Fraction(8 / 2 + 4 * 8));
  CHECK(cost.tensors[2].dram_cycles == Fraction(6 * 2 + 8));
  CHECK(cost.latency == Fraction(36));
  CHECK(cost.energy == Fraction(4 + 8 + 80 + 1800 + 18000) + Fraction(6) / 4);
}

// A column of 4 inputs of 2 bytes (two rows), kernel of 2 in the PE, three windows in DRAM: they
// start at 0, 1, 2, and the middle one straddles the edge between blocks of 2.
TEST_CASE("windows that cross block edges, reuse inside and outside") {
  Architecture a = tiny_pim();
  a.bits = {16, 8, 8};
  const Workload w = layer({{Dim::Q, 3}, {Dim::S, 2}, {Dim::K, 2}});
  Mapping inner = stored_everywhere({{{Dim::S, 2}}, {}, {}, {{Dim::Q, 3}, {Dim::K, 2}}});
  Mapping outer = stored_everywhere({{{Dim::S, 2}}, {}, {}, {{Dim::K, 2}, {Dim::Q, 3}}});
  const auto n = [&](const Mapping& m, RowModel model) {
    return activations(a, w, m, Tensor::input, model);
  };
  // Sequential: the windows touch 1, 2 and 1 rows; A = 4, T = 3.
  CHECK(n(inner, RowModel::hybrid) == Fraction(3 + (4 - 3) * 2));
  CHECK(n(outer, RowModel::hybrid) == Fraction((3 + (4 - 3)) * 2));
  CHECK(n(inner, RowModel::analytic) == Fraction(2));  // two rows, the tile divides a row
  CHECK(n(outer, RowModel::analytic) == Fraction(2 * 2));
  CHECK(n(inner, RowModel::trace) == Fraction(2));      // K2 keeps the window in place
  CHECK(n(outer, RowModel::trace) == Fraction(2 * 2));  // back to row 0 in the second sweep
  // Row-aligned, blocks of 2: one crossing.
  for (Mapping* m : {&inner, &outer}) {
    m->layout[0] = Layout::row_aligned;
    m->input_block = {2, 1};
  }
  CHECK(n(inner, RowModel::analytic) == Fraction(3 + 2 * 1 * 2));
  CHECK(n(outer, RowModel::analytic) == Fraction(3 * 2 + 2 * 1));
  CHECK(n(inner, RowModel::hybrid) == Fraction(3 * 2 + 2 * 1 * 2));
  CHECK(n(outer, RowModel::hybrid) == Fraction(3 * 2 + 2 * 1));
  CHECK(n(inner, RowModel::trace) == Fraction(2));
  CHECK(n(outer, RowModel::trace) == Fraction(4));
}

// Two groups, each of one input channel, two outputs (on the array's rows) and two columns. Input
// and weights have 4 bytes, a row; the outputs of a group fill a row of their own.
struct TwoGroups {
  Architecture a = tiny_pim();
  Workload w = layer({{Dim::P, 2}, {Dim::K, 2}, {Dim::G, 2}});
  [[nodiscard]] Mapping mapping(std::vector<std::vector<Loop>> loops) const {
    Mapping m = stored_everywhere(std::move(loops));
    m.spatial[index(Direction::H)][index(Dim::K)] = 2;
    REQUIRE(oracle::broken_rule(a, w, m) == "");
    return m;
  }
};

TEST_CASE_FIXTURE(TwoGroups, "groups: a loop that moves every tensor") {
  const Mapping m = mapping({{{Dim::P, 2}}, {}, {}, {{Dim::G, 2}}});
  const oracle::Cost cost = oracle::CostOracle(a, w, RowModel::trace).evaluate(m);
  // A PE's tile: 2 columns, 1 weight (2 on the array), 2 outputs (4 on the array); each comes
  // twice.
  check_reads(cost, 0, {8, 8, 8});  // 4 iterations on 2 PEs
  for (const std::size_t level : {1U, 2U, 3U}) check_reads(cost, level, {4, 4, 8});
  CHECK(cost.compute_cycles == Fraction(4));
  CHECK(cost.tensors[0].activations == Fraction(1));
  CHECK(cost.tensors[1].activations == Fraction(1));
  CHECK(cost.tensors[2].activations == Fraction(2));
}

TEST_CASE_FIXTURE(TwoGroups, "groups: innermost they leave nothing in place") {
  const Mapping inside = mapping({{}, {}, {}, {{Dim::P, 2}, {Dim::G, 2}}});
  const Mapping outside = mapping({{}, {}, {}, {{Dim::G, 2}, {Dim::P, 2}}});
  const auto weights = [&](const Mapping& m) {
    return oracle::CostOracle(a, w, RowModel::trace).evaluate(m).tensors[1].reads_total.at(3);
  };
  CHECK(weights(inside) == Fraction(2 * 2 * 2));
  CHECK(weights(outside) == Fraction(2 * 2));  // P leaves them where they are
  // Outputs of one column: 2 bytes of the row of their group.
  CHECK(activations(a, w, inside, Tensor::output, RowModel::trace) == Fraction(4));
  CHECK(activations(a, w, outside, Tensor::output, RowModel::trace) == Fraction(2));
}

TEST_CASE_FIXTURE(TwoGroups, "groups: in the PE they run outermost, whatever the mapping lists") {
  a.levels[0].stores = a.levels[1].stores = {true, true, false};
  for (const std::vector<Loop>& loops :
       {std::vector<Loop>{{Dim::P, 2}, {Dim::G, 2}}, {{Dim::G, 2}, {Dim::P, 2}}}) {
    Mapping m = stored_everywhere({loops, {}, {}, {}});
    m.spatial[index(Direction::H)][index(Dim::K)] = 2;
    m.levels[0].stores = m.levels[1].stores = {true, true, false};
    CHECK(activations(a, w, m, Tensor::output, RowModel::trace) == Fraction(2));
  }
}

TEST_CASE_FIXTURE(TwoGroups, "groups: channels lie one group after the other") {
  a.input_order = InputOrder::nhwc;  // a column of both groups is 2 bytes
  a.levels[2].row_buffer_size = 2;
  const Mapping m = mapping({{}, {}, {}, {{Dim::G, 2}, {Dim::P, 2}}});
  CHECK(activations(a, w, m, Tensor::input, RowModel::trace) == Fraction(4));
  a.input_order = InputOrder::nchw;  // a plane of one group is 2 bytes
  CHECK(activations(a, w, m, Tensor::input, RowModel::trace) == Fraction(2));
}
