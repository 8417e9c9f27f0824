// A plain problem and its variations.
#include "dram_pim/milp/fixed_instances.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

MemoryLevel level(const char* name, std::optional<std::int64_t> capacity, Rational access_cost) {
  MemoryLevel result;
  result.name = name;
  result.capacity = capacity;
  result.access_cost = std::move(access_cost);
  return result;
}

/// A 2x2 array, three tensors stored everywhere; a row holds half of the input.
Instance plain() {
  Instance i;
  Architecture& a = i.architecture;
  a.pe_array.height = a.pe_array.width = a.pe_array.num_macs = 2;
  a.pe_array.mac_energy = Rational(1, 1000);
  a.pe_array.reduction_latency = Rational(1, 2);
  a.levels = {level("PE", 6, Rational(1, 100)), level("GB", 12, Rational(1, 50)),
              level("RB", 8, Rational(1, 20)), level("DRAM", std::nullopt, 1)};
  a.levels[2].row_buffer_size = 4;
  a.dram_timings.tRCDRD = 3;
  a.dram_timings.tRP = 2;
  a.activation_energy = 2;
  i.workload.bounds = {1, 2, 2, 1, 2, 3, 1, 1};
  i.objective.alpha = Rational(1, 4);
  i.objective.beta = Rational(5, 2);
  return i;
}

template <class Change>
Instance with(const Change& change) {
  Instance i = plain();
  change(i.architecture, i.workload);
  return i;
}

using A = Architecture;
using W = Workload;

}  // namespace

std::vector<std::pair<std::string, Instance>> fixed_instances() {
  std::vector<std::pair<std::string, Instance>> list{{"plain", plain()}};
  const auto add = [&](std::string feature, const auto& change) {
    list.emplace_back(std::move(feature), with(change));
  };
  for (std::size_t u = 0; u < kUnitTypeNames.size(); ++u) {
    add(std::string(kUnitTypeNames[u]),
        [u](A& a, W&) { a.pe_array.unit_type = static_cast<UnitType>(u); });
  }
  add("internal_dim", [](A& a, W&) {
    a.pe_array.unit_type = UnitType::tensor_core;
    a.pe_array.internal_dim = Dim::C;
  });
  add("stride and dilation", [](A&, W& w) {
    w.bounds = {2, 2, 2, 3, 1, 1, 1, 1};
    w.stride_w = 2;
    w.stride_h = 3;
    w.dilation_h = 2;
  });
  add("batch", [](A&, W& w) { w.bounds = {1, 1, 3, 1, 2, 2, 2, 1}; });
  add("groups", [](A&, W& w) { w.bounds = {1, 2, 2, 1, 2, 1, 1, 3}; });
  add("depthwise on MACs of a PE", [](A& a, W& w) {
    w.bounds = {2, 1, 3, 1, 1, 1, 1, 4};
    a.pe_array.unit_type = UnitType::simd;
  });
  add("fixed bypass", [](A& a, W&) {
    a.levels[0].stores = {false, true, false};
    a.levels[1].stores = {true, false, true};
  });
  add("free bypass", [](A& a, W&) { a.levels[0].bypass_free = a.levels[1].bypass_free = true; });
  add("five levels", [](A& a, W&) {
    a.levels.insert(a.levels.begin() + 1, level("L1", 5, Rational(3, 200)));
    a.levels[1].bypass_free = true;
  });
  add("shared ports", [](A& a, W&) {
    for (MemoryLevel& l : a.levels) l.shared_ports = true;
    a.levels[1].read_bandwidth = Rational(3, 4);
  });
  add("shared streams", [](A& a, W&) { a.shared_streams = true; });
  add("shared streams, free bypass", [](A& a, W&) {
    a.shared_streams = true;
    a.levels[1].bypass_free = true;
  });
  add("partial sums read back", [](A& a, W&) { a.psum_rereads = true; });
  add("interconnect", [](A& a, W&) { a.interconnect_bandwidth = Rational(2, 3); });
  add("interconnect, free bypass", [](A& a, W&) {
    a.interconnect_bandwidth = Rational(2, 3);
    a.levels[0].bypass_free = a.levels[1].bypass_free = true;
  });
  add("wide elements", [](A& a, W&) {
    a.bits = {16, 12, 24};
    a.levels[0].capacity = 9;
    a.levels[1].capacity = 30;
  });
  add("nhwc", [](A& a, W&) { a.input_order = InputOrder::nhwc; });
  add("an odd row, no capacity", [](A& a, W&) {
    a.levels[2].row_buffer_size = 7;
    a.levels[2].capacity.reset();
  });
  add("no loops at all", [](A&, W& w) { w.bounds = kOnes; });
  add("infeasible: PE", [](A& a, W&) { a.levels[0].capacity = 2; });
  add("infeasible: DRAM", [](A& a, W&) { a.levels[3].capacity = 20; });
  add("free order", [](A& a, W&) { a.input_order = InputOrder::free; });
  return list;
}

}  // namespace testkit
