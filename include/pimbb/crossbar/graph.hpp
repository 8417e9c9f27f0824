// A network as crossbars see it: array nodes (convolutions and fully connected layers), vector
// nodes (pooling, element-wise operators of two or more tensors), concatenations, and operators
// that pass their tensor through (Relu, BatchNormalization, Flatten, ...).
//
//     input --> conv1 --> pool --> conv2a --> add --> fc
//                           \------------------/
//
// Nodes are numbered in an order in which they can run; node 0 is the input of the network. Each
// node makes one tensor of channels x height x width, for a batch of one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/network.hpp"

namespace pimbb::crossbar {

enum class Op : std::uint8_t { input, conv, fc, pool, eltwise, concat, pass };
inline constexpr std::array<std::string_view, 7> kOpNames{"input",   "conv",   "fc",  "pool",
                                                          "eltwise", "concat", "pass"};

/// Channels, height and width of a tensor.
struct Volume {
  std::int64_t channels = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
  [[nodiscard]] std::int64_t pixels() const { return height * width; }
  friend bool operator==(const Volume&, const Volume&) = default;
};

/// The window of Conv and Pool along one axis.
struct WindowAxis {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t before = 0;  ///< border before the input
  std::int64_t after = 0;   ///< border behind it
  friend bool operator==(const WindowAxis&, const WindowAxis&) = default;
};

struct Node {
  std::string name;
  std::string operation;  ///< the operator's own name ("MaxPool"), for messages
  Op op = Op::pass;
  std::vector<std::size_t> from;  ///< nodes whose tensors it reads, in the operator's order
  Volume in;                      ///< of each tensor that it reads; of a Concat: the result's
  Volume out;
  WindowAxis vertical, horizontal;  ///< of Conv and Pool

  [[nodiscard]] bool is_array() const { return op == Op::conv || op == Op::fc; }
  [[nodiscard]] bool is_vector() const { return op == Op::pool || op == Op::eltwise; }
  /// Pixels that it computes.
  [[nodiscard]] std::int64_t windows() const { return op == Op::fc ? 1 : out.pixels(); }
  friend bool operator==(const Node&, const Node&) = default;
};

/// Pass-through nodes of this operation end the search for the first consumer in `ll-code`.
inline constexpr std::string_view kRelu = "Relu";

struct NodeGraph {
  std::string name = "network";
  std::vector<Node> nodes;
  friend bool operator==(const NodeGraph&, const NodeGraph&) = default;
};

/// The nodes of a network with a graph, as ONNX models and some network files have it. Operators:
/// Conv; Gemm and MatMul of one row with a constant weight (FC); MaxPool, AveragePool and their
/// global forms; Add, Mul and Sum of computed tensors; Concat of channels; others with one computed
/// input pass it through if they keep its shape, or if only FCs read what they make. Grouped
/// convolutions become dense. Throws InputError, naming node and operator, for others, and for
/// batches other than 1.
NodeGraph node_graph(const Network& network);

/// Throws InputError, naming the node, unless node 0 is the only input, every other node reads
/// earlier ones, shapes agree, sizes are in range, and there is an array node.
void validate(const NodeGraph& graph);

/// For every node, in ascending order, the nodes that read its tensor.
std::vector<std::vector<std::size_t>> consumers(const NodeGraph& graph);

}  // namespace pimbb::crossbar
