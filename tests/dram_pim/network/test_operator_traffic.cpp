// Bytes and rows of operators that are no layers, counted by hand.
#include <doctest/doctest.h>

#include <algorithm>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/operator_traffic.hpp"
#include "pimbb/error.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

/// Rows of 1,024 bytes; elements of 1, 2 and 4 bytes.
Architecture machine() {
  Architecture a = read_architecture("simple_pim");
  REQUIRE(a.row_bytes() == 1024);
  a.bits = {8, 16, 32};
  return a;
}

/// x (read) and s (constant) by one node to y.
Graph graph(const char* op, std::optional<Shape> x, std::optional<Shape> s, Shape y) {
  Graph made;
  made.tensors.resize(3);
  made.tensors[0].shape = std::move(x);
  made.tensors[1].shape = std::move(s);
  made.tensors[1].constant = true;
  made.tensors[2].shape = std::move(y);
  GraphNode& node = made.nodes.emplace_back();
  node.op = op;
  node.inputs = {0, std::nullopt, 1};
  node.outputs = {2};
  return made;
}

}  // namespace

TEST_CASE("each tensor is moved once, with its own bytes, in rows of its own") {
  const Graph add = graph("Add", Shape{1, 3, 20, 20}, Shape{3, 1, 1}, {1, 3, 20, 20});
  CHECK(is_counted(add, add.nodes[0]));
  const auto moved = operator_traffic(machine(), add, add.nodes[0]);
  REQUIRE(moved);
  CHECK(moved->bytes == Rational(1200 * 1 + 3 * 2 + 1200 * 4));
  CHECK(moved->rows == Rational(2 + 1 + 5));  // 1,200, 6 and 4,800 bytes
  const Graph whole = graph("MaxPool", Shape{2, 512}, Shape{0}, {1, 1});
  CHECK(operator_traffic(machine(), whole, whole.nodes[0])->rows == Rational(1 + 0 + 1));
}

TEST_CASE("kinds are summed apart; what moves nothing, or is not known, is not counted") {
  Graph all = graph("Softmax", Shape{4, 4}, Shape{1}, {4, 4});
  const auto add = [&](const char* op) {
    GraphNode node = all.nodes[0];
    node.op = op;
    all.nodes.push_back(node);
  };
  for (const char* op : {"Relu", "Gelu", "LayerNormalization", "GlobalAveragePool", "Identity",
                         "QuantizeLinear", "Reshape", "com.example::Relu"}) {
    add(op);
  }
  add("Tanh");
  all.nodes.back().outputs = {1};  // a constant: made before the network runs
  add("Tanh");
  all.nodes.back().layer.emplace();
  add("Sqrt");
  all.tensors.emplace_back();
  all.nodes.back().inputs = {3};  // of unknown shape
  const auto kinds = traffic_by_kind(machine(), all);
  const std::int64_t bytes = 16 * 1 + 2 + 16 * 4;
  CHECK(kinds[0].nodes == 2);
  CHECK(kinds[0].unknown == 1);
  CHECK(kinds[0].moved.bytes == Rational(2 * bytes));
  CHECK(kinds[0].moved.rows == Rational(2 * 3));
  for (const std::size_t kind : {1, 2, 3}) {
    CHECK(kinds[kind].nodes == 1);
    CHECK(kinds[kind].unknown == 0);
    CHECK(kinds[kind].moved.bytes == Rational(bytes));
  }
}

TEST_CASE("the table of kinds is sorted, for its search") {
  CHECK(operator_kind("Abs") == OperatorKind::element_wise);
  CHECK(operator_kind("Where") == OperatorKind::element_wise);
  CHECK(operator_kind("LRN") == OperatorKind::normalisation);
  CHECK(operator_kind("LayerNormalization") == OperatorKind::normalisation);
  CHECK(operator_kind("Hardmax") == OperatorKind::softmax);
  CHECK(operator_kind("PRelu") == OperatorKind::element_wise);
  CHECK(operator_kind("") == OperatorKind::other);
  CHECK(operator_kind("Zzz") == OperatorKind::other);
  CHECK(is_element_wise("BatchNormalization"));
  CHECK_FALSE(is_element_wise("LayerNormalization"));
  CHECK_FALSE(is_element_wise("MaxPool"));
}

TEST_CASE("tensors beyond all machines are refused") {
  const std::int64_t huge = (std::int64_t{1} << 31) - 1;
  const Graph add = graph("Add", Shape{huge, huge, huge}, Shape{1}, {1});
  CHECK_THROWS_AS(operator_traffic(machine(), add, add.nodes[0]), InputError);
}

// ResNet-18 by hand: MaxPool reads 64 x 112 x 112 and writes 64 x 56 x 56, eight sums move three
// tensors each, the last pooling reads 512 x 7 x 7.
TEST_CASE("the shapes of a network file follow from its layers") {
  const Network network = read_network("resnet18");
  const auto kinds = traffic_by_kind(read_architecture("simple_pim"), *network.graph);
  CHECK(kinds[0].nodes == 8);
  CHECK(kinds[0].moved.bytes ==
        Rational(2 * 3 * (64 * 56 * 56 + 128 * 28 * 28 + 256 * 14 * 14 + 512 * 7 * 7)));
  CHECK(kinds[1].nodes == 2);
  CHECK(kinds[1].moved.bytes == Rational(64 * 112 * 112 + 64 * 56 * 56 + 512 * 7 * 7 + 512));
  CHECK(kinds[0].unknown + kinds[1].unknown == 0);
}

TEST_CASE("layers that contradict each other tell no shapes") {
  constexpr std::string_view kText = R"(
layers:
  - {name: a, R: 1, S: 1, P: 8, Q: 8, C: 4, K: 4, N: 1}
  - {name: b, R: 1, S: 1, P: 4, Q: 4, C: 4, K: 4, N: 1}
graph:
  - {node: a, layer: a}
  - {node: b, layer: b, from: [input]}
  - {node: sum, op: Add, from: [a, b]}
)";
  const Network network = parse_network(kText, "n.yaml");
  for (const GraphTensor& tensor : network.graph->tensors) CHECK_FALSE(tensor.shape);
}
