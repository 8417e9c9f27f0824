// What splits cost, against a count block by block, and by hand.
#include <doctest/doctest.h>

#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_cost.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/cases.hpp"
#include "support/oracle_device.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

void check_same(const oracle::DeviceCosts& expected, const Device& device, const SplitCost& split,
                const GoalCosts& found) {
  CHECK(split.in == expected.in.to_rational());
  CHECK(split.out == expected.out.to_rational());
  CHECK(Rational(split.units) == expected.units.to_rational());
  CHECK(split.link_energy == expected.link_energy.to_rational());
  CHECK(split.reduce_energy == expected.adds.to_rational());
  CHECK(found.latency == expected.latency.to_rational());
  CHECK(found.energy == expected.energy.to_rational());
  CHECK(found.activations == expected.activations.to_rational());
  CHECK(split.links.size() == device.levels.size());
}

}  // namespace

TEST_CASE("device costs are those of a count block by block") {
  std::size_t allowed = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(400); ++seed) {
    CAPTURE(seed);
    const testkit::DeviceInstance i = testkit::random_device_instance(seed);
    for (const Split& split : oracle::every_split(i.device, i.layer.bounds)) {
      Factors slice = least_slice(i.layer.bounds, split);
      const bool fits = oracle::splits(i.device, i.layer, i.moves, split, slice);
      CHECK(split_violation(i.device, i.layer, i.moves, split, slice).empty() == fits);
      if (!fits) continue;
      ++allowed;
      if (seed % 3 == 0) ++slice[seed % kDims];  // zeros
      const GoalCosts of_slice{Rational(77, 2), Rational(13, 4), 5};
      const SplitCost cost = split_cost(i.device, i.layer, i.moves, split, slice);
      check_same(oracle::device_costs(i.device, i.layer, i.moves, split, slice,
                                      oracle::Fraction(of_slice.latency),
                                      oracle::Fraction(of_slice.energy), 5),
                 i.device, cost, device_costs(i.device, cost, of_slice));
    }
  }
  CHECK(allowed > testkit::cases(400));
}

TEST_CASE("a split by hand: two channels of four units, broadcast and partial sums") {
  Device d = parse_device(
      "{unit: hbm_pim, launch: 10, host: {reduce_energy: 2, reduce_bandwidth: 4}, levels: ["
      "{name: unit, count: 4, write_bandwidth: 8, read_bandwidth: 2, broadcast: true, energy: 1},"
      "{name: channel, count: 2, write_bandwidth: 16, energy: 3, latency: 5}]}",
      "d.yaml");
  Workload w;
  w.bounds[index(Dim::C)] = 32;
  w.bounds[index(Dim::K)] = 64;
  Split split(2, kOnes);
  split[0][index(Dim::K)] = 4;
  split[1][index(Dim::C)] = 2;
  const Factors slice = least_slice(w.bounds, split);
  CHECK(slice[index(Dim::C)] == 16);
  CHECK(slice[index(Dim::K)] == 16);
  const SplitCost cost = split_cost(d, w, kDefaultMoves, split, slice);
  // 16 inputs of 2 bytes, broadcast to 4 units; both channels have inputs of their own.
  CHECK(cost.links[0].bytes_in == 32);
  CHECK(cost.links[1].bytes_in == 64);
  // 16 results from each unit; 64 partial sums from each channel, which the host adds.
  CHECK(cost.links[0].bytes_out == 128);
  CHECK(cost.links[1].bytes_out == 256);
  CHECK(cost.in == 4 + 5);
  CHECK(cost.out == 64 + 5 + 16);
  CHECK(cost.units == 8);
  CHECK(cost.link_energy == 2 * (32 + 128) + 3 * (64 + 256));
  CHECK(cost.reduce_energy == 64 * 2);
  const GoalCosts all = device_costs(d, cost, {100, 7, 3});
  CHECK(all.latency == 10 + 9 + 100 + 85);
  CHECK(all.energy == 8 * 7 + 1280 + 128);
  CHECK(all.activations == 24);
}

TEST_CASE("a mapping of a device: costs of its slice on every unit") {
  const Device d = read_device("hbm_pim_stack");
  Workload w;
  w.bounds[index(Dim::C)] = 1024;
  w.bounds[index(Dim::K)] = 1024;
  DeviceMapping m{{kOnes, kOnes}, kOnes, {}};
  m.split[0][index(Dim::K)] = 8;
  m.split[1][index(Dim::C)] = 16;
  m.slice = least_slice(w.bounds, m.split);
  const Solution s = solve(d.unit, slice_of(w, m.slice), {});
  REQUIRE(s.mapping.has_value());
  m.mapping = *s.mapping;
  CHECK(find_violation(d, w, kDefaultMoves, m) == "");
  const DeviceMetrics metrics = evaluate(d, w, kDefaultMoves, m, RowModel::trace);
  CHECK(metrics.run == s.metrics->latency * Rational(3900, 3550));
  CHECK(metrics.latency == 400 + metrics.split.in + metrics.run + metrics.split.out);
  CHECK(metrics.activations == 128 * s.metrics->activations());
  CHECK(metrics.performed_macs == 1024 * 1024);
  m.slice[index(Dim::K)] -= 1;
  CHECK(find_violation(d, w, kDefaultMoves, m).find("does not cover") != std::string::npos);
  m.slice[index(Dim::K)] += 1;
  m.split[0][index(Dim::K)] = 9;
  CHECK(find_violation(d, w, kDefaultMoves, m).find("8 children") != std::string::npos);
}
