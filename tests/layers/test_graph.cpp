// Edges of a graph and the network of its layers.
#include <doctest/doctest.h>

#include <algorithm>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

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

/// The graph of a network file.
Graph graph_of(const std::string& layers, const std::string& nodes) {
  return *parse_network("layers:" + layers + "graph:" + nodes, "n.yaml").graph;
}

/// Of the tensor that a node makes.
const std::optional<Shape>& shape_of(const Graph& graph, std::string_view node) {
  return std::ranges::find(graph.tensors, node, &GraphTensor::name)->shape;
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

// What a layer reads beyond the plane that it is given is a border, one more before than behind it.
TEST_CASE("borders follow from planes, through operators, Concat and pools") {
  const Graph graph = graph_of(R"(
  - {name: first, R: 3, S: 3, P: 8, Q: 8, C: 3, K: 4, N: 1}
  - {name: point, R: 1, S: 1, P: 8, Q: 8, C: 4, K: 4, N: 1}
  - {name: wide, R: 5, S: 3, P: 8, Q: 8, C: 8, K: 2, N: 1}
  - {name: after, R: 3, S: 4, P: 4, Q: 8, C: 2, K: 2, N: 1}
  - {name: less, R: 1, S: 1, P: 2, Q: 3, C: 2, K: 2, N: 1}
)",
                               R"(
  - {node: first, layer: first}
  - {node: relu, op: Relu}
  - {node: point, layer: point}
  - {node: both, op: Concat, from: [relu, point]}
  - {node: wide, layer: wide}
  - {node: pool, op: MaxPool, window: [3, 2], stride: [2, 1], pad: [1, 0, 0, 1]}
  - {node: after, layer: after}
  - {node: less, layer: less}
)");
  const auto border = [&](std::size_t node) {
    const GraphLayer& layer = *graph.nodes[node].layer;
    return std::pair{layer.pad_left, layer.pad_top};
  };
  CHECK(border(0) == std::pair<std::int64_t, std::int64_t>{0, 0});  // nothing is known
  CHECK(border(2) == std::pair<std::int64_t, std::int64_t>{0, 0});
  CHECK(border(4) == std::pair<std::int64_t, std::int64_t>{2, 1});  // 12 x 10 of 8 x 8
  CHECK(border(6) == std::pair<std::int64_t, std::int64_t>{1, 2});  // 6 x 11 of 4 x 8
  CHECK(border(7) == std::pair<std::int64_t, std::int64_t>{0, 0});  // a part of it
}

TEST_CASE("shapes are those of layers, and of operators that keep them") {
  for (const bool strided : {false, true}) {
    CAPTURE(strided);
    const Graph graph = graph_of(
        "\n  - {name: first, R: 1, S: 1, P: 4, Q: 5, C: 3, K: 6, N: 2, G: 2, stride: [1, " +
            std::string(strided ? "2" : "1") + "]}\n",
        R"(
  - {node: made, layer: first}
  - {node: soft, op: Softmax}
  - {node: norm, op: LayerNormalization}
  - {node: relu, op: Relu}
  - {node: pool, op: MaxPool, window: [2, 2]}
)");
    for (const char* node : {"made", "soft", "norm", "relu"}) {
      CAPTURE(std::string(node));
      CHECK(shape_of(graph, node) == Shape{2, 12, 5, 4});
    }
    CHECK(!shape_of(graph, "pool"));
    CHECK(shape_of(graph, "input") == (strided ? std::nullopt : std::optional(Shape{2, 6, 5, 4})));
  }
}

TEST_CASE("shapes that contradict each other are none") {
  const Graph graph = graph_of(R"(
  - {name: a, R: 1, S: 1, P: 4, Q: 4, C: 3, K: 6, N: 1}
  - {name: b, R: 1, S: 1, P: 4, Q: 4, C: 3, K: 5, N: 1}
)",
                               R"(
  - {node: a, layer: a}
  - {node: b, layer: b, from: [input]}
  - {node: sum, op: Add, from: [a, b]}
)");
  for (const GraphTensor& tensor : graph.tensors) CHECK(!tensor.shape);
}
