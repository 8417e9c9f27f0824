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

using Kind = OperatorKind;

struct KindRow {
  std::string_view op;
  OperatorKind kind;
};

constexpr KindRow kKinds[] = {
    {"Abs", Kind::element_wise},
    {"Add", Kind::element_wise},
    {"And", Kind::element_wise},
    {"AveragePool", Kind::pooling},
    {"BatchNormalization", Kind::normalisation},
    {"Cast", Kind::element_wise},
    {"Ceil", Kind::element_wise},
    {"Celu", Kind::element_wise},
    {"Clip", Kind::element_wise},
    {"Cos", Kind::element_wise},
    {"DequantizeLinear", Kind::free},
    {"Div", Kind::element_wise},
    {"Dropout", Kind::free},
    {"Elu", Kind::element_wise},
    {"Equal", Kind::element_wise},
    {"Erf", Kind::element_wise},
    {"Exp", Kind::element_wise},
    {"Floor", Kind::element_wise},
    {"Gelu", Kind::element_wise},
    {"GlobalAveragePool", Kind::pooling},
    {"GlobalLpPool", Kind::pooling},
    {"GlobalMaxPool", Kind::pooling},
    {"Greater", Kind::element_wise},
    {"GroupNormalization", Kind::normalisation},
    {"HardSigmoid", Kind::element_wise},
    {"HardSwish", Kind::element_wise},
    {"Hardmax", Kind::softmax},
    {"Identity", Kind::free},
    {"InstanceNormalization", Kind::normalisation},
    {"LRN", Kind::normalisation},
    {"LayerNormalization", Kind::normalisation},
    {"LeakyRelu", Kind::element_wise},
    {"Less", Kind::element_wise},
    {"Log", Kind::element_wise},
    {"LogSoftmax", Kind::softmax},
    {"LpNormalization", Kind::normalisation},
    {"LpPool", Kind::pooling},
    {"Max", Kind::element_wise},
    {"MaxPool", Kind::pooling},
    {"Mean", Kind::element_wise},
    {"MeanVarianceNormalization", Kind::normalisation},
    {"Min", Kind::element_wise},
    {"Mish", Kind::element_wise},
    {"Mod", Kind::element_wise},
    {"Mul", Kind::element_wise},
    {"Neg", Kind::element_wise},
    {"Not", Kind::element_wise},
    {"Or", Kind::element_wise},
    {"PRelu", Kind::element_wise},
    {"Pow", Kind::element_wise},
    {"QuantizeLinear", Kind::free},
    {"RMSNormalization", Kind::normalisation},
    {"Reciprocal", Kind::element_wise},
    {"Relu", Kind::element_wise},
    {"Round", Kind::element_wise},
    {"Selu", Kind::element_wise},
    {"Sigmoid", Kind::element_wise},
    {"Sign", Kind::element_wise},
    {"Sin", Kind::element_wise},
    {"Softmax", Kind::softmax},
    {"Softplus", Kind::element_wise},
    {"Softsign", Kind::element_wise},
    {"Sqrt", Kind::element_wise},
    {"Sub", Kind::element_wise},
    {"Sum", Kind::element_wise},
    {"Swish", Kind::element_wise},
    {"Tanh", Kind::element_wise},
    {"ThresholdedRelu", Kind::element_wise},
    {"Where", Kind::element_wise},
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
  return row != std::end(kKinds) && row->op == op ? row->kind : Kind::other;
}

bool is_element_wise(std::string_view op) {
  const OperatorKind kind = operator_kind(op);
  return kind == Kind::element_wise || kind == Kind::free || op == "BatchNormalization";
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
