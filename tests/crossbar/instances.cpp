// Draws of shapes and machines.
#include "crossbar/instances.hpp"

#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar/io.hpp"

namespace testkit {

using namespace pimbb::crossbar;

namespace {

std::int64_t between(Draw& draw, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
}

Node convolution(Draw& draw, std::size_t number, const Volume& in) {
  Node node;
  node.name = "conv" + std::to_string(number);
  node.operation = "Conv";
  node.op = Op::conv;
  node.from = {number - 1};
  node.in = in;
  const std::int64_t kernel = between(draw, 1, 2);
  node.vertical = node.horizontal = {kernel, between(draw, 1, 2), 0, kernel - 1};
  const auto size = [](const WindowAxis& axis, std::int64_t length) {
    return (length + axis.before + axis.after - axis.kernel) / axis.stride + 1;
  };
  node.out = {between(draw, 1, 40), size(node.vertical, in.height),
              size(node.horizontal, in.width)};
  return node;
}

}  // namespace

Instance golden_instance(const golden::Json& line, const std::filesystem::path& folder) {
  Architecture a = golden::architecture(line.at("arch"));
  NodeGraph graph = golden::graph(line.at("net"), folder);
  Partition p = make_partition(a, graph);
  return {std::move(a), std::move(graph), std::move(p)};
}

Instance random_instance(Draw& draw) {
  Architecture a = read_architecture("pimcomp");
  a.cores = between(draw, 1, 4);
  a.core.crossbars = between(draw, 2, 8);
  a.core.rows = 8;
  a.core.columns = 8;
  a.core.max_nodes = between(draw, 1, 3);
  a.mvm = {between(draw, 1, 9) * 100, between(draw, 1, 4) * 50};
  NodeGraph graph;
  graph.name = "random";
  const std::int64_t side = between(draw, 1, 5);
  graph.nodes.push_back(
      {"input", "Input", Op::input, {}, {3, side, side}, {3, side, side}, {}, {}});
  for (std::int64_t n = between(draw, 1, 3); n > 0; --n) {
    graph.nodes.push_back(convolution(draw, graph.nodes.size(), graph.nodes.back().out));
  }
  Partition p = make_partition(a, graph);
  return {std::move(a), std::move(graph), std::move(p)};
}

/// A stem; two branches from it, of which one may read the input; their sum or concatenation; a
/// pool and a last layer, convolution or fully connected. Small nodes, so that they have replicas.
Instance random_branches(Draw& draw) {
  Architecture a = read_architecture("pimcomp");
  a.cores = between(draw, 1, 4);
  a.core.crossbars = between(draw, 3, 7);
  a.core.rows = 8;
  a.core.columns = 8;
  a.core.max_nodes = between(draw, 1, 4);
  a.mvm = {between(draw, 1, 6) * 100, between(draw, 1, 4) * 50};
  const std::int64_t side = between(draw, 2, 6);
  const std::int64_t channels = between(draw, 1, 8);
  const Volume plane{channels, side, side};
  const WindowAxis wide{3, 1, 1, 1};
  NodeGraph graph;
  graph.name = "branches";
  graph.nodes.push_back(
      {"input", "Input", Op::input, {}, {1, side, side}, {1, side, side}, {}, {}});
  graph.nodes.push_back({"stem", "Conv", Op::conv, {0}, {1, side, side}, plane, wide, wide});
  const std::size_t other = between(draw, 0, 2) == 0 ? 0 : 1;
  graph.nodes.push_back({"left", "Conv", Op::conv, {1}, plane, plane, {}, {}});
  if (between(draw, 0, 3) > 0) {
    const Volume read = graph.nodes[other].out;
    graph.nodes.push_back({"right", "Conv", Op::conv, {other}, read, plane, {}, {}});
    if (between(draw, 0, 1) == 0) {
      graph.nodes.push_back({"add", "Eltwise", Op::eltwise, {2, 3}, plane, plane, {}, {}});
    } else {
      const Volume both{2 * channels, side, side};
      graph.nodes.push_back({"join", "Concat", Op::concat, {2, 3}, both, both, {}, {}});
    }
  }
  const auto add = [&](const std::string& name, Op op, const Volume& out, const WindowAxis& axis) {
    const std::size_t last = graph.nodes.size() - 1;
    graph.nodes.push_back({name, name, op, {last}, graph.nodes.back().out, out, axis, axis});
  };
  if (side % 2 == 0 && between(draw, 0, 1) == 0) {
    add("pool", Op::pool, {graph.nodes.back().out.channels, side / 2, side / 2}, {2, 2, 0, 0});
  }
  const Volume in = graph.nodes.back().out;
  const std::int64_t last = between(draw, 0, 2);
  const std::int64_t outputs = between(draw, 1, 40);  // up to five crossbars wide
  if (last == 0) add("last", Op::conv, {outputs, in.height, in.width}, {});
  if (last == 1) add("fc", Op::fc, {outputs, 1, 1}, {});
  Partition p = make_partition(a, graph);
  return {std::move(a), std::move(graph), std::move(p)};
}

Instance drawn_instance(Draw& draw, std::size_t i) {
  return i % 4 == 0 ? random_instance(draw) : random_branches(draw);
}

Instance modules(std::size_t count, std::int64_t cores,
                 const std::vector<std::string>& more_changes) {
  NodeGraph graph;
  graph.name = "modules";
  const Volume plane{4, 6, 6};
  const WindowAxis stem{3, 2, 1, 0};
  const WindowAxis wide{3, 1, 1, 1};
  graph.nodes.push_back({"input", "Input", Op::input, {}, {2, 12, 12}, {2, 12, 12}, {}, {}});
  graph.nodes.push_back({"stem", "Conv", Op::conv, {0}, {2, 12, 12}, plane, stem, stem});
  std::size_t last = 1;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string name = "module" + std::to_string(k) + ".";
    const Volume in = graph.nodes[last].out;
    const std::size_t first = graph.nodes.size();
    graph.nodes.push_back({name + "one", "Conv", Op::conv, {last}, in, plane, {}, {}});
    graph.nodes.push_back({name + "reduce", "Conv", Op::conv, {last}, in, plane, {}, {}});
    graph.nodes.push_back(
        {name + "three", "Conv", Op::conv, {first + 1}, plane, plane, wide, wide});
    last = graph.nodes.size();
    const Volume joined{8, 6, 6};
    graph.nodes.push_back(
        {name + "join", "Concat", Op::concat, {first, first + 2}, joined, joined, {}, {}});
  }
  std::vector<std::string> changes{"cores=" + std::to_string(cores), "core.crossbars=8",
                                   "core.max_nodes=8"};
  changes.insert(changes.end(), more_changes.begin(), more_changes.end());
  Instance at{two_cores(changes), graph, {}};
  at.p = make_partition(at.a, at.graph);
  return at;
}

}  // namespace testkit
