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

/// Of every element of the result, only the operands' elements at the same place matter.
constexpr std::string_view kElementWise[] = {"Abs",      "Add",         "BatchNormalization",
                                             "Cast",     "Ceil",        "Clip",
                                             "Div",      "Dropout",     "Elu",
                                             "Erf",      "Exp",         "Floor",
                                             "Gelu",     "HardSigmoid", "HardSwish",
                                             "Identity", "LeakyRelu",   "Log",
                                             "Max",      "Min",         "Mish",
                                             "Mul",      "Neg",         "PRelu",
                                             "Pow",      "Reciprocal",  "Relu",
                                             "Round",    "Selu",        "Sigmoid",
                                             "Softplus", "Sqrt",        "Sub",
                                             "Sum",      "Tanh",        "Where"};

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

bool is_element_wise(std::string_view op) {
  return std::ranges::find(kElementWise, op) != std::end(kElementWise);
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
