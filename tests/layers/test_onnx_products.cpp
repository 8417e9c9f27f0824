// Quantized operators, transposed convolutions and Einsum; expected figures are counted pair by
// pair, or are those of the plain operator that means the same.
#include <doctest/doctest.h>

#include <set>

#include "layers/onnx_maker.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using testkit::OnnxMaker;
using testkit::set;
using testkit::set_text;
using texts::contains;

namespace {

std::vector<GraphLayer> layers(const OnnxMaker& maker) {
  std::vector<GraphLayer> found;
  const Network network = maker.read();
  for (const GraphNode& node : network.graph->nodes) {
    if (node.layer) found.push_back(*node.layer);
  }
  return found;
}

OnnxMaker quantized(const char* op, const Shape& x, const Shape& w, bool has_output_scale) {
  OnnxMaker maker;
  maker.input("X", x).weight("W", w).weight("scale", {}).weight("zero", {}).output("Y");
  if (has_output_scale) {
    maker.node(op, {"X", "scale", "zero", "W", "scale", "zero", "scale", "zero"}, {"Y"});
  } else {
    maker.node(op, {"X", "W", "zero", "zero"}, {"Y"});
  }
  return maker;
}

struct Transposed {
  std::int64_t input, kernel, stride, dilation, before, after, beyond;
  [[nodiscard]] std::int64_t output() const {
    return stride * (input - 1) + beyond + dilation * (kernel - 1) + 1 - before - after;
  }
  /// Pairs of an output and a tap that reach a whole place of the input, or of its border.
  [[nodiscard]] std::int64_t pairs() const {
    std::int64_t count = 0;
    for (std::int64_t o = 0; o < output(); ++o) {
      for (std::int64_t r = 0; r < kernel; ++r) {
        count += (o + before - dilation * r) % stride == 0 ? 1 : 0;
      }
    }
    return count;
  }
};

OnnxMaker transposed(const Transposed& t) {
  OnnxMaker maker;
  maker.input("X", {2, 6, t.input}).weight("W", {6, 4, t.kernel}).output("Y");
  onnx::NodeProto& node = maker.node("ConvTranspose", {"X", "W"}, {"Y"});
  const auto list = [&](const char* name, const std::vector<std::int64_t>& values) {
    set(node, name, values);
  };
  list("strides", {t.stride});
  list("dilations", {t.dilation});
  list("pads", {t.before, t.after});
  list("output_padding", {t.beyond});
  set(node, "group", 2);
  return maker;
}

OnnxMaker einsum(const char* equation, const Shape& a, const Shape& b, bool b_is_weight = true) {
  OnnxMaker maker;
  maker.input("A", a);
  b_is_weight ? maker.weight("B", b) : maker.input("B", b);
  set_text(maker.output("Y").node("Einsum", {"A", "B"}, {"Y"}), "equation", equation);
  return maker;
}

}  // namespace

TEST_CASE("quantized convolutions and products are those of the operands in other places") {
  const Workload plain = layers(testkit::conv_maker()).at(0).workload;
  const GraphLayer linear =
      layers(quantized("QLinearConv", {1, 4, 9, 8}, {6, 4, 3, 2}, true)).at(0);
  CHECK(linear.workload.bounds == plain.bounds);
  CHECK(linear.weight_slot == 3);
  const GraphLayer integer =
      layers(quantized("ConvInteger", {1, 4, 9, 8}, {6, 4, 3, 2}, false)).at(0);
  CHECK(integer.workload.bounds == plain.bounds);
  CHECK(integer.weight_slot == 1);
  const Factors product{1, 1, 5, 1, 7, 3, 2, 1};
  CHECK(layers(quantized("MatMulInteger", {2, 5, 7}, {7, 3}, false)).at(0).workload.bounds ==
        product);
  const GraphLayer matmul = layers(quantized("QLinearMatMul", {2, 5, 7}, {7, 3}, true)).at(0);
  CHECK(matmul.workload.bounds == product);
  CHECK(matmul.input_slot == 0);
  CHECK(matmul.weight_slot == 3);
}

TEST_CASE("quantizing in front and behind is passed through; weights stay constant") {
  OnnxMaker maker;
  maker.input("X", {1, 4, 9, 8}).weight("W", {6, 4, 3, 2}).weight("s", {}).weight("z", {});
  maker.output("Y");
  maker.node("QuantizeLinear", {"X", "s", "z"}, {"Xq"});
  maker.node("DequantizeLinear", {"Xq", "s", "z"}, {"Xd"});
  maker.node("DequantizeLinear", {"W", "s", "z"}, {"Wd"}).set_name("weights");
  maker.node("Conv", {"Xd", "Wd"}, {"Y"});
  const Network network = maker.read();
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].workload.bounds == layers(testkit::conv_maker()).at(0).workload.bounds);
  CHECK(network.graph->nodes[0].reason == "it multiplies no matrices");
  CHECK(network.graph->nodes[2].reason == "its result is constant, made before the network runs");
  CHECK(is_element_wise("QuantizeLinear"));
  CHECK(is_element_wise("DequantizeLinear"));
}

TEST_CASE("transposed convolutions: phases multiply what the operator multiplies") {
  for (const std::int64_t input : {1, 3, 5}) {
    for (const std::int64_t kernel : {1, 2, 3, 4, 5}) {
      for (const std::int64_t stride : {1, 2, 3}) {
        for (const std::int64_t dilation : {1, 2, 3}) {
          for (const std::int64_t before : {0, 1}) {
            const Transposed t{input, kernel, stride, dilation, before, 0, stride > 1 ? 1 : 0};
            if (t.output() < 1 || t.pairs() == 0) continue;
            CAPTURE(input);
            CAPTURE(kernel);
            CAPTURE(stride);
            CAPTURE(dilation);
            CAPTURE(before);
            std::int64_t outputs = 0;
            Rational macs;
            for (const GraphLayer& layer : layers(transposed(t))) {
              const Workload& w = layer.workload;
              CHECK(w.stride_w == 1);
              CHECK(w.bound(Dim::G) == 2);
              CHECK(w.bound(Dim::C) == 3);
              CHECK(w.bound(Dim::K) == 4);
              // Its input: the tensor, and the border that is stated.
              CHECK(w.input_width() <= input + layer.pad_left + kernel * dilation);
              outputs += layer.products * w.bound(Dim::P);
              macs += layer.macs();
            }
            CHECK(outputs <= t.output());
            CHECK(macs == Rational(2 * 6 * 4 * t.pairs()));
          }
        }
      }
    }
  }
}

TEST_CASE("phases of equal shape are one layer, others are nodes of their own") {
  OnnxMaker up;  // as a U-Net has it
  up.input("X", {1, 8, 16, 16}).weight("W", {8, 4, 2, 2}).output("Y");
  set(up.node("ConvTranspose", {"X", "W"}, {"Y"}), "strides", {2, 2});
  const Network network = up.read();
  REQUIRE(network.layers.size() == 1);
  CHECK(network.layers[0].workload.bounds == Factors{1, 1, 16, 16, 8, 4, 1, 1});
  CHECK(network.layers[0].repetitions == 4);
  CHECK(network.graph->nodes.size() == 1);

  OnnxMaker odd;
  odd.input("X", {1, 8, 16, 16}).weight("W", {8, 4, 3, 3}).output("Y");
  onnx::NodeProto& node = odd.node("ConvTranspose", {"X", "W"}, {"Y"});
  set(node, "strides", {2, 2});
  set(node, "pads", {1, 1, 1, 1});
  set(node, "output_padding", {1, 1});
  const Network phases = odd.read();
  REQUIRE(phases.layers.size() == 4);
  std::multiset<std::int64_t> macs;
  for (const NetworkLayer& layer : phases.layers) macs.insert(layer.workload.macs());
  CHECK(macs == std::multiset<std::int64_t>{8192, 16384, 16384, 32768});  // 1, 2, 2, 4 taps
  REQUIRE(phases.graph->nodes.size() == 5);
  CHECK(phases.graph->nodes[0].name == "the_ConvTranspose/phase0");
  const GraphNode& whole = phases.graph->nodes[4];
  CHECK(whole.name == "the_ConvTranspose");
  CHECK(whole.reason == "it interleaves the results of its phases, which are layers");
  CHECK(whole.inputs.size() == 4);
  CHECK(phases.graph->tensors[*whole.outputs[0]].shape == Shape{1, 4, 32, 32});
}

TEST_CASE("the padding of a transposed convolution may follow from its output") {
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER"}) {
    OnnxMaker maker;
    maker.input("X", {1, 6, 5}).weight("W", {6, 4, 4}).output("Y");
    onnx::NodeProto& node = maker.node("ConvTranspose", {"X", "W"}, {"Y"});
    set(node, "strides", std::vector<std::int64_t>{2});
    set_text(node, "auto_pad", mode);
    const std::vector<GraphLayer> same = layers(maker);
    REQUIRE(same.size() == 1);
    CHECK(same[0].workload.bound(Dim::P) == 5);  // 10 outputs in two phases of two taps
    CHECK(same[0].workload.bound(Dim::R) == 2);
    CHECK(same[0].products == 2);
    CHECK(same[0].workload.input_plane == Plane{5, 1});
  }
  OnnxMaker given;
  given.input("X", {1, 6, 5}).weight("W", {6, 4, 3}).output("Y");
  onnx::NodeProto& node = given.node("ConvTranspose", {"X", "W"}, {"Y"});
  set(node, "strides", std::vector<std::int64_t>{2});
  set(node, "output_shape", std::vector<std::int64_t>{10});
  std::int64_t outputs = 0;
  for (const GraphLayer& layer : layers(given)) outputs += layer.workload.bound(Dim::P);
  CHECK(outputs == 10);
}

TEST_CASE("transposed convolutions that make no sense") {
  OnnxMaker channels;
  channels.input("X", {1, 6, 5}).weight("W", {5, 4, 3}).output("Y");
  channels.node("ConvTranspose", {"X", "W"}, {"Y"});
  CHECK(contains(channels.error(), "input W: found the shape [5, 4, 3], allowed are 6 in front"));
  OnnxMaker groups = transposed({5, 3, 2, 1, 0, 0, 0});
  set(*groups.graph().mutable_node(0), "group", 4);
  CHECK(contains(groups.error(), "group: found 4 groups for 6 input channels"));
  OnnxMaker pads = transposed({1, 3, 2, 1, 2, 2, 0});
  CHECK(contains(pads.error(), "pads: found an output of -1 columns or rows"));
}

TEST_CASE("Einsum of two matrices is the MatMul that means the same") {
  const auto same = [](const OnnxMaker& sum, const Shape& a, const Shape& b, bool b_is_weight) {
    OnnxMaker product;
    product.input("A", a);
    b_is_weight ? product.weight("B", b) : product.input("B", b);
    product.output("Y").node("MatMul", {"A", "B"}, {"Y"});
    const GraphLayer expected = layers(product).at(0);
    const GraphLayer found = layers(sum).at(0);
    CHECK(found.workload.bounds == expected.workload.bounds);
    CHECK(found.products == expected.products);
    CHECK(found.weight_slot == expected.weight_slot);
  };
  same(einsum("ij,jk->ik", {5, 7}, {7, 3}), {5, 7}, {7, 3}, true);
  same(einsum("ij,jk", {5, 7}, {7, 3}), {5, 7}, {7, 3}, true);
  same(einsum("bij , jk -> bik", {2, 5, 7}, {7, 3}), {2, 5, 7}, {7, 3}, true);
  same(einsum("...ij,jk->...ik", {2, 4, 5, 7}, {7, 3}), {2, 4, 5, 7}, {7, 3}, true);
  same(einsum("ij,kj->ik", {5, 7}, {3, 7}), {5, 7}, {7, 3}, true);
  // The scores and the weighted values of attention.
  same(einsum("bhid,bhjd->bhij", {2, 4, 5, 7}, {2, 4, 3, 7}, false), {2, 4, 5, 7}, {2, 4, 7, 3},
       false);
  same(einsum("bhij,bhjd->bhid", {2, 4, 5, 7}, {2, 4, 7, 3}, false), {2, 4, 5, 7}, {2, 4, 7, 3},
       false);
}

TEST_CASE("Einsum beyond MatMul: several indices of one role, heads behind the sentence") {
  const GraphLayer heads = layers(einsum("bsd,dhk->bshk", {2, 5, 7}, {7, 4, 3})).at(0);
  CHECK(heads.workload.bounds == Factors{1, 1, 5, 1, 7, 12, 2, 1});
  const GraphLayer inner = layers(einsum("bshk,hkd->bsd", {2, 5, 4, 3}, {4, 3, 7})).at(0);
  CHECK(inner.workload.bounds == Factors{1, 1, 5, 1, 12, 7, 2, 1});
  const GraphLayer outer = layers(einsum("i,j->ij", {5}, {3})).at(0);
  CHECK(outer.workload.bounds == Factors{1, 1, 5, 1, 1, 3, 1, 1});
  const GraphLayer rows = layers(einsum("bi,bi->b", {5, 7}, {5, 7}, false)).at(0);
  CHECK(rows.workload.bounds == Factors{1, 1, 1, 1, 7, 1, 1, 1});
  CHECK(rows.products == 5);
}

TEST_CASE("Einsum that multiplies no matrices, or more than two") {
  const auto reason = [](OnnxMaker maker) {
    maker.weight("V", {4, 4}).output("Z").node("MatMul", {"A", "V"}, {"Z"});
    const Network network = maker.read();
    return network.graph->nodes[0].reason;
  };
  CHECK(reason(einsum("ij,ij->ij", {4, 4}, {4, 4})) == "it multiplies no matrices");
  CHECK(reason(einsum("ij,i->ij", {4, 4}, {4})) == "it multiplies no matrices");
  CHECK(contains(einsum("ii,ij->j", {4, 4}, {4, 4}).error(), "an index twice in one operand"));
  CHECK(contains(einsum("ijk,jl->il", {4, 4, 4}, {4, 4}).error(),
                 "an index of one operand that is summed before the product"));
  CHECK(contains(einsum("ij,jk->ikx", {4, 4}, {4, 4}).error(), "results with indices"));
  CHECK(contains(einsum("ij->ij", {4, 4}, {4, 4}).error(), "one operand for each of 2 inputs"));
  CHECK(contains(einsum("ijk,jk->ik", {4, 4}, {4, 4}).error(), "as many indices as the operand"));
  OnnxMaker three;
  three.input("A", {4, 4}).input("B", {4, 4}).input("C", {4, 4}).output("Y");
  set_text(three.node("Einsum", {"A", "B", "C"}, {"Y"}), "equation", "ij,jk,kl->il");
  CHECK(contains(three.error(), "1 Einsum ('the_Einsum': an equation of three operands"));
}
