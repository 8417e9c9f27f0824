// Equal layers are merged, and nothing else is.
#include <doctest/doctest.h>

#include <cstdint>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;

namespace {

NetworkLayer conv(const char* name, std::int64_t repetitions = 1) {
  NetworkLayer result;
  result.workload.name = name;
  result.workload.bounds = {3, 3, 8, 8, 4, 4, 1, 1};
  result.repetitions = repetitions;
  return result;
}

}  // namespace

TEST_CASE("equal layers add their repetitions, the first name and the order stay") {
  NetworkLayer other = conv("other");
  other.workload.bounds[index(Dim::K)] = 5;
  const Network merged = merge_equal_layers({"net", {conv("a", 2), other, conv("b", 3)}});
  CHECK(merged.name == "net");
  REQUIRE(merged.layers.size() == 2);
  CHECK(merged.layers[0].workload.name == "a");
  CHECK(merged.layers[0].repetitions == 5);
  CHECK(merged.layers[1].workload.name == "other");
  CHECK(merged.layers[1].repetitions == 1);
}

TEST_CASE("any difference that costs something keeps layers apart") {
  NetworkLayer changed = conv("b");
  SUBCASE("a bound") { changed.workload.bounds[index(Dim::N)] = 2; }
  SUBCASE("stride along the width") { changed.workload.stride_w = 2; }
  SUBCASE("stride along the height") { changed.workload.stride_h = 2; }
  SUBCASE("dilation along the width") { changed.workload.dilation_w = 2; }
  SUBCASE("dilation along the height") { changed.workload.dilation_h = 2; }
  SUBCASE("weight") { changed.workload.weight = Rational(1, 2); }
  SUBCASE("the plane of the input") { changed.workload.input_plane = Plane{9, 9}; }
  CHECK(merge_equal_layers({"net", {conv("a"), changed}}).layers.size() == 2);
}

TEST_CASE("without the planes of their inputs, layers and nodes that differ only there are equal") {
  NetworkLayer clipped = conv("b");
  clipped.workload.input_plane = Plane{9, 9};
  Network network{"net", {conv("a"), clipped}, Graph{}};
  network.graph->nodes.emplace_back().layer = GraphLayer{clipped.workload};
  const Network plain = without_input_planes(network);
  CHECK(merge_equal_layers(plain).layers.size() == 1);
  REQUIRE(plain.graph);
  CHECK_FALSE(plain.graph->nodes[0].layer->workload.input_plane);
  CHECK(same_shape(plain.graph->nodes[0].layer->workload, plain.layers[0].workload));
}

TEST_CASE("an empty network stays empty, too many repetitions are refused") {
  CHECK(merge_equal_layers({}).layers.empty());
  CHECK_THROWS_AS(merge_equal_layers({"net", {conv("a", INT64_MAX), conv("b")}}), InputError);
}
