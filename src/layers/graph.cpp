// Edges of a graph, and the network of its layers.
//
// A pass over the nodes in their order is enough: a tensor that is read must be stored, given, or
// made by a node that came before. That also rules out cycles.
#include "pimbb/graph.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "pimbb/error.hpp"
#include "pimbb/network.hpp"

namespace pimbb {
namespace {

struct KindRow {
  std::string_view op;
  OperatorKind kind;
};

constexpr KindRow kKinds[] = {
    {"Abs", OperatorKind::element_wise},
    {"Add", OperatorKind::element_wise},
    {"And", OperatorKind::element_wise},
    {"AveragePool", OperatorKind::pooling},
    {"BatchNormalization", OperatorKind::normalisation},
    {"Cast", OperatorKind::element_wise},
    {"Ceil", OperatorKind::element_wise},
    {"Celu", OperatorKind::element_wise},
    {"Clip", OperatorKind::element_wise},
    {"Cos", OperatorKind::element_wise},
    {"DequantizeLinear", OperatorKind::free},
    {"Div", OperatorKind::element_wise},
    {"Dropout", OperatorKind::free},
    {"Elu", OperatorKind::element_wise},
    {"Equal", OperatorKind::element_wise},
    {"Erf", OperatorKind::element_wise},
    {"Exp", OperatorKind::element_wise},
    {"Floor", OperatorKind::element_wise},
    {"Gelu", OperatorKind::element_wise},
    {"GlobalAveragePool", OperatorKind::pooling},
    {"GlobalLpPool", OperatorKind::pooling},
    {"GlobalMaxPool", OperatorKind::pooling},
    {"Greater", OperatorKind::element_wise},
    {"GroupNormalization", OperatorKind::normalisation},
    {"HardSigmoid", OperatorKind::element_wise},
    {"HardSwish", OperatorKind::element_wise},
    {"Hardmax", OperatorKind::softmax},
    {"Identity", OperatorKind::free},
    {"InstanceNormalization", OperatorKind::normalisation},
    {"LRN", OperatorKind::normalisation},
    {"LayerNormalization", OperatorKind::normalisation},
    {"LeakyRelu", OperatorKind::element_wise},
    {"Less", OperatorKind::element_wise},
    {"Log", OperatorKind::element_wise},
    {"LogSoftmax", OperatorKind::softmax},
    {"LpNormalization", OperatorKind::normalisation},
    {"LpPool", OperatorKind::pooling},
    {"Max", OperatorKind::element_wise},
    {"MaxPool", OperatorKind::pooling},
    {"Mean", OperatorKind::element_wise},
    {"MeanVarianceNormalization", OperatorKind::normalisation},
    {"Min", OperatorKind::element_wise},
    {"Mish", OperatorKind::element_wise},
    {"Mod", OperatorKind::element_wise},
    {"Mul", OperatorKind::element_wise},
    {"Neg", OperatorKind::element_wise},
    {"Not", OperatorKind::element_wise},
    {"Or", OperatorKind::element_wise},
    {"PRelu", OperatorKind::element_wise},
    {"Pow", OperatorKind::element_wise},
    {"QuantizeLinear", OperatorKind::free},
    {"RMSNormalization", OperatorKind::normalisation},
    {"Reciprocal", OperatorKind::element_wise},
    {"Relu", OperatorKind::element_wise},
    {"Round", OperatorKind::element_wise},
    {"Selu", OperatorKind::element_wise},
    {"Sigmoid", OperatorKind::element_wise},
    {"Sign", OperatorKind::element_wise},
    {"Sin", OperatorKind::element_wise},
    {"Softmax", OperatorKind::softmax},
    {"Softplus", OperatorKind::element_wise},
    {"Softsign", OperatorKind::element_wise},
    {"Sqrt", OperatorKind::element_wise},
    {"Sub", OperatorKind::element_wise},
    {"Sum", OperatorKind::element_wise},
    {"Swish", OperatorKind::element_wise},
    {"Tanh", OperatorKind::element_wise},
    {"ThresholdedRelu", OperatorKind::element_wise},
    {"Where", OperatorKind::element_wise},
};

[[noreturn]] void refuse(const GraphNode& node, const std::string& found,
                         const std::string& allowed) {
  throw InputError("node '" + node.name + "' (" + node.op + "): found " + found + ", allowed are " +
                   allowed);
}

class Edges {
 public:
  explicit Edges(Graph& graph) : graph_(graph), made_(graph.tensors.size(), false) {
    for (GraphTensor& tensor : graph_.tensors) {
      tensor.producer.reset();
      tensor.consumers.clear();
    }
    for (const GraphNode& node : graph_.nodes) {
      for (const auto& output : node.outputs) {
        if (output) to_be_made(node, *output);
      }
    }
  }

  void visit(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (node.inputs[slot]) read(n, slot, *node.inputs[slot]);
    }
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      if (!node.outputs[slot]) continue;
      graph_.tensors[*node.outputs[slot]].producer = GraphPort{n, slot};
      made_[*node.outputs[slot]] = true;
    }
  }

 private:
  /// Until their node has been visited, tensors that nodes make are marked by some producer.
  void to_be_made(const GraphNode& node, std::size_t t) {
    GraphTensor& tensor = graph_.tensors[t];
    if (tensor.producer) {
      refuse(node, "the output '" + tensor.name + "', which another node makes as well",
             "tensors made by one node each");
    }
    tensor.producer = GraphPort{};
  }

  void read(std::size_t n, std::size_t slot, std::size_t t) {
    GraphTensor& tensor = graph_.tensors[t];
    if (tensor.producer && !made_[t]) {
      refuse(graph_.nodes[n], "the input '" + tensor.name + "', made only by this or a later node",
             "nodes without cycles, each behind those whose tensors it reads");
    }
    tensor.consumers.push_back({n, slot});
  }

  Graph& graph_;
  std::vector<bool> made_;
};

/// Whether producers and consumers are those that the nodes say, each after what it reads.
[[maybe_unused]] bool edges_consistent(const Graph& graph) {
  return std::ranges::all_of(graph.tensors, [&](const GraphTensor& tensor) {
    const auto t = static_cast<std::size_t>(&tensor - graph.tensors.data());
    const auto reads = [&](const GraphPort& port) {
      return graph.nodes[port.node].inputs[port.slot] == t &&
             (!tensor.producer || tensor.producer->node < port.node);
    };
    const auto& made = tensor.producer;
    return (!made || graph.nodes[made->node].outputs[made->slot] == t) &&
           std::ranges::all_of(tensor.consumers, reads);
  });
}

}  // namespace

OperatorKind operator_kind(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kKinds, op, {}, &KindRow::op);
  return row != std::end(kKinds) && row->op == op ? row->kind : OperatorKind::other;
}

bool is_element_wise(std::string_view op) {
  const OperatorKind kind = operator_kind(op);
  return kind == OperatorKind::element_wise || kind == OperatorKind::free ||
         op == "BatchNormalization";
}

void connect(Graph& graph) {
  Edges edges(graph);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) edges.visit(n);
  assert(edges_consistent(graph));
}

Network network_of(std::string name, Graph graph) {
  Network network;
  network.name = std::move(name);
  for (const GraphNode& node : graph.nodes) {
    if (node.layer) network.layers.push_back({node.layer->workload, node.layer->repetitions()});
  }
  network.graph = std::move(graph);
  return network;
}

}  // namespace pimbb
