// Each operator of ONNX as a mapping problem; expected figures are counted by hand or window by
// window.
#include <doctest/doctest.h>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::conv_maker;
using testkit::OnnxMaker;
using testkit::set;
using testkit::set_text;

namespace {

GraphLayer layer(const OnnxMaker& maker) {
  const Network network = maker.read();
  for (const GraphNode& node : network.graph->nodes) {
    if (node.layer) return *node.layer;
  }
  FAIL("no layer");
  return {};
}

/// Windows of `extent` that begin every `stride` within `padded` columns, one by one.
std::int64_t windows(std::int64_t padded, std::int64_t extent, std::int64_t stride) {
  std::int64_t count = 0;
  for (std::int64_t begin = 0; begin + extent <= padded; begin += stride) ++count;
  return count;
}

OnnxMaker product(const char* op, const Shape& a, const Shape& b, bool a_is_weight = false,
                  bool b_is_weight = true) {
  OnnxMaker maker;
  a_is_weight ? maker.weight("A", a) : maker.input("A", a);
  b_is_weight ? maker.weight("B", b) : maker.input("B", b);
  maker.output("Y").node(op, {"A", "B"}, {"Y"});
  return maker;
}

}  // namespace

TEST_CASE("a plain convolution: height and width, kernel and channels") {
  const GraphLayer l = layer(conv_maker());
  CHECK(l.workload.name == "the_Conv");
  CHECK(l.workload.bounds == Factors{2, 3, 7, 7, 4, 6, 1, 1});  // R S P Q C K N
  CHECK(l.products == 1);
  CHECK(l.macs() == Rational(2 * 3 * 7 * 7 * 4 * 6));
}

TEST_CASE("strides, dilations and pads decide how many windows there are") {
  for (std::int64_t stride = 1; stride <= 3; ++stride) {
    for (std::int64_t dilation = 1; dilation <= 3; ++dilation) {
      for (std::int64_t pad = 0; pad <= 3; ++pad) {
        OnnxMaker maker = conv_maker({2, 4, 9, 11}, {6, 4, 3, 2});
        onnx::NodeProto& node = *maker.graph().mutable_node(0);
        set(node, "strides", {stride, 1});
        set(node, "dilations", {1, dilation});
        set(node, "pads", {pad, 1, 0, pad});  // top, left, bottom, right
        set(node, "kernel_shape", {3, 2});
        const Workload w = layer(maker).workload;
        CHECK(w.bound(Dim::Q) == windows(9 + pad, 3, stride));
        CHECK(w.bound(Dim::P) == windows(11 + 1 + pad, dilation + 1, 1));
        CHECK(w.bound(Dim::N) == 2);
        CHECK(w.stride_h == stride);
        CHECK(w.stride_w == 1);
        CHECK(w.dilation_h == 1);
        CHECK(w.dilation_w == dilation);
        CHECK(w.input_height() <= 9 + pad);  // the padded input, up to the last column covered
        CHECK(w.input_width() <= 11 + 1 + pad);
      }
    }
  }
}

TEST_CASE("the plane of the input is X's own, whatever the padding") {
  OnnxMaker maker = conv_maker({2, 4, 9, 11}, {6, 4, 3, 2});
  set(*maker.graph().mutable_node(0), "pads", {2, 1, 0, 3});
  CHECK(layer(maker).workload.input_plane == Plane{11, 9});  // width, height
  CHECK(layer(conv_maker({1, 4, 9}, {6, 4, 3})).workload.input_plane == Plane{9, 1});
  CHECK_FALSE(layer(product("MatMul", {5, 4}, {4, 6})).workload.input_plane);
}

TEST_CASE("automatic padding") {
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"}) {
    OnnxMaker maker = conv_maker({1, 4, 9, 8}, {6, 4, 3, 3});
    onnx::NodeProto& node = *maker.graph().mutable_node(0);
    set_text(node, "auto_pad", mode);
    set(node, "strides", {2, 2});
    const bool same = std::string_view(mode).starts_with("SAME");
    const Workload w = layer(maker).workload;
    CHECK(w.bound(Dim::Q) == (same ? 5 : 4));  // ceil(9 / 2); windows begin at 0, 2, 4, 6
    CHECK(w.bound(Dim::P) == (same ? 4 : 3));
  }
}

TEST_CASE("a convolution in one dimension lies along the width") {
  OnnxMaker maker = conv_maker({5, 4, 10}, {6, 4, 3});
  set(*maker.graph().mutable_node(0), "strides", std::vector<std::int64_t>{2});
  const GraphLayer l = layer(maker);
  CHECK(l.workload.bounds == Factors{3, 1, 4, 1, 4, 6, 5, 1});
  CHECK(l.workload.stride_w == 2);
  CHECK(l.workload.stride_h == 1);
}

TEST_CASE("groups: one problem with a loop over them") {
  OnnxMaker grouped = conv_maker({1, 8, 5, 5}, {6, 4, 3, 3});
  set(*grouped.graph().mutable_node(0), "group", 2);
  const GraphLayer l = layer(grouped);
  CHECK(l.workload.bounds == Factors{3, 3, 3, 3, 4, 3, 1, 2});
  CHECK(l.repetitions() == 1);
  CHECK(l.macs() == Rational(3 * 3 * 3 * 3 * 4 * 6));  // every output channel sums over C / g

  OnnxMaker depthwise = conv_maker({1, 8, 5, 5}, {8, 1, 3, 3});
  set(*depthwise.graph().mutable_node(0), "group", 8);
  CHECK(layer(depthwise).workload.bounds == Factors{3, 3, 3, 3, 1, 1, 1, 8});
  CHECK(depthwise.read().layers.at(0).repetitions == 1);
}

TEST_CASE("Gemm, transposed or not, with or without an addend") {
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      OnnxMaker maker =
          product("Gemm", trans_a ? Shape{7, 5} : Shape{5, 7}, trans_b ? Shape{3, 7} : Shape{7, 3});
      onnx::NodeProto& node = *maker.graph().mutable_node(0);
      set(node, "transA", trans_a);
      set(node, "transB", trans_b);
      maker.weight("C", {3});
      if (trans_a) node.add_input("C");
      onnx::AttributeProto& alpha = *node.add_attribute();
      alpha.set_name("alpha");
      alpha.set_type(onnx::AttributeProto::FLOAT);
      alpha.set_f(0.5F);
      CHECK(layer(maker).workload.bounds == Factors{1, 1, 5, 1, 7, 3, 1, 1});
    }
  }
}

TEST_CASE("MatMul with a weight: the batch is N") {
  const GraphLayer two = layer(product("MatMul", {5, 7}, {7, 3}));
  CHECK(two.workload.bounds == Factors{1, 1, 5, 1, 7, 3, 1, 1});
  const GraphLayer batched = layer(product("MatMul", {2, 4, 5, 7}, {7, 3}));
  CHECK(batched.workload.bounds == Factors{1, 1, 5, 1, 7, 3, 8, 1});
  CHECK(batched.products == 1);
  const GraphLayer ones = layer(product("MatMul", {2, 4, 5, 7}, {1, 1, 7, 3}));
  CHECK(ones.workload.bounds == batched.workload.bounds);
  const GraphLayer vectors = layer(product("MatMul", {7}, {7, 3}));
  CHECK(vectors.workload.bounds == Factors{1, 1, 1, 1, 7, 3, 1, 1});
  const GraphLayer column = layer(product("MatMul", {2, 5, 7}, {7}));
  CHECK(column.workload.bounds == Factors{1, 1, 5, 1, 7, 1, 2, 1});
}

TEST_CASE("MatMul with the weight on the left is the transposed product") {
  for (const Shape& b : {Shape{7, 3}, Shape{4, 7, 3}}) {
    const GraphLayer l = layer(product("MatMul", {5, 7}, b, true, false));
    CHECK(l.workload.bounds == Factors{1, 1, 3, 1, 7, 5, b.size() == 3 ? 4 : 1, 1});
    CHECK(l.input_slot == 1);
    CHECK(l.weight_slot == 0);
  }
  // Shared by the whole batch, it plays the weight even though it is computed.
  CHECK(layer(product("MatMul", {5, 7}, {4, 7, 3}, false, false)).weight_slot == 0);
  CHECK(layer(product("MatMul", {5, 7}, {7, 3}, false, false)).weight_slot == 1);
}

TEST_CASE("MatMul of two batched tensors: each product alone") {
  const GraphLayer equal = layer(product("MatMul", {2, 4, 5, 7}, {2, 4, 7, 3}, false, false));
  CHECK(equal.workload.bounds == Factors{1, 1, 5, 1, 7, 3, 1, 1});
  CHECK(equal.products == 8);
  CHECK(equal.macs() == Rational(8 * 5 * 7 * 3));
  const GraphLayer crossed = layer(product("MatMul", {2, 1, 5, 7}, {4, 7, 3}, false, false));
  CHECK(crossed.products == 8);
}

TEST_CASE("a symbolic batch is given from outside, and only where there is one") {
  OnnxMaker open = conv_maker({-1, 4, 9, 8});
  CHECK(open.read(16).layers.at(0).workload.bound(Dim::N) == 16);
  CHECK(texts::contains(open.error(),
                        "m.onnx: inputs: found the symbol 'batch' (X[0]) without a size, allowed "
                        "are numbers: give them with --dim SYMBOL=N, or first dimensions with "
                        "--batch N"));
  CHECK(texts::contains(conv_maker().error(2), "--batch: found 2"));
  CHECK(texts::contains(conv_maker({1, 4, -1, 8}).error(2),
                        "inputs: found the symbol 'batch' (X[2]) without a size"));
}
