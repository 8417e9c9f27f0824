// Sizes from outside, and models of which a part is left out.
#include <doctest/doctest.h>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::OnnxMaker;
using texts::contains;

namespace {

/// [batch, seq, 8] * [8, 6].
OnnxMaker sentences() {
  OnnxMaker maker;
  maker.input("X", {1, 1, 8}).symbol(0, "batch").symbol(1, "seq");
  maker.weight("W", {8, 6}).output("Y").node("MatMul", {"X", "W"}, {"Y"});
  return maker;
}

/// LSTM -> MatMul of unknown shape, beside a MatMul of a known one.
OnnxMaker recurrent() {
  OnnxMaker maker;
  maker.input("X", {4, 2, 8}).weight("W", {1, 24, 8}).weight("R", {1, 24, 6}).weight("V", {8, 5});
  maker.node("LSTM", {"X", "W", "R"}, {"hidden"});
  maker.node("LSTM", {"X", "W", "R"}, {"again"}).set_name("second");
  maker.node("MatMul", {"X", "V"}, {"Y"}).set_name("known");
  maker.output("Y");
  return maker;
}

}  // namespace

TEST_CASE("symbols get their sizes by name") {
  const Factors bounds =
      sentences().read({.dims = {{"batch", 2}, {"seq", 128}}}).layers.at(0).workload.bounds;
  CHECK(bounds == Factors{1, 1, 128, 1, 8, 6, 2, 1});
  // --batch serves first dimensions, the name wins.
  CHECK(
      sentences().read({.batch = 3, .dims = {{"seq", 128}}}).layers.at(0).workload.bound(Dim::N) ==
      3);
}

TEST_CASE("symbols that are missing are listed, those that are misspelt corrected") {
  CHECK(contains(sentences().error(),
                 "m.onnx: inputs: found the symbol 'batch' (X[0]), the symbol 'seq' (X[1]) without "
                 "a size, allowed are numbers: give them with --dim SYMBOL=N, or first dimensions "
                 "with --batch N"));
  CHECK(contains(sentences().error({.dims = {{"batch", 2}}}),
                 "inputs: found the symbol 'seq' (X[1]) without a size"));
  CHECK(contains(sentences().error({.dims = {{"batch", 2}, {"seq", 4}, {"sqe", 4}}}),
                 "--dim: found sqe=4 (did you mean 'seq'?), allowed are the symbols of the inputs: "
                 "batch, seq"));
  CHECK(contains(testkit::conv_maker().error({.dims = {{"seq", 4}}}), "here all sizes are fixed"));
}

TEST_CASE("a symbol is one size everywhere, a size without a symbol has the name of its place") {
  OnnxMaker maker;
  maker.input("A", {1, 5, 1}).symbol(0, "n").symbol(2, "n");
  maker.input("B", {1, 7, 7}).symbol(1, "").symbol(0, "n");
  maker.output("Y").node("MatMul", {"A", "B"}, {"Y"});
  const Network network = maker.read({.dims = {{"n", 3}, {"B[1]", 3}}});
  CHECK(network.layers.at(0).workload.bounds == Factors{1, 1, 5, 1, 3, 7, 1, 1});
  CHECK(network.layers.at(0).repetitions == 3);
  CHECK(contains(maker.error({.dims = {{"n", 3}}}), "inputs: found 'B[1]' without a size"));
}

TEST_CASE("declared shapes of results take the sizes over") {
  OnnxMaker maker;
  maker.input("X", {1, 8}).symbol(0, "n");
  maker.weight("W", {8, 5}).output("Y");
  maker.node("Twist", {"X"}, {"twisted"}).set_domain("com.example");
  maker.node("MatMul", {"twisted", "W"}, {"Y"});
  maker.declare("twisted", {1, 8});
  maker.graph()
      .mutable_value_info(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_param("n");
  CHECK(maker.read({.dims = {{"n", 9}}}).layers.at(0).workload.bound(Dim::P) == 9);
}

TEST_CASE("nodes that cannot be read are counted by operator, in one line") {
  const std::string error = recurrent().error();
  CHECK(contains(error,
                 "m.onnx: operators: found 2 of 3 nodes that cannot be read: 2 LSTM "
                 "('the_LSTM', ...: recurrent layers are not read"));
  CHECK(contains(error, "--skip-unsupported leaves the others out"));
  CHECK_FALSE(contains(error, "\n"));
}

TEST_CASE("--skip-unsupported leaves out what cannot be read, and what follows without a shape") {
  OnnxMaker maker = recurrent();
  maker.node("Loop", {"", "", "X"}, {"looped"});
  onnx::AttributeProto& body = *maker.graph().mutable_node(3)->add_attribute();
  body.set_name("body");
  body.set_type(onnx::AttributeProto::GRAPH);
  body.mutable_g()->set_name("inner");
  maker.node("MatMul", {"looped", "V"}, {"Z"}).set_name("unknown");
  CHECK(contains(maker.error(),
                 ", 1 Loop ('the_Loop': a graph inside of the node, which could "
                 "contain layers), allowed are Conv"));
  const Network network = maker.read({.skip_unsupported = true});
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].workload.name == "known");
  std::vector<std::string> skipped;
  for (const GraphNode& node : network.graph->nodes) {
    if (node.skipped) skipped.push_back(node.name);
  }
  CHECK(skipped == std::vector<std::string>{"the_LSTM", "second", "the_Loop", "unknown"});
  CHECK(contains(network.graph->nodes[0].reason, "recurrent layers are not read"));
  CHECK(network.graph->nodes[4].reason == "the shape of an operand is unknown");
}

TEST_CASE("operands of unknown shape are counted too") {
  OnnxMaker maker;
  maker.input("X", {2, 48}).weight("W", {48, 5}).output("Y").output("Z");
  maker.node("Twist", {"X"}, {"twisted"}).set_domain("com.example");
  maker.node("MatMul", {"twisted", "W"}, {"Y"});
  maker.node("Gemm", {"twisted", "W"}, {"Z"});
  CHECK(contains(maker.error(),
                 "m.onnx: node 'the_MatMul' (MatMul): input A 'twisted': found no "
                 "shape"));
  CHECK(contains(maker.error(), "; the same holds for others, altogether 1 Gemm, 1 MatMul"));
}

TEST_CASE("a model of which nothing is left says what it has") {
  OnnxMaker maker;
  maker.input("X", {4, 4}).output("Y").node("Relu", {"X"}, {"Y"});
  CHECK(contains(maker.error(),
                 "graph: found no layer among 1 nodes: 1 Relu, allowed are models "
                 "with one of Conv, ConvTranspose, Gemm"));
}

TEST_CASE("functions of the model's own may be skipped") {
  OnnxMaker maker = testkit::conv_maker();
  maker.proto.add_functions()->set_name("f");
  CHECK(contains(maker.error(), "--skip-unsupported"));
  CHECK(maker.read({.skip_unsupported = true}).layers.size() == 1);
}
