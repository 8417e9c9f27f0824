// Formulas of one axis at a time.
#include "crossbar/cost/window.hpp"

#include <algorithm>

#include "exact/int128.hpp"

namespace pimbb::crossbar::cost {
namespace {

/// Outputs of an axis, and the input elements during which they are made.
struct Overlap {
  std::int64_t outputs;
  std::int64_t elements;
};

Overlap overlap(const WindowAxis& axis, std::int64_t input) {
  const std::int64_t lead = axis.kernel - axis.before - 1;
  const std::int64_t rest = input - lead;
  const std::int64_t outputs = (input + axis.before + axis.after - axis.kernel) / axis.stride + 1;
  if (rest < outputs) return {std::max<std::int64_t>(rest, 0), input};
  if (rest - outputs <= outputs - 1) return {outputs, input};
  return {outputs, lead + outputs + (outputs - 1) * (axis.stride - 1)};
}

}  // namespace

std::int64_t later_load(const Architecture& a, const Node& node) {
  if (node.op == Op::fc) return a.core.rows;
  const Int128 kernel = Int128{node.vertical.kernel} * node.horizontal.kernel;
  const Int128 moved = Int128{std::min(node.vertical.stride, node.vertical.kernel)} *
                       std::min(node.horizontal.stride, node.horizontal.kernel);
  return static_cast<std::int64_t>((a.core.rows * moved + kernel - 1) / kernel);
}

std::int64_t vector_passes(const Partition& p, std::size_t v) {
  const Node& node = p.graph.nodes[v];
  if (node.op == Op::pool) return node.vertical.kernel * node.horizontal.kernel;
  return static_cast<std::int64_t>(p.operands[v]) - 1;
}

std::int64_t pixels_loaded(const Partition& p, std::size_t v) {
  const Node& node = p.graph.nodes[v];
  if (node.op != Op::pool) return static_cast<std::int64_t>(p.sources[v].size());
  return std::min(node.vertical.kernel, node.vertical.stride) *
         std::min(node.horizontal.kernel, node.horizontal.stride);
}

Rational waiting_fraction(const NodeGraph& graph, std::size_t v) {
  const Node& node = graph.nodes[v];
  if (graph.nodes[node.from.front()].op == Op::input) return 0;
  const Overlap rows = overlap(node.vertical, node.in.height);
  const Overlap columns = overlap(node.horizontal, node.in.width);
  return Rational(1) - Rational(rows.outputs) * Rational(columns.outputs) /
                           (Rational(rows.elements) * Rational(columns.elements));
}

}  // namespace pimbb::crossbar::cost
