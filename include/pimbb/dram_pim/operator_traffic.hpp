// What the operators beside the layers move: element-wise operators, pooling, softmax and
// normalisation.
//
// Such an operator has no mapping; its count is what any accelerator with enough buffer moves when
// it runs the operator by itself. Each tensor that the operator reads or writes is moved once,
// whatever the operator computes of it (overlapping windows, the passes of a softmax). With n
// elements of a tensor, each of the architecture's bytes for an input (what is read), a weight
// (what is read and constant) or an output (what is written):
//
//     bytes = n * bytes of an element        summed over the operator's tensors
//     rows  = ceil(bytes / row size)         of each tensor, which begins a row and has a bank of
//                                            its own
//
// An operand that is broadcast counts with its own elements. Operators that a compiler leaves out
// or merges with a layer (Identity, Dropout, QuantizeLinear, DequantizeLinear), operators whose
// result is constant, and all other operators (Reshape, Transpose, Gather, ...) are not counted.
// The counts are in no total of a network.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/graph.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::dram_pim {

inline constexpr std::array<OperatorKind, 4> kMovingKinds{
    OperatorKind::element_wise, OperatorKind::pooling, OperatorKind::softmax,
    OperatorKind::normalisation};
inline constexpr std::array<std::string_view, 4> kMovingKindNames{"element_wise", "pooling",
                                                                  "softmax", "normalisation"};

struct OperatorTraffic {
  Rational bytes;
  Rational rows;
};

/// Whether the node is one of those that are counted.
bool is_counted(const Graph& graph, const GraphNode& node);

/// The count of such a node; nothing if the shape of one of its tensors is unknown. Throws
/// InputError for a tensor of 2^63 bytes or more.
std::optional<OperatorTraffic> operator_traffic(const Architecture& architecture,
                                                const Graph& graph, const GraphNode& node);

/// The sums over all nodes of one kind.
struct KindTraffic {
  std::int64_t nodes = 0;    ///< that are counted
  std::int64_t unknown = 0;  ///< nodes that are not, because a shape is unknown
  OperatorTraffic moved;
};

/// One for each of kMovingKinds.
std::array<KindTraffic, kMovingKinds.size()> traffic_by_kind(const Architecture& architecture,
                                                             const Graph& graph);

}  // namespace pimbb::dram_pim
