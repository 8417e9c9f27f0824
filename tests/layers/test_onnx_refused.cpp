// Malformed models: each is refused with file, node, attribute, what was found and what is allowed.
#include <doctest/doctest.h>

#include <cstdint>
#include <functional>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::conv_maker;
using testkit::OnnxMaker;
using testkit::set;
using testkit::set_text;

namespace {

using List = std::vector<std::int64_t>;

struct Damage {
  std::string message;
  std::function<void(OnnxMaker&, onnx::NodeProto&)> apply;
};

/// Every damage done to a model of its own, X [1, 4, 9, 8] * W [6, 4, 3, 2].
void check_all(const std::vector<Damage>& damages) {
  for (const Damage& damage : damages) {
    OnnxMaker maker = conv_maker();
    damage.apply(maker, *maker.graph().mutable_node(0));
    const std::string error = maker.error();
    CAPTURE(error);
    CHECK(error.starts_with("dir/m.onnx: "));
    CHECK_MESSAGE(texts::contains(error, damage.message), damage.message);
  }
}

}  // namespace

TEST_CASE("what is no model, or no whole one") {
  const std::string bytes = conv_maker().bytes();
  for (const std::string& bad : {std::string("name: a YAML file\n"), bytes.substr(0, 40)}) {
    CHECK(texts::contains(texts::error_of([&] { parse_onnx(bad, "m.onnx"); }),
                          "bytes that are no ONNX model or only a part of one"));
  }
  CHECK(texts::contains(texts::error_of([] { parse_onnx("", "m.onnx"); }),
                        "m.onnx: graph: found none, or one without nodes"));
}

TEST_CASE("models as a whole") {
  check_all({
      {"graph: found none", [](auto& m, auto&) { m.proto.clear_graph(); }},
      {"graph: found none", [](auto& m, auto&) { m.graph().clear_node(); }},
      {"ir_version: found 0, allowed are integers >= 1",
       [](auto& m, auto&) { m.proto.clear_ir_version(); }},
      {"opset_import: found no version of ai.onnx",
       [](auto& m, auto&) { m.proto.clear_opset_import(); }},
      {"opset_import: found version 99 of ai.onnx, allowed are versions 1 .. ",
       [](auto& m, auto&) { m.proto.mutable_opset_import(0)->set_version(99); }},
      {"opset_import: found version 0 of ai.onnx",
       [](auto& m, auto&) { m.proto.mutable_opset_import(0)->set_version(0); }},
      {"opset_import: found ai.onnx a second time",
       [](auto& m, auto&) { m.proto.add_opset_import()->set_version(12); }},
      {"functions: found 1", [](auto& m, auto&) { m.proto.add_functions()->set_name("f"); }},
      {"graph: found no layer among 1 nodes: 1 Relu, allowed are models with one of Conv, ",
       [](auto& m, auto& n) {
         n.set_op_type("Relu");
         n.mutable_input()->RemoveLast();
         m.graph().clear_initializer();
       }},
  });
}

TEST_CASE("names and edges") {
  check_all({
      {"node 'the_Conv' (Conv): input: found the tensor 'Z', which nothing makes",
       [](auto&, auto& n) { n.set_input(0, "Z"); }},
      {"output: found the tensor 'Z', which nothing makes", [](auto& m, auto&) { m.output("Z"); }},
      {"node 'the_Conv' (Conv): found the input 'Y', made only by this or a later node",
       [](auto&, auto& n) { n.set_input(0, "Y"); }},
      {"node 'the_Conv' (Conv): found the input 'late', made only by this or a later node",
       [](auto& m, auto& n) {
         n.set_input(0, "late");
         m.node("Relu", {"Y"}, {"late"});
       }},
      {"node 'the_Conv': found a second node of this name",
       [](auto& m, auto&) {
         m.node("Conv", {"X", "W"}, {"Z"});
       }},
      {"node 'the_Relu' (Relu): output 'Y': found a second tensor of this name",
       [](auto& m, auto&) { m.node("Relu", {"X"}, {"Y"}); }},
      {"input 'X': found a second tensor of this name", [](auto& m, auto&) { m.input("X", {1}); }},
      {"initializer 'W'", [](auto& m, auto&) { m.weight("W", {1}); }},
      {"a node of operator Conv: found neither a name nor an output",
       [](auto&, auto& n) {
         n.clear_name();
         n.clear_output();
       }},
      {"node: found a name that is not plain text", [](auto&, auto& n) { n.set_name("a\x1b[2J"); }},
      {"node 'the_Conv': found a name that is not plain text",
       [](auto&, auto& n) { n.set_input(0, "\xff"); }},
  });
}

TEST_CASE("operators") {
  check_all({
      {"node 'the_Conv' (Convolution): operator: found Convolution, allowed are the operators of "
       "ai.onnx, version 13",
       [](auto&, auto& n) { n.set_op_type("Convolution"); }},
      {"operators: found 1 of 1 nodes that cannot be read: 1 LSTM ('the_Conv': recurrent layers",
       [](auto& m, auto& n) {
         n.set_op_type("LSTM");
         n.add_input("W");
         static_cast<void>(m);
       }},
      {"node 'the_Conv' (Conv): found Node (the_Conv) has input size 1 not in range [min=2, max=3]",
       [](auto&, auto& n) { n.mutable_input()->RemoveLast(); }},
      {"allowed are nodes that keep to the operator's schema",
       [](auto&, auto& n) { set(n, "padding", List{1}); }},
      {"allowed are nodes that keep to the operator's schema",
       [](auto&, auto& n) { set(n, "strides", 2); }},
      {"domain: found ai.onnx.ml, of which opset_import gives no version",
       [](auto&, auto& n) { n.set_domain("ai.onnx.ml"); }},
      {"1 com.example::Conv ('the_Conv': a graph inside of the node, which could contain layers)",
       [](auto&, auto& n) {
         n.set_domain("com.example");
         onnx::AttributeProto& branch = *n.add_attribute();
         branch.set_name("then_branch");
         branch.mutable_g()->set_name("inner");
       }},
  });
}

TEST_CASE("attributes of a convolution") {
  const std::string conv = "node 'the_Conv' (Conv): ";
  const auto with = [](const char* name, const List& values) {
    return [=](OnnxMaker&, onnx::NodeProto& n) { set(n, name, values); };
  };
  check_all({
      {conv + "strides: found 0, allowed are integers 1 .. 2147483647", with("strides", {0, 1})},
      {conv + "strides: found -1", with("strides", {1, -1})},
      {conv + "strides: found 2147483648", with("strides", {1, std::int64_t{1} << 31})},
      {conv + "strides: found [1], allowed are lists of 2 integers", with("strides", {1})},
      {conv + "dilations: found 0", with("dilations", {0, 1})},
      {conv + "dilations: found [1, 1, 1], allowed are lists of 2", with("dilations", {1, 1, 1})},
      {conv + "pads: found [0, 0], allowed are lists of 4 integers 0 .. ", with("pads", {0, 0})},
      {conv + "pads: found [0, 0, -1, 0]", with("pads", {0, 0, -1, 0})},
      {conv + "kernel_shape: found [3, 3], allowed are [3, 2], as in the shape [6, 4, 3, 2] of W",
       with("kernel_shape", {3, 3})},
      {conv + "kernel_shape: found 0", with("kernel_shape", {3, 0})},
      {conv + "auto_pad: found 'SAME', allowed are NOTSET, SAME_UPPER, SAME_LOWER and VALID",
       [](auto&, auto& n) { set_text(n, "auto_pad", "SAME"); }},
      {conv + "pads: found pads beside auto_pad = VALID",
       [](auto&, auto& n) {
         set_text(n, "auto_pad", "VALID");
         set(n, "pads", List{1, 1, 1, 1});
       }},
      {conv + "group: found 0, allowed are integers 1 .. ",
       [](auto&, auto& n) { set(n, "group", 0); }},
      {conv + "group: found 3 groups of 4 channels (W's shape is [6, 4, 3, 2]) for an input of 4",
       [](auto&, auto& n) { set(n, "group", 3); }},
      {conv + "input W: found a kernel that covers 21 of 9 columns or rows",
       with("dilations", {10, 1})},
  });
  OnnxMaker uneven = conv_maker({1, 16, 9, 8}, {6, 4, 3, 2});
  set(*uneven.graph().mutable_node(0), "group", 4);
  CHECK(texts::contains(uneven.error(),
                        "group: found 4 groups for 6 output channels, allowed are "
                        "divisors of the number of output channels"));
}

TEST_CASE("shapes of a convolution") {
  CHECK(
      texts::contains(conv_maker({1, 4, 9, 8, 7}, {6, 4, 3, 2, 1}).error(),
                      "1 Conv ('the_Conv': a convolution in three dimensions; allowed are one and "
                      "two)"));
  CHECK(texts::contains(conv_maker({1, 4}, {6, 4}).error(), "input X: found the shape [1, 4]"));
  CHECK(texts::contains(conv_maker({1, 4, 9, 8}, {6, 4, 3}).error(),
                        "input W: found the shape [6, 4, 3], allowed are rank 4, X's"));
  CHECK(texts::contains(conv_maker({1, 4, 0, 8}).error(), "dimension 2: found 0"));
  CHECK(texts::contains(conv_maker({1, 4, 9, 8}, {6, 4, 0, 2}).error(),
                        "input W 'W': found the shape [6, 4, 0, 2], allowed are sizes 1 .. "));
  CHECK(texts::contains(conv_maker({1, 4, -5, 8}).error(), "tensor 'X': found the size -5"));
  CHECK(texts::contains(conv_maker({1, 4, std::int64_t{1} << 40, 8}).error(),
                        "tensor 'X': found the size 1099511627776, allowed are sizes 0 .. "));
  CHECK(texts::contains(conv_maker({1 << 20, 4, 1 << 20, 1 << 20}, {6, 4, 3, 2}).error(),
                        "is too large; allowed is less than 2^53"));
  check_all({
      {"input 'X': found no shape",
       [](auto& m, auto&) {
         m.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
       }},
      {"input B: found the shape [5], allowed are [6], one for each output channel",
       [](auto& m, auto& n) {
         m.weight("B", {5});
         n.add_input("B");
       }},
      {"shapes: found a contradiction: ",
       [](auto& m, auto&) {
         auto& type = *m.graph().mutable_output(0)->mutable_type()->mutable_tensor_type();
         type.set_elem_type(onnx::TensorProto::FLOAT);
         for (const int size : {1, 6, 5, 5}) type.mutable_shape()->add_dim()->set_dim_value(size);
       }},
  });
}

TEST_CASE("shapes of products") {
  const auto error = [](const char* op, const Shape& a, const Shape& b) {
    OnnxMaker maker;
    maker.input("A", a).input("B", b).output("Y").node(op, {"A", "B"}, {"Y"});
    return maker.error();
  };
  CHECK(texts::contains(error("Gemm", {5, 7}, {6, 3}),
                        "node 'the_Gemm' (Gemm): inputs A and B: found the shapes [5, 7] and "
                        "[6, 3], summed over 7 and 6"));
  CHECK(texts::contains(error("Gemm", {2, 5, 7}, {7, 3}), "input A: found the shape [2, 5, 7]"));
  CHECK(texts::contains(error("Gemm", {5, 7}, {7}), "input B: found the shape [7], allowed are "));
  CHECK(texts::contains(error("MatMul", {5, 7}, {6, 3}), "summed over 7 and 6"));
  CHECK(texts::contains(error("MatMul", {2, 5, 7}, {3, 7, 3}),
                        "found the batch dimensions [2] and [3], allowed are equal sizes"));
  CHECK(texts::contains(error("MatMul", {}, {7, 3}), "input A: found a scalar"));
  const std::int64_t huge = (std::int64_t{1} << 31) - 1;
  CHECK(texts::contains(error("MatMul", {huge, huge, huge, 5, 7}, {huge, huge, huge, 7, 3}),
                        "at most 2^53 products"));
}

TEST_CASE("files: by their name, and as networks of layers") {
  const texts::Folder folder;
  const std::string file = folder.write("two.onnx", conv_maker().bytes());
  CHECK(read_network(file).name == "two");
  CHECK(read_workload(file + ":the_Conv").bound(Dim::K) == 6);
  CHECK(texts::contains(texts::error_of([&] { read_workload(file); }), "allowed is one layer"));
  CHECK(texts::contains(texts::error_of([&] { read_workload(file + ":the_Cnov"); }),
                        "did you mean 'the_Conv'?"));
  CHECK(texts::contains(texts::error_of([&] { read_network(folder.path("none.onnx")); }),
                        "none.onnx: the file cannot be opened"));
  CHECK(texts::contains(texts::error_of([] { read_network("resnet18", {.batch = 2}); }),
                        "resnet18: --batch: found 2, allowed is a batch for ONNX models only"));
}
