// Edges of a graph and the network of its layers.
#include <doctest/doctest.h>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;

namespace {

/// Tensors 0 .. n - 1 and nodes that read and make them.
Graph graph(std::size_t tensors, std::initializer_list<std::pair<std::size_t, std::size_t>> edges) {
  Graph made;
  for (std::size_t t = 0; t < tensors; ++t) {
    made.tensors.emplace_back().name = "t" + std::to_string(t);
  }
  for (const auto& [from, to] : edges) {
    GraphNode& node = made.nodes.emplace_back();
    node.name = "n" + std::to_string(made.nodes.size());
    node.inputs = {std::nullopt, from};
    node.outputs = {to};
  }
  return made;
}

}  // namespace

TEST_CASE("a tensor knows its producer and every reading") {
  Graph chain = graph(3, {{0, 1}, {1, 2}});
  chain.nodes[1].inputs[0] = 1;  // read twice by one node
  connect(chain);
  connect(chain);  // nothing is counted again
  CHECK_FALSE(chain.tensors[0].producer);
  CHECK(chain.tensors[1].producer == GraphPort{0, 0});
  CHECK(chain.tensors[1].consumers == std::vector<GraphPort>{{1, 0}, {1, 1}});
  CHECK(chain.tensors[2].consumers.empty());
}

TEST_CASE("cycles, wrong orders and second producers are refused") {
  for (Graph bad : {graph(2, {{0, 1}, {1, 0}}), graph(1, {{0, 0}}), graph(3, {{1, 2}, {0, 1}}),
                    graph(2, {{0, 1}, {0, 1}})}) {
    CHECK_THROWS_AS(connect(bad), InputError);
  }
}

TEST_CASE("the network of a graph: its layers with their repetitions") {
  Graph two = graph(3, {{0, 1}, {1, 2}});
  GraphLayer& layer = two.nodes[1].layer.emplace();
  layer.workload.name = "n2";
  layer.workload.bounds = {3, 3, 2, 2, 1, 1, 1, 4};
  layer.products = 2;
  const Network network = network_of("net", std::move(two));
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].workload.name == "n2");
  CHECK(network.layers[0].repetitions == 2);
  CHECK(network.graph->nodes[1].layer->macs() == Rational(8 * 36));
}
