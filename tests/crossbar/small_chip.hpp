// A small chip, which tests change by keys, and a row of two convolutions on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pimbb/crossbar.hpp"

namespace testkit {

inline constexpr std::string_view kSmallChip = R"(crossbar_accelerator:
  name: small
  chips: 2
  cores: 2
  core: {crossbars: 2, rows: 10, columns: 10, cell_bits: 2, max_nodes: 2,
         vector_bytes: 8, vector_time: 5, local_memory: 1000}
  bits: {activation: 16, weight: 16}
  mvm: {time: 100, interval: 40}
  bandwidth: {memory: 4, bus: 2.5, link: 1}
  power: {crossbar: 1, vector: 2, local: 3, control: 4, router: 5, cores_per_router: 2, memory: 6,
          link: 7}
)";

/// Two cores of one chip for `Row`.
inline pimbb::crossbar::Architecture two_cores(const std::vector<std::string>& changes) {
  std::vector<std::string> all{"chips=1", "core.crossbars=4", "core.max_nodes=3",
                               "core.local_memory=10000"};
  all.insert(all.end(), changes.begin(), changes.end());
  return pimbb::crossbar::parse_architecture(kSmallChip, "two.yaml", all);
}

/// input [channels, 1, columns] -> conv (1 x 1, 4 channels) -> conv (1 x 1, 4 channels)
struct Row {
  Row(std::int64_t channels, std::int64_t columns, const std::vector<std::string>& changes = {})
      : a(two_cores(changes)) {
    using pimbb::crossbar::Op;
    const pimbb::crossbar::Volume first{channels, 1, columns};
    const pimbb::crossbar::Volume four{4, 1, columns};
    graph.name = "row";
    graph.nodes.resize(3);
    graph.nodes[0] = {"input", "Input", Op::input, {}, first, first, {}, {}};
    graph.nodes[1] = {"a", "Conv", Op::conv, {0}, first, four, {}, {}};
    graph.nodes[2] = {"b", "Conv", Op::conv, {1}, four, four, {}, {}};
    p = make_partition(a, graph);
  }
  pimbb::crossbar::Architecture a;
  pimbb::crossbar::NodeGraph graph;
  pimbb::crossbar::Partition p;
};

}  // namespace testkit
