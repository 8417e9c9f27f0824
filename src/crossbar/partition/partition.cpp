// Array groups of every node, and parts of nodes that are wider than a core.
#include "pimbb/crossbar/partition.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Crossbars that an array group of the node covers.
std::int64_t width_of(const Architecture& a, const Node& node) {
  return ceil_div(node.out.channels, a.weights_per_row());
}

std::int64_t height_of(const Node& node) {
  if (node.op == Op::fc) return node.in.channels * node.in.pixels();
  return node.vertical.kernel * node.horizontal.kernel * node.in.channels;
}

/// Copies nodes in their order; a wide one is followed by its parts instead.
class Splitter {
 public:
  Splitter(const Architecture& architecture, const NodeGraph& graph) : a_(architecture) {
    result_.graph.name = graph.name;
    for (const Node& node : graph.nodes) {
      made_.emplace_back();
      const std::int64_t width = node.is_array() ? width_of(a_, node) : 0;
      const std::int64_t parts = std::max<std::int64_t>(1, ceil_div(width, a_.core.crossbars));
      for (std::int64_t i = 0; i < parts; ++i) add(node, i, parts);
    }
  }

  Partition take() && { return std::move(result_); }

 private:
  void add(const Node& node, std::int64_t i, std::int64_t parts) {
    const std::size_t place = result_.graph.nodes.size();
    Node part = node;
    part.from.clear();
    for (const std::size_t u : node.from) {
      part.from.insert(part.from.end(), made_[u].begin(), made_[u].end());
    }
    if (parts > 1) {
      const std::int64_t channels = a_.core.crossbars * a_.weights_per_row();
      part.name += "." + std::to_string(i);
      part.out.channels = std::min(channels, node.out.channels - i * channels);
    }
    made_.back().push_back(place);
    result_.operands.push_back(node.from.size());
    result_.array_of.emplace_back();
    if (node.is_array()) {
      result_.array_of.back() = result_.arrays.size();
      result_.arrays.push_back({place, ceil_div(height_of(node), a_.core.rows), width_of(a_, part),
                                node.windows(),
                                result_.arrays.size() - static_cast<std::size_t>(i)});
    }
    result_.graph.nodes.push_back(std::move(part));
  }

  const Architecture& a_;
  std::vector<std::vector<std::size_t>> made_;  // by node of the given graph: its parts
  Partition result_;
};

void find_sources(Partition& p) {
  for (const Node& node : p.graph.nodes) {
    std::vector<std::size_t>& sources = p.sources.emplace_back();
    for (const std::size_t u : node.from) {
      const Op op = p.graph.nodes[u].op;
      if (op == Op::concat || op == Op::pass) {
        sources.insert(sources.end(), p.sources[u].begin(), p.sources[u].end());
      } else {
        sources.push_back(u);
      }
    }
  }
}

/// The most elements that an array group loads at once, under the rule of any estimate.
Rational largest_load(const Architecture& a, const Node& node) {
  const Rational rows(a.core.rows);
  if (node.op == Op::fc) return rows;
  return rows * max(1, Rational(node.vertical.stride) * Rational(node.horizontal.stride) /
                           (Rational(node.vertical.kernel) * Rational(node.horizontal.kernel)));
}

/// More than what all resources together take to move so many elements; and than their number.
Rational handling(const Architecture& a, const Rational& elements) {
  const Rational bytes = elements * Rational(a.bits.activation) / Rational(8) + Rational(1);
  return elements + bytes + bytes / a.bandwidth.memory + bytes / a.bandwidth.bus +
         bytes / a.bandwidth.link + Rational(3) +
         (bytes / Rational(a.core.vector_bytes) + Rational(1)) * Rational(a.core.vector_time);
}

/// An upper bound of every sum of times that an estimate computes.
Rational longest(const Architecture& a, const Partition& p) {
  Rational sum;
  Rational largest;  // what an array group loads or its node stores at once
  std::int64_t windows = 1;
  for (const Node& node : p.graph.nodes) {
    const Rational kernel = Rational(node.vertical.kernel) * Rational(node.horizontal.kernel);
    const Rational steps = max(kernel, static_cast<std::int64_t>(node.from.size())) + Rational(1);
    const Rational pixel(node.in.channels + node.out.channels);
    sum += Rational(2) * Rational(node.windows()) * steps * handling(a, pixel);
    windows = std::max(windows, node.windows());
  }
  for (const ArrayNode& array : p.arrays) {
    const Node& node = p.node(array);
    const Rational once = handling(a, largest_load(a, node)) + handling(a, node.out.channels);
    sum += Rational(array.windows) * Rational(array.groups) * once;
    largest = max(largest, once);
  }
  const Rational held = Rational(a.all_cores()) * Rational(a.core.crossbars);
  const Rational round =
      Rational(a.core.crossbars) * Rational(a.mvm.interval) + Rational(a.mvm.time) + held * largest;
  return sum + Rational(2) * Rational(windows) * round;
}

void check_names(const NodeGraph& graph) {
  std::set<std::string_view> names;
  for (const Node& node : graph.nodes) {
    if (!node.name.empty() && names.insert(node.name).second) continue;
    throw InputError("graph '" + graph.name + "': found the node name '" + node.name +
                     "' twice or empty, allowed are distinct names");
  }
}

}  // namespace

Partition make_partition(const Architecture& architecture, const NodeGraph& graph) {
  validate(architecture);
  validate(graph);
  Partition result = Splitter(architecture, graph).take();
  check_names(result.graph);
  find_sources(result);
  result.consumers = consumers(result.graph);
  if (longest(architecture, result) >= Rational(std::int64_t{1} << 62)) {
    throw LimitError("graph '" + graph.name + "': found times that may exceed 2^62 ns on '" +
                     architecture.name + "', allowed are smaller ones");
  }
  return result;
}

}  // namespace pimbb::crossbar
