// A network as a graph: which operator makes each tensor, which ones read it, and which operators
// are layers.
//
//     input --[Conv]--> a --[Relu]--> b --[Conv]--> c --[Add]--> output
//                                      \________________/
//
// Nodes are operators in an order in which they can run, edges are tensors: a tensor knows the one
// node that makes it and every place that reads it. A node that multiplies matrices is a layer and
// carries its mapping problem; every other node is passed through and says why. What must agree
// between two layers (the layout of a tensor in DRAM) is found by walking from the one to the
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

using Shape = std::vector<std::int64_t>;

/// One end of an edge: input or output `slot` of node `node`.
struct GraphPort {
  std::size_t node = 0;
  std::size_t slot = 0;
  bool operator==(const GraphPort&) const = default;
};

struct GraphTensor {
  std::string name;
  std::optional<Shape> shape;         ///< outermost dimension first; absent: not known
  bool constant = false;              ///< stored in the model, or computed from such tensors alone
  std::optional<GraphPort> producer;  ///< absent: an input of the graph, or stored in the model
  std::vector<GraphPort> consumers;   ///< each place that reads it, in the order of the nodes
};

/// A layer as `repetitions()` equal mapping problems.
struct GraphLayer {
  Workload workload;            ///< a convolution with all its groups, or one matrix product
  std::int64_t products = 1;    ///< independent matrix products of two batched tensors
  std::int64_t pad_top = 0;     ///< rows of its input's border above the tensor that it reads
  std::int64_t pad_left = 0;    ///< columns of the border before it
  std::size_t input_slot = 0;   ///< which input of the node is the problem's tensor `input`
  std::size_t weight_slot = 1;  ///< and which is its `weight`; output 0 is its `output`

  [[nodiscard]] std::int64_t repetitions() const { return products; }
  [[nodiscard]] Rational macs() const { return Rational(repetitions()) * workload.macs(); }
};

struct GraphNode {
  std::string name;  ///< unique in the graph
  std::string op;    ///< "Conv"; with its domain, "com.example::Conv", unless that is ONNX's own
  std::vector<std::optional<std::size_t>> inputs;  ///< indices of tensors; absent: left out
  std::vector<std::optional<std::size_t>> outputs;
  std::optional<GraphLayer> layer;
  std::string reason;  ///< why there is no layer; empty where there is one
};

struct Graph {
  std::string name;
  std::vector<GraphTensor> tensors;
  std::vector<GraphNode> nodes;      ///< every node behind those whose tensors it reads
  std::vector<std::size_t> inputs;   ///< tensors given from outside, weights not among them
  std::vector<std::size_t> outputs;  ///< tensors that are the result
};

/// The operator of a layer where the file does not name one: a network file's graph.
inline constexpr std::string_view kLayerOperator = "Layer";

/// Whether every element of an operator's result depends on the elements at the same place of its
/// operands only, by its ONNX name: Relu, BatchNormalization, Add and their like.
bool is_element_wise(std::string_view op);

/// Fills in `producer` and `consumers` of every tensor from the nodes' inputs and outputs. Throws
/// InputError if a tensor is made twice, or read before it is made.
void connect(Graph& graph);

}  // namespace pimbb
