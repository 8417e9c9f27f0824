// The splits worth a look against every split there is.
#include <doctest/doctest.h>

#include <limits>
#include <map>

#include "dram_pim/device/random_device.hpp"
#include "dram_pim/device/split_space.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/oracle_device.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

TEST_CASE("every slice that some split leads to is visited, with the fewest units that run") {
  for (std::uint64_t seed = 20000; seed < 20000 + testkit::cases(200); ++seed) {
    CAPTURE(seed);
    const testkit::DeviceInstance i = testkit::random_device_instance(seed);
    std::map<Factors, std::int64_t> fewest;
    for (const Split& split : oracle::every_split(i.device, i.layer.bounds)) {
      const Factors slice = least_slice(i.layer.bounds, split);
      if (!oracle::splits(i.device, i.layer, i.moves, split, slice)) continue;
      const std::int64_t units = split_cost(i.device, i.layer, i.moves, split, slice).units;
      const auto known = fewest.try_emplace(slice, units).first;
      known->second = std::min(known->second, units);
    }
    const device::SplitSpace space(i.device, i.layer, i.moves);
    std::map<Factors, std::int64_t> visited;
    space.for_each_slice([&](const Factors& slice, std::int64_t units) {
      CHECK(visited.try_emplace(slice, units).second);
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (const Split& split : space.splits(slice)) {
        CHECK(split_violation(i.device, i.layer, i.moves, split, slice) == "");
        least = std::min(least, split_cost(i.device, i.layer, i.moves, split, slice).units);
      }
      CHECK(least == units);
      return true;
    });
    CHECK(visited == fewest);
  }
}

TEST_CASE("slices with too many MACs are left out, in the same order, and visits may end") {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 20000; seed < 20000 + testkit::cases(100); ++seed) {
    CAPTURE(seed);
    const testkit::DeviceInstance i = testkit::random_device_instance(seed);
    const device::SplitSpace space(i.device, i.layer, i.moves);
    using Slices = std::vector<std::pair<Factors, std::int64_t>>;
    const auto slices = [&](Int128 most, std::size_t count) {
      Slices all;
      space.for_each_slice(
          [&](const Factors& slice, std::int64_t units) {
            all.emplace_back(slice, units);
            return all.size() < count;
          },
          most);
      return all;
    };
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    const Slices all = slices(device::SplitSpace::kAnyMacs, kAll);
    const std::int64_t most = static_cast<std::int64_t>(seed % 24);
    Slices expected;
    for (const auto& slice : all) {
      std::int64_t macs = 1;
      for (const std::int64_t bound : slice.first) macs *= bound;
      if (macs <= most) expected.push_back(slice);
    }
    CHECK((slices(most, kAll) == expected));
    left_out += all.size() - expected.size();
    const std::size_t half = all.size() / 2 + 1;
    CHECK((slices(device::SplitSpace::kAnyMacs, half) ==
           Slices(all.begin(), all.begin() + std::min<std::ptrdiff_t>(std::ssize(all), half))));
  }
  CHECK(left_out > 0);
}

TEST_CASE("a padding that leads to millions of bounds is refused before they are listed") {
  testkit::DeviceInstance i = testkit::random_device_instance(20000);
  i.layer.bounds[index(Dim::K)] = 4'000'000'000;
  i.layer.padding = Padding::parse("K=12.5%", "pad");
  CHECK_THROWS_WITH_AS(static_cast<void>(device::SplitSpace(i.device, i.layer, i.moves)),
                       doctest::Contains("bounds of K for slices; allowed is less padding"),
                       InputError);
}
