// Models of operator sets newer than the linked library: shapes by ONNX's definitions, by hand.
#include <doctest/doctest.h>

#include <algorithm>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::OnnxMaker;
using testkit::set;
using testkit::set_text;
using texts::contains;

namespace {

/// X, the node under test, and a layer that makes it a model.
OnnxMaker around(std::int64_t opset, const Shape& x) {
  OnnxMaker maker(opset);
  maker.input("X", x).input("P", {3, 3}).weight("W", {3, 3}).output("Q");
  maker.node("MatMul", {"P", "W"}, {"Q"});
  return maker;
}

std::optional<Shape> shape(const OnnxMaker& maker, std::string_view name = "Y") {
  const Network network = maker.read();
  for (const GraphTensor& tensor : network.graph->tensors) {
    if (tensor.name == name) return tensor.shape;
  }
  return std::nullopt;
}

OnnxMaker& floats(OnnxMaker& maker, const std::string& name, const std::vector<float>& values) {
  onnx::TensorProto& tensor = *maker.graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const float value : values) tensor.add_float_data(value);
  return maker;
}

}  // namespace

TEST_CASE("versions 18 and newer are read, those that nobody knows yet are not") {
  for (const std::int64_t opset : {18, 19, 20, 21, 22, 23, 24, 25, 26}) {
    CAPTURE(opset);
    OnnxMaker maker(opset);
    maker.input("X", {1, 4, 9, 8}).weight("W", {6, 4, 3, 2}).output("Y");
    maker.node("Conv", {"X", "W"}, {"Y"});
    CHECK(maker.read().layers.at(0).workload.bounds == Factors{2, 3, 7, 7, 4, 6, 1, 1});
  }
  OnnxMaker maker(99);
  maker.input("X", {4, 4}).weight("W", {4, 4}).node("MatMul", {"X", "W"}, {"Y"});
  CHECK(contains(maker.error(),
                 "opset_import: found version 99 of ai.onnx, allowed are versions 1 "
                 ".. 26"));
}

TEST_CASE("operators that are new keep the shape of their input, or broadcast") {
  for (const auto& [name, opset] : {std::pair("BitwiseNot", 18), std::pair("Mish", 18),
                                    std::pair("Gelu", 20), std::pair("Swish", 24)}) {
    const std::string op = name;  // clang 14 captures no structured binding
    CAPTURE(op);
    OnnxMaker maker = around(opset, {2, 3, 4});
    maker.node(op, {"X"}, {"Y"});
    CHECK(shape(maker) == Shape{2, 3, 4});
    OnnxMaker older = around(opset - 1, {2, 3, 4});
    older.node(op, {"X"}, {"Y"});
    CHECK(contains(older.error(), "allowed are the operators of ai.onnx, version"));
  }
  OnnxMaker norm = around(23, {2, 3, 4});
  norm.weight("scale", {4}).node("RMSNormalization", {"X", "scale"}, {"Y"});
  CHECK(shape(norm) == Shape{2, 3, 4});
  OnnxMaker both = around(18, {2, 1, 4});
  both.input("Z", {3, 1}).node("BitwiseAnd", {"X", "Z"}, {"Y"});
  CHECK(shape(both) == Shape{2, 3, 4});
}

TEST_CASE("reductions take their axes as an input") {
  for (const char* op : {"ReduceMean", "ReduceMax", "ReduceL2", "ReduceLogSumExp"}) {
    OnnxMaker maker = around(18, {2, 3, 4});
    maker.integers("axes", {-1, 0}).node(op, {"X", "axes"}, {"Y"});
    CHECK(shape(maker) == Shape{1, 3, 1});
    set(*maker.graph().mutable_node(1), "keepdims", 0);
    CHECK(shape(maker) == Shape{3});
  }
  OnnxMaker all = around(18, {2, 3, 4});
  all.node("ReduceMean", {"X"}, {"Y"});
  CHECK(shape(all) == Shape{1, 1, 1});
  set(*all.graph().mutable_node(1), "noop_with_empty_axes", 1);
  CHECK(shape(all) == Shape{2, 3, 4});
  OnnxMaker wrong = around(18, {2, 3, 4});
  wrong.integers("axes", {3}).node("ReduceMean", {"X", "axes"}, {"Y"});
  CHECK_FALSE(shape(wrong));
}

TEST_CASE("Split into a number of parts, the last one smaller") {
  OnnxMaker maker = around(18, {2, 7});
  onnx::NodeProto& node = maker.node("Split", {"X"}, {"Y", "Z", "V"});
  set(node, "num_outputs", 3);
  set(node, "axis", 1);
  CHECK(shape(maker, "Y") == Shape{2, 3});
  CHECK(shape(maker, "Z") == Shape{2, 3});
  CHECK(shape(maker, "V") == Shape{2, 1});
  OnnxMaker sizes = around(18, {2, 7});
  sizes.integers("sizes", {2, 5});
  set(sizes.node("Split", {"X", "sizes"}, {"Y", "Z"}), "axis", -1);
  CHECK(shape(sizes, "Z") == Shape{2, 5});
}

TEST_CASE("Resize and Pad of some axes") {
  OnnxMaker resize = around(18, {1, 3, 8, 6});
  resize.integers("sizes", {16, 9});
  onnx::NodeProto& node = resize.node("Resize", {"X", "", "", "sizes"}, {"Y"});
  set(node, "axes", {2, 3});
  set(node, "antialias", 1);
  CHECK(shape(resize) == Shape{1, 3, 16, 9});
  set_text(*resize.graph().mutable_node(1), "keep_aspect_ratio_policy", "not_larger");
  CHECK_FALSE(shape(resize));

  OnnxMaker scaled = around(19, {1, 3, 8, 6});
  floats(scaled, "scales", {1, 1, 2, 1.5F}).node("Resize", {"X", "", "scales"}, {"Y"});
  CHECK(shape(scaled) == Shape{1, 3, 16, 9});

  OnnxMaker pad = around(18, {1, 3, 8, 6});
  pad.integers("pads", {1, 2, 3, 4}).integers("axes", {-1, 2});
  pad.node("Pad", {"X", "pads", "", "axes"}, {"Y"});
  CHECK(shape(pad) == Shape{1, 3, 8 + 2 + 4, 6 + 1 + 3});
}

TEST_CASE("pooling with dilations") {
  OnnxMaker maker = around(19, {1, 3, 9, 9});
  onnx::NodeProto& node = maker.node("AveragePool", {"X"}, {"Y"});
  set(node, "kernel_shape", {2, 3});
  set(node, "dilations", {1, 2});
  set(node, "strides", {2, 2});
  CHECK(shape(maker) == Shape{1, 3, 4, 3});  // windows of 2 and 5 in 9
  set(*maker.graph().mutable_node(1), "ceil_mode", 1);
  CHECK(shape(maker) == Shape{1, 3, 5, 3});
}

TEST_CASE("attributes that were added do not disturb") {
  OnnxMaker maker(21);
  maker.input("X", {4, 8}).weight("W", {8, 5}).weight("s", {}).output("Y");
  set(maker.node("QuantizeLinear", {"X", "s"}, {"q"}), "output_dtype",
      static_cast<std::int64_t>(onnx::TensorProto::INT8));
  set(maker.node("DequantizeLinear", {"q", "s"}, {"d"}), "axis", 0);
  onnx::NodeProto& cast = maker.node("Cast", {"d"}, {"c"});
  set(cast, "to", static_cast<std::int64_t>(onnx::TensorProto::FLOAT16));
  set(cast, "saturate", 0);
  maker.node("MatMul", {"c", "W"}, {"Y"});
  CHECK(maker.read().layers.at(0).workload.bounds == Factors{1, 1, 4, 1, 8, 5, 1, 1});
}

TEST_CASE("operators whose results are not inferred must be declared") {
  OnnxMaker maker = around(18, {1, 12, 4});
  maker.integers("image", {3, 3}).integers("block", {2, 2}).weight("V", {3, 2});
  maker.node("Col2Im", {"X", "image", "block"}, {"Y"});
  maker.node("MatMul", {"Y", "V"}, {"Z"}).set_name("after");
  CHECK(contains(maker.error(), "node 'after' (MatMul): input A 'Y': found no shape"));
  maker.declare("Y", {1, 3, 3, 3});
  CHECK(maker.read().layers.at(1).workload.bound(Dim::C) == 3);
}

TEST_CASE("attention as one operator is refused by name, its result has a shape") {
  OnnxMaker maker = around(23, {2, 5, 32});
  maker.input("K", {2, 7, 16}).input("V", {2, 7, 16}).weight("O", {32, 4});
  onnx::NodeProto& node = maker.node("Attention", {"X", "K", "V"}, {"Y"});
  set(node, "q_num_heads", 4);
  set(node, "kv_num_heads", 2);
  maker.node("MatMul", {"Y", "O"}, {"Z"}).set_name("out");
  CHECK(contains(maker.error(), "1 Attention ('the_Attention': its two products are inside"));
  const Network network = maker.read({.skip_unsupported = true});
  CHECK(network.layers.size() == 2);
  CHECK(network.layers[1].workload.bounds == Factors{1, 1, 5, 1, 32, 4, 2, 1});
}

TEST_CASE("attention with one head of keys and values for all") {
  OnnxMaker maker = around(23, {2, 5, 32});
  maker.input("K", {2, 7, 8}).input("V", {2, 7, 16}).weight("O", {64, 4});
  onnx::NodeProto& node = maker.node("Attention", {"X", "K", "V"}, {"Y"});
  set(node, "q_num_heads", 4);
  set(node, "kv_num_heads", 1);
  maker.node("MatMul", {"Y", "O"}, {"Z"}).set_name("out");
  const Network network = maker.read({.skip_unsupported = true});
  REQUIRE(network.layers.size() == 2);
  CHECK(network.layers[1].workload.bounds == Factors{1, 1, 5, 1, 64, 4, 2, 1});
}

TEST_CASE("a shape that depends on what is not stored, or on an unknown size, is not known") {
  OnnxMaker pad = around(18, {1, 3, 8, 6});
  pad.input("pads", {8}).node("Pad", {"X", "pads"}, {"Y"});
  CHECK_FALSE(shape(pad));

  OnnxMaker other = around(18, {1, 3, 8, 6});
  floats(other, "pads", {0, 0, 1, 1, 0, 0, 1, 1}).node("Pad", {"X", "pads"}, {"Y"});
  CHECK_FALSE(shape(other));

  OnnxMaker attention = around(23, {1, 12, 9});
  attention.integers("image", {3, 3}).integers("block", {2, 2}).input("K", {1, 7, 8});
  attention.node("Col2Im", {"X", "image", "block"}, {"M"});
  attention.declare("M", {1, -1, 8});
  onnx::NodeProto& node = attention.node("Attention", {"M", "K", "K"}, {"Y"});
  set(node, "q_num_heads", 2);
  set(node, "kv_num_heads", 2);
  const Network network = attention.read({.skip_unsupported = true});
  CHECK(std::ranges::none_of(network.graph->tensors, [](const GraphTensor& tensor) {
    return tensor.name == "Y" && tensor.shape;
  }));
}
