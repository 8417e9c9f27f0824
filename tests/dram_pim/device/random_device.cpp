// Figures of a few digits, so that sums of the oracle stay small.
#include "dram_pim/device/random_device.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

Rational small(Choices& c) { return c.one_of<Rational>({0, Rational(1, 4), 1, Rational(5, 2)}); }

DeviceLevel random_level(Choices& c, std::size_t d) {
  DeviceLevel level;
  level.name = "level" + std::to_string(d);
  level.count = c.one_of<std::int64_t>({2, 3, 1, 4});
  if (!c.once_in(3)) level.write_bandwidth = c.one_of<Rational>({1, Rational(1, 2), 4});
  if (!c.once_in(3)) level.read_bandwidth = c.one_of<Rational>({2, Rational(3, 4), 1});
  level.broadcast = c.once_in(2);
  level.reduce = c.once_in(3);
  level.lockstep = c.once_in(3);
  if (c.once_in(2)) level.reduce_energy = small(c);
  if (c.once_in(2)) level.energy = small(c);
  if (c.once_in(3)) level.latency = small(c);
  if (c.once_in(3)) {
    for (bool& may : level.dims) may = !c.once_in(2);
  }
  return level;
}

}  // namespace

DeviceInstance random_device_instance(std::uint64_t seed, const Size& size) {
  Choices c(seed);
  const Instance one = random_instance(c, size);
  DeviceInstance i;
  i.device.unit = one.architecture;
  i.layer = one.workload;
  i.objective = one.objective;
  i.row_model = one.row_model;
  const std::size_t levels = c.one_of<std::size_t>({1, 2, 1, 2, 3, 0});
  for (std::size_t d = 0; d < levels; ++d) {
    i.device.levels.push_back(random_level(c, d));
    if (levels == 3)
      i.device.levels.back().count = std::min<std::int64_t>(2, i.device.levels.back().count);
  }
  if (c.once_in(2)) i.device.launch = c.one_of<Rational>({10, Rational(1, 2), 400});
  if (c.once_in(3))
    i.device.refresh = Refresh{c.one_of<Rational>({5, 39}), c.one_of<Rational>({1, 3})};
  if (c.once_in(2)) i.device.phases = Phases::overlapped;
  if (c.once_in(3)) i.device.static_power = c.one_of<Rational>({Rational(1, 8), 2});
  if (c.once_in(3)) i.device.host_reduce_energy = small(c);
  if (c.once_in(3)) i.device.host_reduce_bandwidth = c.one_of<Rational>({1, 8});
  if (c.once_in(3)) {
    for (bool& moves : i.moves) moves = c.once_in(2);
  }
  return i;
}

void set_goals(Objective& objective, std::string_view goals) {
  Objective other = Objective::parse(goals);
  other.alpha = objective.alpha;
  other.beta = objective.beta;
  objective = std::move(other);
}

}  // namespace testkit
