// The graph of a model: who makes and reads each tensor, what is constant, what is passed through.
#include <doctest/doctest.h>

#include <algorithm>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::OnnxMaker;
using testkit::set;

namespace {

const GraphTensor& tensor(const Graph& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.tensors, name, &GraphTensor::name);
  REQUIRE(found != graph.tensors.end());
  return *found;
}

using Ports = std::vector<GraphPort>;

/// X -> Conv -> a -> Relu -> b -> Conv -> c; c + a -> Y.
OnnxMaker residual() {
  OnnxMaker maker;
  maker.input("X", {1, 4, 8, 8}).weight("W0", {4, 4, 1, 1}).weight("W1", {4, 4, 1, 1});
  maker.output("Y");
  maker.node("Conv", {"X", "W0"}, {"a"}).set_name("first");
  maker.node("Relu", {"a"}, {"b"});
  maker.node("Conv", {"b", "W1"}, {"c"}).set_name("second");
  maker.node("Add", {"c", "a"}, {"Y"});
  return maker;
}

}  // namespace

TEST_CASE("producers and consumers are exact") {
  const Network network = residual().read();
  CHECK(network.name == "m");
  REQUIRE(network.graph);
  const Graph& graph = *network.graph;
  CHECK(graph.name == "made");
  CHECK(tensor(graph, "a").producer == GraphPort{0, 0});
  CHECK(tensor(graph, "a").consumers == Ports{{1, 0}, {3, 1}});
  CHECK(tensor(graph, "b").consumers == Ports{{2, 0}});
  CHECK(tensor(graph, "W1").consumers == Ports{{2, 1}});
  CHECK_FALSE(tensor(graph, "W1").producer);
  CHECK(tensor(graph, "W1").constant);
  CHECK_FALSE(tensor(graph, "c").constant);
  CHECK(tensor(graph, "Y").consumers.empty());
  CHECK(tensor(graph, "Y").shape == Shape{1, 4, 8, 8});
  REQUIRE(graph.inputs.size() == 1);
  CHECK(graph.tensors[graph.inputs[0]].name == "X");
  REQUIRE(graph.outputs.size() == 1);
  CHECK(graph.tensors[graph.outputs[0]].name == "Y");
}

TEST_CASE("layers are the network's, in order; the others say why they are none") {
  const Network network = residual().read();
  REQUIRE(network.layers.size() == 2);
  CHECK(network.layers[0].workload.name == "first");
  CHECK(network.layers[1].workload.name == "second");
  CHECK(distinct_shapes(network) == std::vector<std::size_t>{0, 0});
  const auto& nodes = network.graph->nodes;
  CHECK(nodes[0].layer);
  CHECK(nodes[0].reason.empty());
  CHECK_FALSE(nodes[1].layer);
  CHECK(nodes[1].reason == "it multiplies no matrices");
  CHECK(nodes[3].op == "Add");
}

TEST_CASE("what is computed from weights alone is a constant, its products are no layers") {
  OnnxMaker maker = residual();
  maker.weight("V", {4, 4});
  onnx::NodeProto& transpose = maker.node("Transpose", {"V"}, {"Vt"});
  set(transpose, "perm", {1, 0});
  maker.node("MatMul", {"V", "Vt"}, {"VV"});
  maker.output("VV");
  const Graph graph = *maker.read().graph;
  CHECK(tensor(graph, "Vt").constant);
  CHECK(tensor(graph, "VV").constant);
  CHECK_FALSE(graph.nodes.back().layer);
  CHECK(graph.nodes.back().reason == "its result is constant, made before the network runs");
}

TEST_CASE("shapes pass through operators, and through shapes that are computed") {
  OnnxMaker maker;
  maker.input("X", {2, 3, 4, 4}).weight("W", {48, 5}).integers("shape", {0, -1}).output("Y");
  maker.node("Reshape", {"X", "shape"}, {"flat"});
  maker.node("MatMul", {"flat", "W"}, {"Y"});
  CHECK(maker.read().layers.at(0).workload.bounds == Factors{1, 1, 2, 1, 48, 5, 1, 1});
}

TEST_CASE("a shape that cannot be inferred may be declared, or the reader says what is missing") {
  OnnxMaker maker;
  maker.input("X", {2, 48}).weight("W", {48, 5}).output("Y");
  maker.node("Twist", {"X"}, {"twisted"}).set_domain("com.example");
  maker.node("MatMul", {"twisted", "W"}, {"Y"});
  CHECK(texts::contains(maker.error(),
                        "m.onnx: node 'the_MatMul' (MatMul): input A 'twisted': "
                        "found no shape"));
  maker.declare("twisted", {2, 48});
  const Network network = maker.read();
  CHECK(network.layers.at(0).workload.bound(Dim::C) == 48);
  CHECK(network.graph->nodes[0].op == "com.example::Twist");
  CHECK(texts::contains(network.graph->nodes[0].reason, "ONNX does not define"));
}

TEST_CASE("optional inputs and outputs that are left out stay in their places") {
  OnnxMaker maker = residual();
  maker.integers("sizes", {1, 4, 16, 16}).output("big");
  maker.node("Resize", {"b", "", "", "sizes"}, {"big"});
  const Graph graph = *maker.read().graph;
  const GraphNode& resize = graph.nodes.back();
  REQUIRE(resize.inputs.size() == 4);
  CHECK_FALSE(resize.inputs[1]);
  CHECK(resize.inputs[3]);
  CHECK(tensor(graph, "sizes").consumers == Ports{{4, 3}});
  CHECK(tensor(graph, "big").shape == Shape{1, 4, 16, 16});
}

TEST_CASE("nodes without a name are called after what they make") {
  OnnxMaker maker = residual();
  maker.graph().mutable_node(0)->clear_name();
  CHECK(maker.read().layers.at(0).workload.name == "a");
}

TEST_CASE("old models list weights among the inputs, new ones call the domain by its name") {
  OnnxMaker maker = residual();
  maker.input("W0", {4, 4, 1, 1});
  maker.proto.mutable_opset_import(0)->set_domain("ai.onnx");
  maker.graph().mutable_node(0)->set_domain("ai.onnx");
  const Graph graph = *maker.read().graph;
  CHECK(graph.inputs.size() == 1);
  CHECK(graph.nodes[0].op == "Conv");
}
