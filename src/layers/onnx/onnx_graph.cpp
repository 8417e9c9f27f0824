// From a checked ONNX model to the graph: tensors by name, nodes with their edges, shapes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "layers/onnx/onnx.hpp"
#include "layers/onnx/onnx_model.hpp"
#include "layers/onnx/onnx_operator.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

/// A shape is known if every size is.
std::optional<Shape> known_shape(const onnx::TypeProto& type) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape()) return std::nullopt;
  Shape shape;
  for (const auto& size : type.tensor_type().shape().dim()) {
    if (!size.has_dim_value() || size.dim_value() < 0 || size.dim_value() > kLargestSize) {
      return std::nullopt;
    }
    shape.push_back(size.dim_value());
  }
  return shape;
}

class Builder {
 public:
  explicit Builder(const OnnxModel& model) : model_(model), proto_(model.proto.graph()) {
    graph_.name = proto_.name();
    add_stored();
    add_inputs();
    add_nodes();
    add_outputs();
    try {
      connect(graph_);
    } catch (const InputError& error) {
      throw InputError(model_.label + ": " + error.what());
    }
  }

  [[nodiscard]] Graph graph() && { return std::move(graph_); }

 private:
  /// A tensor that nothing of this name precedes.
  std::size_t add(const std::string& name, const std::string& what) {
    if (name.empty()) model_.fail(what, "no name", "tensors with a name");
    if (!index_.emplace(name, graph_.tensors.size()).second) {
      model_.fail(what + " '" + name + "'", "a second tensor of this name", "distinct names");
    }
    GraphTensor& tensor = graph_.tensors.emplace_back();
    tensor.name = name;
    return graph_.tensors.size() - 1;
  }

  void store(const std::string& name, const auto& dims) {
    GraphTensor& tensor = graph_.tensors[add(name, "initializer")];
    tensor.constant = true;
    tensor.shape = Shape(dims.begin(), dims.end());
  }

  void add_stored() {
    for (const auto& tensor : proto_.initializer()) store(tensor.name(), tensor.dims());
    for (const auto& tensor : proto_.sparse_initializer()) {
      store(tensor.values().name(), tensor.dims());
    }
  }

  /// Before version 4 of the format, weights were inputs too.
  void add_inputs() {
    std::set<std::string> names;
    for (const onnx::ValueInfoProto& input : proto_.input()) {
      const bool again = !names.insert(input.name()).second;
      if (!again && index_.contains(input.name())) continue;
      graph_.inputs.push_back(add(input.name(), "input"));
    }
  }

  std::optional<std::size_t> find(const std::string& what, const std::string& name) const {
    if (name.empty()) return std::nullopt;  // left out
    const auto found = index_.find(name);
    if (found == index_.end()) {
      model_.fail(what, "the tensor '" + name + "', which nothing makes",
                  "inputs, initializers and outputs of nodes");
    }
    return found->second;
  }

  /// Outputs first: distinguishes reading a later node's output from reading an undefined name.
  void add_nodes() {
    for (const onnx::NodeProto& proto : proto_.node()) {
      GraphNode& node = graph_.nodes.emplace_back();
      node.name = proto.name();
      node.op = proto.domain().empty() ? proto.op_type() : proto.domain() + "::" + proto.op_type();
      for (const std::string& name : proto.output()) {
        node.outputs.emplace_back();
        if (!name.empty()) node.outputs.back() = add(name, describe(proto) + ": output");
      }
    }
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const onnx::NodeProto& proto = proto_.node(static_cast<int>(n));
      GraphNode& node = graph_.nodes[n];
      for (const std::string& name : proto.input()) {
        node.inputs.push_back(find(describe(proto) + ": input", name));
      }
      if (computes_constants(node)) {
        for (const auto& output : node.outputs) {
          if (output) graph_.tensors[*output].constant = true;
        }
      }
    }
  }

  [[nodiscard]] bool computes_constants(const GraphNode& node) const {
    if (node.inputs.empty()) return node.op == "Constant";
    return std::ranges::all_of(
        node.inputs, [&](const auto& input) { return !input || graph_.tensors[*input].constant; });
  }

  void add_outputs() {
    for (const onnx::ValueInfoProto& output : proto_.output()) {
      if (const auto tensor = find("output", output.name())) graph_.outputs.push_back(*tensor);
    }
  }

  const OnnxModel& model_;
  const onnx::GraphProto& proto_;
  Graph graph_;
  std::unordered_map<std::string, std::size_t> index_;
};

void add_shapes(const OnnxModel& model, Graph& graph) {
  const onnx::GraphProto& proto = model.proto.graph();
  std::unordered_map<std::string, std::optional<Shape>> shapes;
  for (const auto* values : {&proto.value_info(), &proto.output(), &proto.input()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      std::optional<Shape>& shape = shapes[value.name()];
      if (!shape) shape = known_shape(value.type());
    }
  }
  for (GraphTensor& tensor : graph.tensors) {
    const auto known = shapes.find(tensor.name);
    if (!tensor.shape && known != shapes.end()) tensor.shape = known->second;
  }
}

/// "3 Relu, 1 Softmax"
std::string operator_counts(const Graph& graph) {
  std::map<std::string, std::int64_t> counts;
  for (const GraphNode& node : graph.nodes) ++counts[node.op];
  std::vector<std::string> texts;
  for (const auto& [op, count] : counts) texts.push_back(fmt::format("{} {}", count, op));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Graph parse_onnx_graph(std::string_view bytes, const std::string& label,
                       const NetworkOptions& options) {
  OnnxModel model = parse_onnx_model(bytes, label, options.skip_unsupported);
  fix_dimensions(model, options);
  Graph graph = Builder(model).graph();
  const auto nodes = model.proto.graph().node();
  infer_shapes(model);
  add_shapes(model, graph);
  add_layers(model, options, nodes, graph);
  if (std::ranges::none_of(graph.nodes, [](const auto& node) { return node.layer.has_value(); })) {
    model.fail(
        "graph",
        fmt::format("no layer among {} nodes: {}", graph.nodes.size(), operator_counts(graph)),
        fmt::format("models with one of {}", kLayerOperators));
  }
  return graph;
}

}  // namespace pimbb::layers
