// The timeline event by event against the simulator that multiplies matrices, and its count.
#include <doctest/doctest.h>

#include <map>

#include "cim/cost/timeline.hpp"
#include "cim/naive.hpp"
#include "cim/random_instance.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

struct Seen {
  std::int64_t events = 0;
  std::int64_t products = 0;
  std::map<Tensor, std::int64_t> busy;  // time of transfers that belong to loops
};

void check_mapping(const Architecture& a, const Workload& layer, const Mapping& mapping) {
  const cost::Units units(a);
  const Elements elements(layer);
  const cost::Nest nest(a, units, layer, elements, mapping);
  Seen seen;
  cost::Time last_product = 0;
  const auto latency = cost::walk_timeline(nest, [&](const cost::Event& event) {
    ++seen.events;
    CHECK(event.start <= event.end);
    if (event.kind == cost::EventKind::product) {
      ++seen.products;
      CHECK(event.start >= last_product);
      last_product = event.end;
    } else if (event.loop) {
      seen.busy[event.tensor] += event.end - event.start;
    }
    return true;
  });
  REQUIRE(latency);
  CHECK(*latency == cost::simulate(nest));
  CHECK(seen.events == cost::count_events(nest));
  CHECK(seen.products == nest.products);
  std::map<Tensor, std::int64_t> busy;
  for (std::size_t k = 0; k < nest.first[kTensors]; ++k) {
    const cost::Block& block = nest.blocks[k];
    busy[block.tensor] +=
        cost::ways(block.tensor) * block.fires * nest.time(block, Semantics::simulator);
  }
  for (const Tensor t : kAllTensors) {
    if (nest.loops > 0) CHECK(seen.busy[t] == busy[t]);
  }
}

}  // namespace

TEST_CASE("the timeline has every transfer and product, and ends with the simulator's latency") {
  const std::size_t count = testkit::cases(60);
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t checked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 8);
    std::size_t place = 0;
    naive::for_each_mapping(instance.architecture, instance.layer, [&](const Mapping& mapping) {
      if (place++ % 97 != seed % 97) return;
      check_mapping(instance.architecture, instance.layer, mapping);
      ++checked;
    });
  }
  CHECK(checked > 0);
}

TEST_CASE("a nest without loops has one way for each tensor, and a product") {
  naive::Instance instance = naive::random_instance(1, 8);
  instance.layer.bounds = kOnes;
  Mapping mapping;
  mapping.spatial.assign(instance.architecture.axes.size(), kOnes);
  mapping.doubled.assign(instance.architecture.levels.size(), TensorFlags{});
  check_mapping(instance.architecture, instance.layer, mapping);
}

TEST_CASE("a timeline ends where it is told to") {
  const naive::Instance instance = naive::random_instance(1, 8);
  std::size_t place = 0;
  naive::for_each_mapping(instance.architecture, instance.layer, [&](const Mapping& mapping) {
    if (mapping.loops.empty() || place++ % 997 != 0) return;
    const cost::Units units(instance.architecture);
    const Elements elements(instance.layer);
    const cost::Nest nest(instance.architecture, units, instance.layer, elements, mapping);
    const std::int64_t count = cost::count_events(nest);
    for (std::int64_t last = 1; last <= count; ++last) {
      std::int64_t seen = 0;
      CHECK(!cost::walk_timeline(nest, [&](const cost::Event&) { return ++seen < last; }));
      CHECK(seen == last);
    }
  });
  CHECK(place > 0);
}
