// Bytes and rows of each tensor of an operator.
#include "pimbb/dram_pim/operator_traffic.hpp"

#include <algorithm>
#include <limits>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::int64_t kMostUnits = std::numeric_limits<std::int64_t>::max() - 7;

std::int64_t elements_of(const GraphTensor& tensor, std::int64_t most) {
  std::int64_t elements = 1;
  for (const std::int64_t size : *tensor.shape) {
    if (__builtin_mul_overflow(elements, size, &elements) || elements > most) {
      throw InputError("tensor '" + tensor.name +
                       "': found a tensor of too many bytes, allowed is less than 2^63");
    }
  }
  return elements;
}

class TrafficCounter {
 public:
  TrafficCounter(const Architecture& architecture, const Graph& graph)
      : architecture_(architecture), graph_(graph) {}

  void move(const std::optional<std::size_t>& index, bool written) {
    if (!index) return;
    const GraphTensor& tensor = graph_.tensors[*index];
    if (!tensor.shape) {
      known_ = false;
      return;
    }
    const Tensor role = written ? Tensor::output : tensor.constant ? Tensor::weight : Tensor::input;
    const std::int64_t bytes = architecture_.tile_bytes(
        role, elements_of(tensor, kMostUnits / architecture_.element_units(role)));
    const std::int64_t row = architecture_.row_bytes();
    moved_.bytes += bytes;
    moved_.rows += bytes / row + (bytes % row != 0 ? 1 : 0);
  }

  [[nodiscard]] std::optional<OperatorTraffic> moved() const {
    if (!known_) return std::nullopt;
    return moved_;
  }

 private:
  const Architecture& architecture_;
  const Graph& graph_;
  OperatorTraffic moved_;
  bool known_ = true;
};

}  // namespace

bool is_counted(const Graph& graph, const GraphNode& node) {
  if (node.layer || std::ranges::count(kMovingKinds, operator_kind(node.op)) == 0) return false;
  return std::ranges::any_of(
      node.outputs, [&](const auto& output) { return output && !graph.tensors[*output].constant; });
}

std::optional<OperatorTraffic> operator_traffic(const Architecture& architecture,
                                                const Graph& graph, const GraphNode& node) {
  TrafficCounter counter(architecture, graph);
  for (const auto& input : node.inputs) counter.move(input, false);
  for (const auto& output : node.outputs) counter.move(output, true);
  return counter.moved();
}

std::array<KindTraffic, kMovingKinds.size()> traffic_by_kind(const Architecture& architecture,
                                                             const Graph& graph) {
  std::array<KindTraffic, kMovingKinds.size()> kinds;
  for (const GraphNode& node : graph.nodes) {
    if (!is_counted(graph, node)) continue;
    const auto* kind = std::ranges::find(kMovingKinds, operator_kind(node.op));
    KindTraffic& traffic = kinds[static_cast<std::size_t>(kind - kMovingKinds.begin())];
    const std::optional<OperatorTraffic> moved = operator_traffic(architecture, graph, node);
    ++(moved ? traffic.nodes : traffic.unknown);
    if (!moved) continue;
    traffic.moved.bytes += moved->bytes;
    traffic.moved.rows += moved->rows;
  }
  return kinds;
}

}  // namespace pimbb::dram_pim
