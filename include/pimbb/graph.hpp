// A network as a graph of operators and tensors.
//
//     input --[Conv]--> a --[Relu]--> b --[Conv]--> c --[Add]--> output
//                                      \________________/
//
// Nodes are operators, in an order in which they can run. Edges are tensors: each tensor has the
// node that produces it and all places that read it. A node that is a convolution or matrix product
// is a layer and has a mapping problem; every other node is passed through and has the reason. The
// paths between layers show which of them share a tensor in DRAM.
#pragma once

#include <array>
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
  std::vector<GraphPort> consumers;   ///< all places that read it, in the order of the nodes
};

/// A layer of the graph: `repetitions()` equal mapping problems.
struct GraphLayer {
  Workload workload;  ///< a convolution with all its groups, or one matrix product
  /// Equal problems of the node: independent products of two batched tensors, or phases of a
  /// transposed convolution.
  std::int64_t products = 1;
  std::int64_t pad_top = 0;     ///< rows of the input's border above the tensor that is read
  std::int64_t pad_left = 0;    ///< columns of the border before it
  std::size_t input_slot = 0;   ///< the node's input that is the problem's tensor `input`
  std::size_t weight_slot = 1;  ///< the one that is its `weight`; the node's output 0 is `output`

  [[nodiscard]] std::int64_t repetitions() const { return products; }
  [[nodiscard]] Rational macs() const { return Rational(repetitions()) * workload.macs(); }
};

/// The window of a pooling operator along one axis; border elements count as input.
struct PoolAxis {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t before = 0;  ///< border before the input
  std::int64_t after = 0;   ///< border behind it
  friend bool operator==(const PoolAxis&, const PoolAxis&) = default;
};

struct GraphNode {
  std::string name;  ///< unique in the graph
  std::string op;    ///< "Conv"; with its domain, "com.example::Conv", unless this is ONNX's own
  std::vector<std::optional<std::size_t>> inputs;  ///< indices of tensors; absent: not given
  std::vector<std::optional<std::size_t>> outputs;
  std::optional<GraphLayer> layer;
  std::string reason;  ///< why the node is not a layer; empty if it is one
  /// Of a pooling operator in two dimensions, if known: height and width. Absent also for dilated
  /// windows and for `ceil_mode`.
  std::optional<std::array<PoolAxis, 2>> pool;
  std::optional<std::int64_t> axis;  ///< of Concat, counted from the front, if known
  bool skipped = false;  ///< it may multiply, but is left out (NetworkOptions::skip_unsupported)
};

struct Graph {
  std::string name;
  std::vector<GraphTensor> tensors;
  std::vector<GraphNode> nodes;      ///< every node after those whose tensors it reads
  std::vector<std::size_t> inputs;   ///< tensors given from outside, without weights
  std::vector<std::size_t> outputs;  ///< tensors that are the result
};

/// The operator name of layers in the graph of a network file, which does not name one.
inline constexpr std::string_view kLayerOperator = "Layer";

/// What an operator that is passed through does with its tensors.
enum class OperatorKind : std::uint8_t {
  element_wise,   ///< Add, Relu, Gelu, ...
  pooling,        ///< MaxPool, GlobalAveragePool, ...
  softmax,        ///< Softmax, LogSoftmax, Hardmax
  normalisation,  ///< BatchNormalization, LayerNormalization, ...
  free,           ///< moves nothing when a network runs: Identity, Dropout, (De)QuantizeLinear
  other,          ///< Reshape, Transpose, Gather, operators that are not known, ...
};
/// The kind of the operator with this ONNX name.
OperatorKind operator_kind(std::string_view op);

/// Whether the operator with this ONNX name is element-wise: every element of the result depends
/// only on the elements at the same position of the operands (Relu, BatchNormalization, Add, ...).
bool is_element_wise(std::string_view op);

/// Fills in `producer` and `consumers` of every tensor from the nodes' inputs and outputs. Throws
/// InputError if a tensor has two producers, or is read before it is produced.
void connect(Graph& graph);

}  // namespace pimbb
