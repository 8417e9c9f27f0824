// Layer by layer.
#include "dram_pim/device/network_answers.hpp"

#include <doctest/doctest.h>

namespace testkit {

using namespace pimbb::dram_pim;

void check_same(const DeviceNetworkSolution& one, const DeviceNetworkSolution& two) {
  CHECK(one.status == two.status);
  CHECK(one.effort.nodes == two.effort.nodes);
  REQUIRE(one.layers.size() == two.layers.size());
  for (std::size_t i = 0; i < one.layers.size(); ++i) {
    CHECK(one.layers[i].moves == two.layers[i].moves);
    const auto& first = one.layers[i].solution.mapping;
    const auto& second = two.layers[i].solution.mapping;
    REQUIRE(first.has_value() == second.has_value());
    if (!first) continue;
    CHECK((first->mapping == second->mapping));
    CHECK(first->split == second->split);
  }
}

}  // namespace testkit
