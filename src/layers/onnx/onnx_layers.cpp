// From the nodes of a model to layers: one operator after the other, and one message for all that
// have none although they multiply.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "layers/onnx/onnx_model.hpp"
#include "layers/onnx/onnx_operator.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

OnnxOperator operator_of(const OnnxModel& model, const Graph& graph, const GraphNode& node,
                         const onnx::NodeProto& proto) {
  OnnxOperator op;
  op.where = model.label + ": " + describe(proto);
  op.name = node.name;
  op.type = proto.op_type();
  op.inference_report = model.inference_report;
  for (const auto& input : node.inputs) {
    op.inputs.push_back(input ? &graph.tensors[*input] : nullptr);
  }
  if (!node.outputs.empty() && node.outputs[0]) op.output = &graph.tensors[*node.outputs[0]];
  for (const onnx::AttributeProto& attribute : proto.attribute()) {
    using Type = onnx::AttributeProto;
    if (attribute.type() == Type::INT) op.integers[attribute.name()] = {attribute.i()};
    if (attribute.type() == Type::STRING) op.strings[attribute.name()] = attribute.s();
    if (attribute.type() != Type::INTS) continue;
    op.integers[attribute.name()].assign(attribute.ints().begin(), attribute.ints().end());
  }
  return op;
}

/// What the node multiplies; if nothing, the reason is filled in. Throws UnsupportedOperator.
std::vector<GraphLayer> classify(const OnnxOperator& op, const Graph& graph, GraphNode& node,
                                 const onnx::NodeProto& proto) {
  if (has_graph(proto)) op.refuse("a graph inside of the node, which could contain layers");
  if (!proto.domain().empty()) {
    node.reason = is_known_domain(proto.domain())
                      ? "an operator outside of ONNX's main domain"
                      : "an operator that ONNX does not define: what it multiplies is not known";
    return {};
  }
  const bool constant = std::ranges::all_of(
      node.outputs, [&](const auto& output) { return !output || graph.tensors[*output].constant; });
  if (constant) {
    node.reason = "its result is constant, made before the network runs";
    return {};
  }
  std::vector<GraphLayer> layers = layers_of(op);
  if (layers.empty()) node.reason = "it multiplies no matrices";
  for (GraphLayer& layer : layers) {
    layer.workload.name = node.name;
    try {
      validate(layer.workload);
    } catch (const InputError& error) {
      throw InputError(op.where + ": " + error.what());
    }
  }
  return layers;
}

/// Nodes that have no layer although they multiply, counted for one message.
class Refusals {
 public:
  void add(const GraphNode& node, const std::string& why) {
    Row& row = rows_[{node.op, why}];
    if (row.count++ == 0) row.first = node.name;
    ++all_;
  }
  void add_unknown_shape(const GraphNode& node, const std::string& message) {
    if (unknown_.empty()) unknown_ = message;
    ++unknown_by_op_[node.op];
  }

  /// Throws InputError, of one line, if there are any.
  void check(const OnnxModel& model, std::size_t nodes) const {
    if (all_ > 0) {
      std::vector<std::string> counts;
      for (const auto& [what, row] : rows_) {
        counts.push_back(fmt::format("{} {} ('{}'{}: {})", row.count, what.first, row.first,
                                     row.count > 1 ? ", ..." : "", what.second));
      }
      model.fail("operators",
                 fmt::format("{} of {} nodes that cannot be read: {}", all_, nodes,
                             fmt::join(counts, ", ")),
                 fmt::format("{}, and operators that multiply no matrices; --skip-unsupported "
                             "leaves the others out",
                             kLayerOperators));
    }
    if (unknown_.empty()) return;
    std::vector<std::string> counts;
    std::int64_t all = 0;
    for (const auto& [op, count] : unknown_by_op_) {
      counts.push_back(fmt::format("{} {}", count, op));
      all += count;
    }
    throw InputError(all == 1 ? unknown_
                              : fmt::format("{}; the same holds for others, altogether {}",
                                            unknown_, fmt::join(counts, ", ")));
  }

 private:
  struct Row {
    std::int64_t count = 0;
    std::string first;
  };
  std::map<std::pair<std::string, std::string>, Row> rows_;  ///< by operator and reason
  std::int64_t all_ = 0;
  std::string unknown_;  ///< the first message
  std::map<std::string, std::int64_t> unknown_by_op_;
};

/// A node of several layers becomes one node for each, and the node itself, which puts their
/// results together.
void split_node(Graph& graph, GraphNode node, std::vector<GraphLayer> layers,
                std::vector<GraphNode>& nodes) {
  std::vector<std::optional<std::size_t>> parts;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    GraphNode part = node;
    part.name = fmt::format("{}/phase{}", node.name, i);
    layers[i].workload.name = part.name;
    part.layer = std::move(layers[i]);
    parts.emplace_back(graph.tensors.size());
    part.outputs = {parts.back()};
    graph.tensors.emplace_back().name = part.name;
    nodes.push_back(std::move(part));
  }
  node.inputs = std::move(parts);
  node.reason = "it interleaves the results of its phases, which are layers";
  nodes.push_back(std::move(node));
}

}  // namespace

void add_layers(const OnnxModel& model, const NetworkOptions& options, const OnnxNodes& protos,
                Graph& graph) {
  Refusals refusals;
  std::vector<GraphNode> nodes;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    GraphNode node = std::move(graph.nodes[n]);
    const onnx::NodeProto& proto = protos[static_cast<int>(n)];
    const OnnxOperator op = operator_of(model, graph, node, proto);
    std::vector<GraphLayer> layers;
    if (proto.domain().empty()) add_attributes(op, node);
    try {
      layers = classify(op, graph, node, proto);
    } catch (const UnsupportedOperator& error) {
      refusals.add(node, error.what());
      node.reason = error.what();
      node.skipped = true;
    } catch (const UnknownShape& error) {
      refusals.add_unknown_shape(node, error.what());
      node.reason = "the shape of an operand is unknown";
      node.skipped = true;
    }
    if (layers.size() > 1) {
      split_node(graph, std::move(node), std::move(layers), nodes);
      continue;
    }
    if (layers.size() == 1) node.layer = std::move(layers.front());
    nodes.push_back(std::move(node));
  }
  const std::size_t count = graph.nodes.size();
  graph.nodes = std::move(nodes);
  if (!options.skip_unsupported) refusals.check(model, count);
  connect(graph);
}

}  // namespace pimbb::layers
