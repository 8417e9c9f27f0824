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
    });
    CHECK(visited == fewest);
  }
}

TEST_CASE("a padding that leads to millions of bounds is refused before they are listed") {
  testkit::DeviceInstance i = testkit::random_device_instance(20000);
  i.layer.bounds[index(Dim::K)] = 4'000'000'000;
  i.layer.padding = Padding::parse("K=12.5%", "pad");
  CHECK_THROWS_WITH_AS(static_cast<void>(device::SplitSpace(i.device, i.layer, i.moves)),
                       doctest::Contains("bounds of K for slices; allowed is less padding"),
                       InputError);
}
