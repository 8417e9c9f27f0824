// The slowest link of all levels, and the energy of each once.
#include "dram_pim/device/transfer_floor.hpp"

namespace pimbb::dram_pim::device {

TransferFloor::TransferFloor(const Device& device, const Workload& layer, const Moves& moves)
    : device_(device), layer_(layer), moves_(moves) {
  for (const DeviceLevel& level : device.levels) {
    way_ += level.latency;
    energy_ += level.energy;
    if (level.write_bandwidth) write_time_ = max(write_time_, 1 / *level.write_bandwidth);
    if (level.read_bandwidth) read_time_ = max(read_time_, 1 / *level.read_bandwidth);
  }
}

SplitCost TransferFloor::of(const Factors& slice, std::int64_t units) const {
  SplitCost cost;
  cost.units = units;
  if (device_.levels.empty()) return cost;
  Rational down;
  for (const Tensor t : {Tensor::input, Tensor::weight}) {
    if (moves_[index(t)]) down += bytes(t, slice);
  }
  const bool in = moves_[index(Tensor::input)] || moves_[index(Tensor::weight)];
  const bool out = moves_[index(Tensor::output)];
  if (in) cost.in = way_ + down * write_time_;
  if (out) cost.out = way_ + bytes(Tensor::output, slice) * read_time_;
  Rational moved = moves_[index(Tensor::input)] ? bytes(Tensor::input, slice) : Rational();
  if (moves_[index(Tensor::weight)]) moved += bytes(Tensor::weight, layer_.bounds);
  if (out) moved += bytes(Tensor::output, layer_.bounds);
  cost.link_energy = moved * energy_;
  return cost;
}

Rational TransferFloor::bytes(Tensor t, const Factors& bounds) const {
  return layer_.tile_elements(t, bounds) * device_.unit.moved_bytes(t);
}

}  // namespace pimbb::dram_pim::device
