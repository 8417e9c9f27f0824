// Networks as graphs of nodes: what each operator becomes, and what is refused by name.
#include <doctest/doctest.h>

#include <string>

#include "layers/onnx/onnx_operator.hpp"
#include "pimbb/crossbar/partition.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

/// A network of operators with one output each, tensors by name.
struct Maker {
  Network network{.name = "made", .layers = {}, .graph = Graph{}};

  Graph& graph() { return *network.graph; }

  std::size_t tensor(const std::string& name, const Shape& shape, bool constant = false) {
    for (std::size_t t = 0; t < graph().tensors.size(); ++t) {
      if (graph().tensors[t].name == name) return t;
    }
    GraphTensor& made = graph().tensors.emplace_back();
    made.name = name;
    made.shape = shape;
    made.constant = constant;
    return graph().tensors.size() - 1;
  }

  GraphNode& node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::string& name, const Shape& shape) {
    GraphNode& made = graph().nodes.emplace_back();
    made.name = name;
    made.op = op;
    for (const std::string& input : inputs) made.inputs.emplace_back(tensor(input, {}));
    made.outputs.emplace_back(tensor(name, shape));
    return made;
  }
};

/// X [1, 3, 8, 8] -> conv (3 x 3, stride 2, border 1) -> relu -> pool -> flat -> fc; a sum and a
/// concatenation of conv and relu.
Maker many_operators() {
  Maker maker;
  maker.graph().inputs = {maker.tensor("X", {1, 3, 8, 8})};
  maker.tensor("W", {4, 3, 3, 3}, true);
  maker.tensor("V", {16, 5}, true);
  GraphLayer conv;
  Factors& bounds = conv.workload.bounds;
  bounds[index(Dim::R)] = bounds[index(Dim::S)] = 3;
  bounds[index(Dim::P)] = bounds[index(Dim::Q)] = 4;
  bounds[index(Dim::C)] = 3;
  bounds[index(Dim::K)] = 4;
  conv.workload.stride_w = conv.workload.stride_h = 2;
  conv.pad_left = conv.pad_top = 1;
  maker.node("Conv", {"X", "W"}, "conv", {1, 4, 4, 4}).layer = conv;
  maker.node("Relu", {"conv"}, "relu", {1, 4, 4, 4});
  maker.node("Add", {"conv", "relu"}, "sum", {1, 4, 4, 4});
  maker.node("Concat", {"sum", "relu"}, "both", {1, 8, 4, 4}).axis = 1;
  maker.node("MaxPool", {"sum"}, "pool", {1, 4, 2, 2}).pool =
      std::array{PoolAxis{2, 2, 0, 0}, PoolAxis{2, 2, 0, 0}};
  maker.node("Flatten", {"pool"}, "flat", {1, 16});
  GraphLayer fc;
  fc.workload.bounds[index(Dim::C)] = 16;
  fc.workload.bounds[index(Dim::K)] = 5;
  maker.node("Gemm", {"flat", "V"}, "fc", {1, 5}).layer = fc;
  return maker;
}

std::string refused(const Maker& maker) {
  try {
    static_cast<void>(node_graph(maker.network));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// What is said about the network when node `n` has been changed.
template <class Change>
std::string changed(std::size_t n, const Change& change) {
  Maker maker = many_operators();
  change(maker, maker.graph().nodes[n]);
  return refused(maker);
}

bool contains(const std::string& text, const std::string& part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("operators become nodes") {
  const NodeGraph graph = node_graph(many_operators().network);
  REQUIRE(graph.nodes.size() == 8);
  CHECK(graph.name == "made");
  CHECK(graph.nodes[0].out == Volume{3, 8, 8});
  const Node& conv = graph.nodes[1];
  CHECK(conv.op == Op::conv);
  CHECK(conv.vertical == WindowAxis{3, 2, 1, 0});  // the last row is never read
  CHECK(conv.out == Volume{4, 4, 4});
  CHECK(graph.nodes[2].op == Op::pass);
  CHECK(graph.nodes[2].operation == kRelu);
  CHECK(graph.nodes[3].op == Op::eltwise);
  CHECK(graph.nodes[3].from == std::vector<std::size_t>{1, 2});
  CHECK(graph.nodes[4].op == Op::concat);
  CHECK(graph.nodes[5].op == Op::pool);
  CHECK(graph.nodes[5].horizontal == WindowAxis{2, 2, 0, 0});
  CHECK(graph.nodes[7].op == Op::fc);
  CHECK(graph.nodes[7].in == Volume{16, 1, 1});
}

TEST_CASE("a grouped convolution is stored dense") {
  Maker maker = many_operators();
  Factors& bounds = maker.graph().nodes[0].layer->workload.bounds;
  bounds[index(Dim::C)] = 1;
  bounds[index(Dim::G)] = 3;
  CHECK(node_graph(maker.network).nodes[1].in.channels == 3);
}

TEST_CASE("what crossbars do not compute is refused by name") {
  CHECK(refused(many_operators()) == "accepted");
  CHECK(changed(0, [](auto&, auto& n) { n.layer->workload.dilation_h = 2; }) ==
        "node 'conv' (Conv): found a dilated window, allowed are dilation 1");
  CHECK(contains(changed(0, [](auto&, auto& n) { n.op = "ConvTranspose"; }),
                 "node 'conv' (ConvTranspose): found an operator that crossbars do not compute"));
  CHECK(contains(changed(2, [](auto&, auto& n) { n.op = "Sub"; }), "node 'sum' (Sub): found"));
  CHECK(contains(changed(2, [](auto&, auto& n) { n.inputs[1] = n.inputs[0]; }),
                 "node 'sum': found the operand 'conv' twice"));
  CHECK(contains(changed(2, [](auto& m, auto& n) { n.inputs[1] = m.tensor("X", {}); }),
                 "node 'sum' (Add): found operands of different shapes"));
  CHECK(contains(changed(3, [](auto&, auto& n) { n.axis = 2; }), "node 'both' (Concat): found"));
  CHECK(contains(changed(3, [](auto&, auto& n) { n.axis.reset(); }), "another axis"));
  CHECK(contains(changed(4, [](auto&, auto& n) { n.pool.reset(); }),
                 "node 'pool' (MaxPool): found a window that is unknown"));
  CHECK(contains(changed(6, [](auto&, auto& n) { n.layer->workload.bounds[index(Dim::P)] = 7; }),
                 "node 'fc' (Gemm): found 7 rows, allowed are products of one row"));
  CHECK(contains(
      changed(6, [](auto& m, auto&) { m.graph().tensors[m.tensor("V", {})].constant = false; }),
      "node 'fc' (Gemm): found the tensor 'V'"));
  CHECK(contains(changed(6,
                         [](auto&, auto& n) {
                           n.layer.reset();
                           n.op = "Softmax";
                           n.inputs.pop_back();
                         }),
                 "accepted"));
  CHECK(contains(changed(6,
                         [](auto&, auto& n) {
                           n.layer.reset();
                           n.op = "MaxPool";
                           n.pool = std::array{PoolAxis{}, PoolAxis{}};
                           n.inputs.pop_back();
                         }),
                 "node 'flat' (Flatten): found another shape for 'fc' (MaxPool)"));
  CHECK(contains(changed(0,
                         [](auto& m, auto&) {
                           m.graph().tensors[0].shape = Shape{2, 3, 8, 8};
                         }),
                 "allowed is one of shape [1, channels, height, width]"));
  Maker no_graph;
  no_graph.network.graph.reset();
  CHECK(contains(refused(no_graph), "found no graph"));
}

TEST_CASE("windows of pooling by their attributes") {
  GraphTensor input;
  input.shape = Shape{1, 4, 9, 8};
  const auto pool = [&](const std::string& type, auto change) {
    layers::OnnxOperator op;
    op.type = type;
    op.inputs = {&input};
    op.integers["kernel_shape"] = {3, 2};
    change(op);
    GraphNode node;
    layers::add_attributes(op, node);
    return node.pool;
  };
  using Axes = std::array<PoolAxis, 2>;
  CHECK(pool("MaxPool", [](auto&) {}) == Axes{PoolAxis{3, 1, 0, 0}, PoolAxis{2, 1, 0, 0}});
  CHECK(pool("AveragePool", [](auto& op) {
          op.integers["strides"] = {2, 3};
          op.integers["pads"] = {1, 0, 2, 1};
        }) == Axes{PoolAxis{3, 2, 1, 2}, PoolAxis{2, 3, 0, 1}});
  // SAME: ceil(9 / 2) = 5 outputs cover 11 rows, ceil(8 / 3) = 3 outputs cover 8 columns
  const auto same = [](const char* mode) {
    return [mode](auto& op) {
      op.integers["kernel_shape"] = {4, 2};
      op.integers["strides"] = {2, 3};
      op.strings["auto_pad"] = mode;
    };
  };
  CHECK(pool("MaxPool", same("SAME_UPPER")) == Axes{PoolAxis{4, 2, 1, 2}, PoolAxis{2, 3, 0, 0}});
  CHECK(pool("MaxPool", same("SAME_LOWER")) == Axes{PoolAxis{4, 2, 2, 1}, PoolAxis{2, 3, 0, 0}});
  CHECK(pool("GlobalAveragePool", [](auto&) {}) ==
        Axes{PoolAxis{9, 1, 0, 0}, PoolAxis{8, 1, 0, 0}});
  CHECK(!pool("MaxPool", [](auto& op) { op.integers["ceil_mode"] = {1}; }));
  CHECK(!pool("MaxPool", [](auto& op) { op.integers["dilations"] = {1, 2}; }));
  CHECK(!pool("MaxPool", [](auto& op) { op.integers["strides"] = {1}; }));
  CHECK(!pool("MaxPool", [](auto& op) { op.integers.clear(); }));
  CHECK(!pool("Relu", [](auto&) {}));
  layers::OnnxOperator concat;
  concat.type = "Concat";
  concat.inputs = {&input};
  concat.integers["axis"] = {-3};
  GraphNode node;
  layers::add_attributes(concat, node);
  CHECK(node.axis == 1);
}
