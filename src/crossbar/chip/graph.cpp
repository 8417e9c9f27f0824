// The rules of a well-formed graph of nodes.
#include "pimbb/crossbar/graph.hpp"

#include <algorithm>

#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

/// Sizes, and elements of one tensor or window: products of two are exact.
constexpr std::int64_t kLargestVolume = (std::int64_t{1} << 31) - 1;

class GraphRules {
 public:
  explicit GraphRules(const NodeGraph& graph) : graph_(graph) {}

  void check() const {
    if (graph_.nodes.empty() || graph_.nodes[0].op != Op::input) {
      throw InputError("graph: found no input as node 0, allowed are graphs that begin with it");
    }
    for (std::size_t v = 0; v < graph_.nodes.size(); ++v) check_node(v);
    if (std::ranges::none_of(graph_.nodes, &Node::is_array)) {
      throw InputError("graph: found no array node, allowed are networks with a Conv or an FC");
    }
  }

 private:
  [[noreturn]] void refuse(std::size_t v, const std::string& found,
                           const std::string& allowed) const {
    throw InputError("node '" + graph_.nodes[v].name + "': found " + found + ", allowed are " +
                     allowed);
  }

  static std::string text(const Volume& volume) {
    return "[" + std::to_string(volume.channels) + ", " + std::to_string(volume.height) + ", " +
           std::to_string(volume.width) + "]";
  }

  void check_node(std::size_t v) const {
    const Node& node = graph_.nodes[v];
    if ((node.op == Op::input) != (v == 0)) refuse(v, "a second input", "networks with one");
    check_volume(v, node.out);
    if (v == 0) {
      if (!node.from.empty()) refuse(v, "an input that reads a node", "inputs that read none");
      return;
    }
    check_volume(v, node.in);
    check_edges(v);
    if (node.op == Op::conv || node.op == Op::pool) {
      check_axis(v, node.vertical, node.in.height, node.out.height);
      check_axis(v, node.horizontal, node.in.width, node.out.width);
    }
    if (node.op == Op::conv &&
        node.vertical.kernel * node.horizontal.kernel > kLargestVolume / node.in.channels) {
      refuse(v, "a window that is too large", "windows of less than 2^31 elements");
    }
    if (node.op == Op::pool && node.in.channels != node.out.channels) {
      refuse(v, "other channels than it reads", "as many");
    }
    if (node.op == Op::eltwise && node.in != node.out) {
      refuse(v, "the result " + text(node.out), "that of its operands, " + text(node.in));
    }
  }

  void check_volume(std::size_t v, const Volume& volume) const {
    const bool positive = volume.channels > 0 && volume.height > 0 && volume.width > 0;
    if (positive && volume.height <= kLargestVolume / volume.width &&
        volume.channels <= kLargestVolume / volume.pixels()) {
      return;
    }
    refuse(v, "a tensor " + text(volume), "sizes >= 1 and less than 2^31 elements");
  }

  void check_edges(std::size_t v) const {
    const Node& node = graph_.nodes[v];
    if (node.from.empty()) refuse(v, "no operand", "nodes that read others");
    const bool many = node.op == Op::eltwise || node.op == Op::concat;
    if (!many && node.from.size() > 1) refuse(v, "more than one operand", "one");
    if (node.op == Op::eltwise && node.from.size() < 2) refuse(v, "one operand", "two or more");
    std::int64_t channels = 0;
    for (const std::size_t u : node.from) {
      if (u >= v) refuse(v, "an operand that comes later", "nodes before it");
      if (node.op == Op::eltwise && std::ranges::count(node.from, u) > 1) {
        refuse(v, "the operand '" + graph_.nodes[u].name + "' twice", "different operands");
      }
      check_operand(v, graph_.nodes[u].out);
      channels += graph_.nodes[u].out.channels;
    }
    if (node.op == Op::concat && channels != node.out.channels) {
      refuse(v, std::to_string(channels) + " channels of its operands",
             std::to_string(node.out.channels) + ", those of its result");
    }
  }

  void check_operand(std::size_t v, const Volume& read) const {
    const Node& node = graph_.nodes[v];
    bool fits = read == node.in;
    if (node.op == Op::concat) {
      fits = read.height == node.out.height && read.width == node.out.width;
    } else if (node.op == Op::fc || node.op == Op::pass) {  // elements may be put in one dimension
      fits = read.channels * read.pixels() == node.in.channels * node.in.pixels();
    }
    if (!fits) refuse(v, "an operand " + text(read), "operands " + text(node.in));
  }

  void check_axis(std::size_t v, const WindowAxis& axis, std::int64_t in, std::int64_t out) const {
    for (const std::int64_t size : {axis.kernel, axis.stride}) {
      if (size < 1 || size > kLargestVolume) refuse(v, "a kernel or stride < 1", "sizes >= 1");
    }
    for (const std::int64_t border : {axis.before, axis.after}) {
      if (border < 0 || border > kLargestVolume) refuse(v, "a negative border", "borders >= 0");
    }
    const std::int64_t room = in + axis.before + axis.after - axis.kernel;
    if (room < 0 || room / axis.stride + 1 != out) {
      refuse(v, std::to_string(out) + " output pixels along an axis",
             "those that its window gives");
    }
  }

  const NodeGraph& graph_;
};

}  // namespace

void validate(const NodeGraph& graph) { GraphRules(graph).check(); }

std::vector<std::vector<std::size_t>> consumers(const NodeGraph& graph) {
  std::vector<std::vector<std::size_t>> readers(graph.nodes.size());
  for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
    for (const std::size_t u : graph.nodes[v].from) {
      if (readers[u].empty() || readers[u].back() != v) readers[u].push_back(v);
    }
  }
  return readers;
}

}  // namespace pimbb::crossbar
