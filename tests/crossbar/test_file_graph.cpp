// Graphs of network files: shapes follow from layers, windows and operators.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "crossbar/golden.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

const std::string kFile = R"(
name: made
layers:
  - {name: conv, R: 3, S: 3, P: 4, Q: 4, C: 3, K: 4, N: 1, stride: [2, 2], input: [8, 7]}
  - {name: next, R: 3, S: 3, P: 2, Q: 3, C: 4, K: 6, N: 1}
  - {name: fc, R: 1, S: 1, P: 1, Q: 1, C: 10, K: 5, N: 1}
graph:
  - {node: conv, layer: conv}
  - {node: pool, op: MaxPool, window: [3, 2], stride: [2, 1], pad: [1, 0]}
  - {node: next, layer: next}
  - {node: relu, op: Relu}
  - {node: sum, op: Add, from: [next, relu]}
  - {node: both, op: Concat, from: [sum, pool]}
  - {node: mean, op: GlobalAveragePool}
  - {node: flat, op: Flatten}
  - {node: fc, layer: fc}
)";

NodeGraph graph_of(const std::string& text) { return node_graph(parse_network(text, "file.yaml")); }

/// What is said about the file when `from` in it is `to`.
std::string said(const std::string& from, const std::string& to) {
  std::string text = kFile;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  try {
    static_cast<void>(graph_of(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& from, const std::string& to, const std::string& part) {
  const std::string text = said(from, to);
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

/// Kernel, stride and border before of both axes of all nodes of `op`, sorted.
std::vector<std::vector<std::int64_t>> windows(const NodeGraph& graph, Op op) {
  std::vector<std::vector<std::int64_t>> all;
  for (const Node& node : graph.nodes) {
    if (node.op != op) continue;
    const WindowAxis& v = node.vertical;
    const WindowAxis& h = node.horizontal;
    all.push_back({node.in.channels, node.in.height, node.in.width, node.out.channels,
                   node.out.height, node.out.width, v.kernel, v.stride, v.before, h.kernel,
                   h.stride, h.before});
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("nodes of a network file") {
  const NodeGraph graph = graph_of(kFile);
  REQUIRE(graph.nodes.size() == 10);
  CHECK(graph.nodes[0].out == Volume{3, 7, 8});
  CHECK(graph.nodes[1].op == Op::conv);
  CHECK(graph.nodes[1].vertical == WindowAxis{3, 2, 1, 1});
  CHECK(graph.nodes[1].horizontal == WindowAxis{3, 2, 1, 0});
  CHECK(graph.nodes[2].op == Op::pool);
  CHECK(graph.nodes[2].vertical == WindowAxis{2, 1, 0, 0});
  CHECK(graph.nodes[2].horizontal == WindowAxis{3, 2, 1, 1});
  CHECK(graph.nodes[2].out == Volume{4, 3, 2});
  CHECK(graph.nodes[3].vertical == WindowAxis{3, 1, 1, 1});
  CHECK(graph.nodes[5].op == Op::eltwise);
  CHECK(graph.nodes[6].out == Volume{10, 3, 2});
  CHECK(graph.nodes[7].vertical == WindowAxis{3, 1, 0, 0});
  CHECK(graph.nodes[7].horizontal == WindowAxis{2, 1, 0, 0});
  CHECK(graph.nodes[8].op == Op::pass);
  CHECK(graph.nodes[9].op == Op::fc);
  CHECK(graph.nodes[9].in == Volume{10, 1, 1});
}

TEST_CASE("the input of a file that does not say its plane") {
  const std::string file =
      "{name: one, layers: [{name: a, R: 3, S: 1, P: 4, Q: 2, C: 2, K: 1, N: 1}],"
      " graph: [{node: a, layer: a";
  CHECK(graph_of(file + "}]}").nodes[0].out == Volume{2, 2, 6});
  CHECK(graph_of(file + ", pad: [1, 0]}]}").nodes[0].out == Volume{2, 2, 4});
}

TEST_CASE("windows that a file may not have") {
  const std::string pool = "op: MaxPool, window: [3, 2], stride: [2, 1], pad: [1, 0]";
  CHECK(says(pool, pool, "accepted"));
  CHECK(says(pool, "op: MaxPool, window: [3, 2], stride: [2, 1], pad: [1, 0, 1, 0]", "accepted"));
  CHECK(says(pool, "op: MaxPool", "node 'pool' (MaxPool): found"));
  CHECK(says(pool, "op: MaxPool, window: [3, 2], pad: [1, 0, 1]", "pad: found a list of 3"));
  CHECK(says(pool, "op: MaxPool, window: [3]", "window: found"));
  CHECK(says(pool, "op: MaxPool, window: [0, 2]", "window"));
  CHECK(says(pool, "op: MaxPool, stride: [2, 1]", "stride: found no window beside it"));
  CHECK(says("op: Relu", "op: Relu, window: [1, 1]", "window: found a window of Relu"));
  CHECK(says("op: GlobalAveragePool", "op: GlobalAveragePool, window: [2, 3]",
             "window: found a window of GlobalAveragePool"));
  CHECK(says("{node: next, layer: next", "{node: next, layer: next, stride: [1, 1]",
             "stride: found a window of Layer"));
}

TEST_CASE("layers that do not fit together") {
  CHECK(says("Q: 3, C: 4", "Q: 3, C: 5",
             "node 'next' (Layer): found 5 input channels, allowed are 4"));
  CHECK(says("C: 3, K: 4, N: 1", "C: 3, K: 4, N: 2", "node 'conv' (Layer): found a batch of 2"));
  CHECK(says("C: 10, K: 5", "C: 11, K: 5", "node 'fc'"));
  CHECK(says("op: Flatten", "op: Transpose", "node 'flat' (Transpose): found the tensor 'flat'"));
}

TEST_CASE("presets have the nodes of the golden networks") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = read_architecture("pimcomp");
  for (const std::string name : {"resnet18", "vgg16", "squeezenet", "googlenet"}) {
    CAPTURE(name);
    const NodeGraph graph = node_graph(read_network(name));
    const NodeGraph expected = golden::graph("networks/" + name + ".json", *folder);
    for (const Op op : {Op::conv, Op::pool, Op::eltwise}) {
      CHECK(windows(graph, op) == windows(expected, op));
    }
    const Partition p = make_partition(a, graph);
    CHECK(p.arrays.size() == make_partition(a, expected).arrays.size());
  }
}

TEST_CASE("presets whose graphs crossbars take") {
  const Architecture a = read_architecture("pimcomp");
  for (const std::string name :
       {"alexnet", "densenet121", "googlenet", "inception_v3", "mobilenet_v1", "mobilenet_v2",
        "resnet18", "resnet34", "resnet50", "squeezenet", "vgg16"}) {
    CAPTURE(name);
    const Partition p = make_partition(a, node_graph(read_network(name)));
    const Node& last = p.graph.nodes.back();
    CHECK(last.op == (name == "squeezenet" ? Op::pool : Op::fc));
  }
}
