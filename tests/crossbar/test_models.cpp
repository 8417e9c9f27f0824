// Exported ONNX models against the golden partitions of the same networks, which come from another
// reader.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "crossbar/golden.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/io.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

/// A, w, W of all array nodes, sorted: the order of nodes differs between exporters.
using Sizes = std::vector<std::array<std::int64_t, 3>>;

Sizes sizes(const Partition& p) {
  Sizes all;
  for (const ArrayNode& array : p.arrays) all.push_back({array.groups, array.width, array.windows});
  std::ranges::sort(all);
  return all;
}

std::ptrdiff_t count(const NodeGraph& graph, Op op) {
  return std::ranges::count(graph.nodes, op, &Node::op);
}

}  // namespace

TEST_CASE("models have the partitions of the golden networks") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = read_architecture("pimcomp");
  for (const std::string name : {"resnet18", "vgg16"}) {
    CAPTURE(name);
    const auto model = folder->parent_path().parent_path() / "onnx" / (name + ".onnx");
    if (!std::filesystem::exists(model)) {
      MESSAGE("skipped: no " << model.string());
      continue;
    }
    const NodeGraph graph = node_graph(read_network(model.string()));
    const NodeGraph expected = golden::graph("networks/" + name + ".json", *folder);
    CHECK(sizes(make_partition(a, graph)) == sizes(make_partition(a, expected)));
    CHECK(count(graph, Op::pool) >= count(expected, Op::pool));
    CHECK(count(graph, Op::eltwise) == count(expected, Op::eltwise));
  }
}
