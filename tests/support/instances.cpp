// The options of each field, simplest first.
#include "support/instances.hpp"

#include <algorithm>
#include <ostream>

#include "support/plain_json.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

Workload random_workload(Choices& choices, const Size& size) {
  Workload w;
  std::int64_t macs = 1;
  for (int i = 0; i < 5; ++i) {
    std::int64_t& bound = w.bounds[choices.pick(kDims)];
    std::int64_t factor = choices.one_of<std::int64_t>({1, 2, 2, 3, 2, 4, 3, 5});
    if (size.largest_factor > 5 && choices.once_in(3)) {
      factor = 1 + static_cast<std::int64_t>(
                       choices.pick(static_cast<std::size_t>(size.largest_factor)));
    }
    if (macs * factor > size.macs) continue;
    macs *= factor;
    bound *= factor;
  }
  w.stride_w = choices.one_of<std::int64_t>({1, 1, 2, 3});
  w.stride_h = choices.one_of<std::int64_t>({1, 1, 2, 3});
  w.dilation_w = choices.one_of<std::int64_t>({1, 1, 1, 2});
  w.dilation_h = choices.one_of<std::int64_t>({1, 1, 1, 2});
  return w;
}

PeArray random_pe_array(Choices& choices) {
  PeArray pe;
  pe.unit_type = static_cast<UnitType>(choices.pick(kUnitTypeNames.size()));
  pe.height = choices.one_of<std::int64_t>({1, 2, 2, 3, 4});
  pe.width = choices.one_of<std::int64_t>({1, 1, 2, 3});
  pe.num_macs = choices.one_of<std::int64_t>({1, 2, 4});
  if (pe.unit_type == UnitType::tensor_core && choices.once_in(2)) {
    pe.internal_dim = choices.one_of({Dim::C, Dim::R, Dim::S});
  }
  pe.mac_energy = Rational::parse(choices.one_of<const char*>({"0", "1", "0.00056"}));
  pe.reduction_latency = Rational::parse(choices.one_of<const char*>({"0", "3", "0.5"}));
  return pe;
}

Rational random_bandwidth(Choices& choices) {
  return Rational::parse(choices.one_of<const char*>({"1", "2", "4", "0.5", "1.5", "0.75", "7"}));
}

void random_ports(MemoryLevel& level, Choices& choices) {
  level.blocksize = choices.one_of<std::int64_t>({1, 2, 4});
  level.latency = choices.one_of<std::int64_t>({1, 2, 3});
  if (choices.once_in(2)) level.read_bandwidth = random_bandwidth(choices);
  if (choices.once_in(2)) level.write_bandwidth = random_bandwidth(choices);
  level.num_read_ports = choices.one_of<std::int64_t>({1, 1, 2});
  level.num_write_ports = choices.one_of<std::int64_t>({1, 1, 2});
  level.shared_ports = choices.once_in(3);
}

MemoryLevel on_chip_level(std::size_t position, Choices& choices, std::size_t& free_levels) {
  MemoryLevel level;
  level.name = position == 0 ? "PE" : "GB" + std::to_string(position);
  const std::int64_t unit = position == 0 ? 2 : position == 1 ? 5 : 8;
  const std::int64_t multiple = choices.one_of<std::int64_t>({-1, 4, 3, 2, 1, 6});
  if (multiple > 0) level.capacity = unit * multiple + static_cast<std::int64_t>(choices.pick(3));
  for (bool& stored : level.stores) stored = !choices.once_in(4);
  if (free_levels > 0 && choices.once_in(2)) {
    level.bypass_free = true;
    --free_levels;
  }
  const std::array<const char*, 3> costs{"0.001", "0.01", "0.02"};
  level.access_cost = Rational::parse(costs.at(position));
  if (choices.once_in(6)) level.access_cost = choices.one_of({Rational(0), Rational(1, 2)});
  random_ports(level, choices);
  return level;
}

std::vector<MemoryLevel> dram_levels(Choices& choices) {
  MemoryLevel rb;
  rb.name = "RB";
  rb.row_buffer_size = choices.one_of<std::int64_t>({8, 16, 4, 12, 6, 32, 7, 10, 5});
  const std::int64_t capacity = choices.one_of<std::int64_t>({0, 1, 1, 2});
  if (capacity > 0) rb.capacity = *rb.row_buffer_size * capacity;
  if (choices.once_in(8)) rb.capacity = *rb.row_buffer_size / 2;
  rb.access_cost = Rational(1, 100);
  random_ports(rb, choices);
  MemoryLevel dram;
  dram.name = "DRAM";
  if (choices.once_in(16)) dram.capacity = 40;
  dram.access_cost = Rational(1, 10);
  dram.row_buffer_size = rb.row_buffer_size;
  return {rb, dram};
}

Architecture random_architecture(Choices& choices, const Size& size) {
  Architecture a;
  a.pe_array = random_pe_array(choices);
  std::size_t free_levels = size.free_levels;
  const bool five = size.levels >= 5 && choices.once_in(4);
  for (std::size_t i = 0; i < (five ? 3 : 2); ++i) {
    a.levels.push_back(on_chip_level(i, choices, free_levels));
  }
  for (MemoryLevel& level : dram_levels(choices)) a.levels.push_back(std::move(level));
  a.dram_timings.tRCDRD = Rational::parse(choices.one_of<const char*>({"3", "1", "9", "0.5"}));
  a.dram_timings.tRP = choices.one_of<std::int64_t>({0, 4});
  if (choices.once_in(5)) a.dram_timings.activation_latency = choices.one_of<std::int64_t>({0, 2});
  if (choices.once_in(3)) a.activation_energy = Rational(1, 4);
  if (choices.once_in(3)) a.interconnect_bandwidth = random_bandwidth(choices);
  if (choices.once_in(3)) {
    for (std::int64_t& bits : a.bits) bits = choices.one_of<std::int64_t>({8, 16, 12, 4, 24});
  }
  a.psum_rereads = choices.once_in(3);
  if (choices.once_in(3)) a.input_order = InputOrder::nhwc;
  if (choices.once_in(4)) {
    a.levels[a.row_buffer()].num_banks = choices.one_of<std::int64_t>({1, 2, 3});
  }
  if (choices.once_in(4)) {
    a.packing = Packing::bit;
    for (std::int64_t& bits : a.bits) bits = 1 + static_cast<std::int64_t>(choices.pick(16));
  }
  a.shared_streams = choices.once_in(4);
  return a;
}

Objective random_objective(Choices& choices) {
  std::vector<Goal> goals;
  const std::size_t wanted = choices.one_of<std::size_t>({1, 1, 1, 2, 2, 3});
  for (std::size_t i = 0; i < wanted; ++i) {
    const Goal goal = static_cast<Goal>(choices.pick(kGoalNames.size()));
    if (std::find(goals.begin(), goals.end(), goal) == goals.end()) goals.push_back(goal);
  }
  Objective objective;
  objective.goals = goals;
  objective.alpha = Rational::parse(choices.one_of<const char*>({"1", "0.25", "0", "3"}));
  objective.beta = Rational::parse(choices.one_of<const char*>({"1", "2.5", "0", "100"}));
  return objective;
}

}  // namespace

Instance random_instance(Choices& choices, const Size& size) {
  Instance instance;
  instance.row_model = static_cast<RowModel>(choices.pick(kRowModelNames.size()));
  instance.objective = random_objective(choices);
  instance.workload = random_workload(choices, size);
  instance.architecture = random_architecture(choices, size);
  return instance;
}

Frame random_frame(Choices& choices, std::int64_t height, std::int64_t width) {
  const auto border = [&] { return static_cast<std::int64_t>(choices.pick(3)); };
  const std::int64_t top = border();
  const std::int64_t left = border();
  return {top + height + border(), left + width + border(), top, left};
}

std::string to_json(const Instance& instance) {
  Json json{{"architecture", write(instance.architecture)},
            {"workload", write(instance.workload)},
            {"objective", instance.objective.to_string()},
            {"row_model", kRowModelNames[static_cast<std::size_t>(instance.row_model)]}};
  for (const Goal goal : instance.objective.goals) {
    if (goal != Goal::blended) continue;
    json["alpha"] = instance.objective.alpha.to_string();
    json["beta"] = instance.objective.beta.to_string();
  }
  return json.dump();
}

std::vector<TensorFlags> stores_of(const Mapping& mapping) {
  std::vector<TensorFlags> stores;
  for (const MappingLevel& level : mapping.levels) stores.push_back(level.stores);
  return stores;
}

std::string to_json(const Mapping& mapping, const Architecture& architecture) {
  return write(mapping, architecture).dump();
}

std::ostream& operator<<(std::ostream& out, const Instance& instance) {
  return out << to_json(instance);
}

}  // namespace testkit
