// Rounds of all windows, node by node: sources come first.
#include "crossbar/schedule/rounds.hpp"

#include <algorithm>

namespace pimbb::crossbar::schedule {
namespace {

/// The last element of an axis that output `i` reads.
std::int64_t last_read(const WindowAxis& axis, std::int64_t size, std::int64_t i) {
  return std::clamp<std::int64_t>(i * axis.stride + axis.kernel - 1 - axis.before, 0, size - 1);
}

class RoundTable {
 public:
  RoundTable(const Partition& partition, const Mapping& mapping)
      : p_(partition), mapping_(mapping), latest_(partition.graph.nodes.size()) {}

  std::vector<std::vector<Step>> build() && {
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      const Node& node = p_.graph.nodes[v];
      if (node.is_array() || node.is_vector()) add_node(v);
    }
    return std::move(steps_);
  }

 private:
  void add_node(std::size_t v) {
    const auto windows = static_cast<std::size_t>(p_.graph.nodes[v].windows());
    const std::size_t replication =
        p_.array_of[v] ? static_cast<std::size_t>(mapping_.replication[*p_.array_of[v]]) : windows;
    std::vector<std::size_t> of_window(windows);
    for (std::size_t i = 0; i < windows; ++i) {
      std::size_t round = i >= replication ? of_window[i - replication] + 1 : 1;
      for (const std::size_t source : p_.sources[v]) {
        if (latest_[source].empty()) continue;  // the network's input
        const Index need = needed_pixel(p_, v, source, static_cast<Index>(i));
        round = std::max(round, latest_[source][static_cast<std::size_t>(need)] + 1);
      }
      of_window[i] = round;
      if (steps_.size() <= round) steps_.resize(round + 1);
      steps_[round].push_back({static_cast<Index>(v), static_cast<Index>(i)});
    }
    for (std::size_t i = 1; i < windows; ++i) {
      of_window[i] = std::max(of_window[i], of_window[i - 1]);
    }
    latest_[v] = std::move(of_window);
  }

  const Partition& p_;
  const Mapping& mapping_;
  std::vector<std::vector<std::size_t>> latest_;  // by node and pixel: of it and all before
  std::vector<std::vector<Step>> steps_;
};

}  // namespace

Index needed_pixel(const Partition& p, std::size_t v, std::size_t source, Index i) {
  const Node& node = p.graph.nodes[v];
  if (node.op == Op::fc) return static_cast<Index>(p.graph.nodes[source].out.pixels() - 1);
  if (node.op == Op::eltwise) return i;
  const std::int64_t row = last_read(node.vertical, node.in.height, i / node.out.width);
  const std::int64_t column = last_read(node.horizontal, node.in.width, i % node.out.width);
  return static_cast<Index>(row * node.in.width + column);
}

std::vector<std::vector<Step>> rounds(const Partition& partition, const Mapping& mapping) {
  return RoundTable(partition, mapping).build();
}

}  // namespace pimbb::crossbar::schedule
