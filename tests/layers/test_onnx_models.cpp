// Real exported models, read as they are and read damaged: the one must give known figures, the
// other an InputError or a network, and nothing else.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "files/source.hpp"
#include "layers/onnx_maker.hpp"
#include "support/cases.hpp"
#include "support/texts.hpp"

using namespace pimbb;

namespace {

/// Bytes of $PIMBB_SHARED/onnx/NAME.onnx; empty, with a message, where there is none.
std::string model(const std::string& name) {
  const char* shared = std::getenv("PIMBB_SHARED");
  const std::string path = (shared == nullptr ? "" : shared) + ("/onnx/" + name + ".onnx");
  if (shared == nullptr || !files::path_exists(path)) {
    MESSAGE("skipped: no $PIMBB_SHARED/onnx/" << name << ".onnx");
    return {};
  }
  return files::load_file(path).text;
}

struct Known {
  const char* name;
  std::size_t convolutions;
  std::size_t products;
  std::size_t distinct;
  std::int64_t macs;
};

// ResNet-18, VGG-16: the totals of data/network. MobileNet-V2: the paper's 300 M. The attention
// block: 2 * 128 * 256 * (256 + 128 + 128 + 1024).
constexpr Known kKnown[] = {
    {"resnet18", 20, 1, 12, 1'814'073'344},
    {"vgg16", 13, 3, 12, 15'470'264'320},
    {"mobilenet_v2", 52, 1, 31, 300'774'272},
    {"attention", 0, 4, 4, 100'663'296},
};

/// A model that needs no file: one node of many an operator whose shapes are hard to infer.
std::string many_operators() {
  testkit::OnnxMaker m;
  m.input("X", {1, 4, 9, 8})
      .weight("W", {4, 4, 3, 3})
      .weight("V", {288, 10})
      .weight("U", {4, 5})
      .output("Y");
  m.integers("flat", {1, -1}).integers("axes", {2, 3}).integers("two", {2, 2});
  m.integers("begin", {0, 1}).integers("end", {9, 5}).integers("wide", {0, 0, 1, 1, 0, 0, 1, 1});
  m.integers("index", {0, 2}).integers("big", {1, 4, 18, 16}).integers("one", {1});
  onnx::NodeProto& conv = m.node("Conv", {"X", "W"}, {"a"});
  testkit::set(conv, "pads", {1, 1, 1, 1});
  testkit::set(conv, "strides", {1, 1});
  m.node("Relu", {"a"}, {"b"});
  onnx::NodeProto& pool = m.node("MaxPool", {"b"}, {"p"});
  testkit::set(pool, "kernel_shape", {3, 3});
  testkit::set(pool, "pads", {1, 1, 1, 1});
  m.node("Add", {"p", "X"}, {"c"});
  testkit::set(m.node("AveragePool", {"c"}, {"c1"}), "kernel_shape", {2, 2});
  testkit::set(m.node("Concat", {"c", "p", "X"}, {"c2"}), "axis", 1);
  testkit::set(m.node("Split", {"c2"}, {"s0", "s1", "s2"}), "axis", 1);
  m.node("Slice", {"c", "begin", "end", "axes"}, {"c3"});
  testkit::set(m.node("Gather", {"c", "index"}, {"c4"}), "axis", 1);
  m.node("Pad", {"c", "wide"}, {"c5"});
  m.node("Resize", {"c", "", "", "big"}, {"c6"});
  testkit::set(m.node("Transpose", {"c"}, {"c7"}), "perm", {0, 2, 3, 1});
  testkit::set(m.node("SpaceToDepth", {"c6"}, {"c8"}), "blocksize", 2);
  testkit::set(m.node("DepthToSpace", {"c8"}, {"c9"}), "blocksize", 2);
  m.node("Unsqueeze", {"c", "axes"}, {"d0"});
  m.node("Squeeze", {"d0", "axes"}, {"d1"});
  m.node("Shape", {"c"}, {"d2"});
  testkit::set(m.node("Gather", {"d2", "index"}, {"d3"}), "axis", 0);
  testkit::set(m.node("Concat", {"d3", "one"}, {"d4"}), "axis", 0);
  m.node("Tile", {"flat", "one"}, {"d5"});
  m.node("Expand", {"c1", "one"}, {"d6"});
  testkit::set(m.node("ReduceMean", {"c"}, {"d7"}), "axes", {2, 3});
  m.node("ReduceSum", {"c", "axes"}, {"d8"});
  testkit::set(m.node("Softmax", {"c"}, {"d9"}), "axis", 1);
  testkit::set(m.node("TopK", {"c", "one"}, {"e0", "e1"}), "axis", 1);
  m.node("ConstantOfShape", {"two"}, {"e2"});
  m.node("Where", {"e2", "e2", "e2"}, {"e3"});
  m.node("GlobalAveragePool", {"c"}, {"e4"});
  testkit::set(m.node("Flatten", {"e4"}, {"e5"}), "axis", 1);
  m.node("MatMul", {"c7", "U"}, {"e6"});
  m.node("Reshape", {"c", "flat"}, {"d"});
  m.node("Gemm", {"d", "V"}, {"Y"});
  int number = 0;
  for (onnx::NodeProto& node : *m.graph().mutable_node()) {
    node.set_name(node.name() + std::to_string(number++));
  }
  return m.bytes();
}

/// False if something other than an InputError is thrown; a crash ends the test by itself.
bool survives(const std::string& bytes) {
  try {
    static_cast<void>(parse_onnx(bytes, "damaged.onnx"));
  } catch (const InputError&) {
  } catch (const std::exception& error) {
    MESSAGE(error.what());
    return false;
  }
  return true;
}

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

/// Numbers that programs forget.
std::int64_t odd_number(Random& random) {
  constexpr std::int64_t kOdd[] = {-1,         0,         1,         2,         3,         7,
                                   -(1 << 20), INT64_MIN, INT64_MAX, 1LL << 31, 1LL << 32, 100};
  return kOdd[below(random, std::size(kOdd))];
}

/// One change of the model that protobuf still parses.
void disturb(Random& random, onnx::GraphProto& graph) {
  onnx::NodeProto& node = *graph.mutable_node(
      static_cast<int>(below(random, static_cast<std::size_t>(graph.node_size()))));
  const onnx::NodeProto& other =
      graph.node(static_cast<int>(below(random, static_cast<std::size_t>(graph.node_size()))));
  switch (below(random, 6)) {
    case 0:
      for (auto& attribute : *node.mutable_attribute()) {
        if (below(random, 2) == 0) attribute.set_i(odd_number(random));
        for (auto& value : *attribute.mutable_ints()) {
          if (below(random, 2) == 0) value = odd_number(random);
        }
        if (below(random, 4) == 0) attribute.add_ints(odd_number(random));
      }
      break;
    case 1: node.set_op_type(other.op_type()); break;
    case 2:
      if (node.input_size() > 0 && other.input_size() > 0) node.set_input(0, other.input(0));
      break;
    case 3: node.add_input(other.input_size() > 0 ? other.input(0) : ""); break;
    case 4:
      for (auto& tensor : *graph.mutable_initializer()) {
        if (below(random, 4) != 0) continue;
        if (below(random, 2) == 0 && tensor.dims_size() > 0) tensor.set_dims(0, odd_number(random));
        for (auto& value : *tensor.mutable_int64_data()) value = odd_number(random);
        if (below(random, 3) == 0) tensor.add_dims(odd_number(random));
      }
      break;
    default:
      if (node.input_size() > 0) node.mutable_input()->RemoveLast();
  }
}

}  // namespace

TEST_CASE("real models: layers and MACs are those that are known") {
  for (const Known& known : kKnown) {
    const std::string bytes = model(known.name);
    if (bytes.empty()) continue;
    CAPTURE(known.name);
    const Network network = parse_onnx(bytes, std::string(known.name) + ".onnx");
    Rational macs;
    std::size_t convolutions = 0;
    for (const GraphNode& node : network.graph->nodes) {
      if (!node.layer) continue;
      macs += node.layer->macs();
      convolutions += node.op == "Conv" ? 1 : 0;
    }
    CHECK(convolutions == known.convolutions);
    CHECK(network.layers.size() == known.convolutions + known.products);
    CHECK(macs == Rational(known.macs));
    CHECK(merge_equal_layers(network).layers.size() == known.distinct);
  }
}

TEST_CASE("exported networks have the layers of the presets, all but their names") {
  for (const std::string name : {"resnet18", "mobilenet_v2", "vgg16"}) {
    const std::string bytes = model(name);
    if (bytes.empty()) continue;
    CAPTURE(name);
    const Network exported = merge_equal_layers(parse_onnx(bytes, name + ".onnx"));
    const Network preset = read_network(name);
    REQUIRE(exported.layers.size() == preset.layers.size());
    for (const NetworkLayer& layer : preset.layers) {
      CAPTURE(layer.workload.name);
      CHECK(std::ranges::count_if(exported.layers, [&](const NetworkLayer& other) {
              return same_shape(other.workload, layer.workload) &&
                     other.repetitions == layer.repetitions;
            }) == 1);
    }
  }
}

TEST_CASE("the model of many operators is sound: what is disturbed below begins whole") {
  const Network network = parse_onnx(many_operators(), "many.onnx");
  CHECK(network.layers.size() == 3);
  const auto& tensors = network.graph->tensors;
  CHECK(std::ranges::count_if(tensors, [](const GraphTensor& t) { return !t.shape; }) <= 1);
}

TEST_CASE("damaged bytes are refused or read, never a crash") {
  std::vector<std::string> models{many_operators()};
  for (const char* name : {"attention", "resnet18"}) {
    if (std::string bytes = model(name); !bytes.empty()) models.push_back(std::move(bytes));
  }
  Random random(1);
  for (const std::string& bytes : models) {
    for (std::size_t i = 0; i < testkit::cases(300); ++i) {
      std::string damaged = bytes;
      if (i % 3 == 0) damaged.resize(below(random, bytes.size()));
      for (std::size_t flips = below(random, 4); flips > 0 && !damaged.empty(); --flips) {
        damaged[below(random, damaged.size())] ^= static_cast<char>(1U << below(random, 8));
      }
      CHECK(survives(damaged));
    }
  }
}

TEST_CASE("models that parse but make no sense are refused or read, never a crash") {
  std::vector<std::string> models{many_operators()};
  for (const char* name : {"attention", "mobilenet_v2"}) {
    if (std::string bytes = model(name); !bytes.empty()) models.push_back(std::move(bytes));
  }
  Random random(2);
  for (const std::string& bytes : models) {
    for (std::size_t i = 0; i < testkit::cases(300); ++i) {
      onnx::ModelProto proto;
      REQUIRE(proto.ParseFromString(bytes));
      for (std::size_t n = 1 + below(random, 3); n > 0; --n) {
        disturb(random, *proto.mutable_graph());
      }
      CHECK(survives(proto.SerializeAsString()));
    }
  }
}
