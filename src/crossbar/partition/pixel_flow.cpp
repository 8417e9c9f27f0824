// Hosts along first sources; readers through the sources of every node.
#include "crossbar/partition/pixel_flow.hpp"

#include <algorithm>
#include <optional>

namespace pimbb::crossbar::partition {
namespace {

std::vector<std::vector<std::int64_t>> find_makers(const Partition& p,
                                                   const std::vector<Placement>& placements) {
  std::vector<std::optional<std::size_t>> host(p.graph.nodes.size());
  std::vector<std::vector<std::int64_t>> makers;
  for (std::size_t v = 0; v < p.graph.nodes.size(); ++v) {
    if (p.array_of[v]) {
      host[v] = p.array_of[v];
    } else if (!p.sources[v].empty()) {
      host[v] = host[p.sources[v].front()];
    }
    makers.push_back(host[v] ? placements[*host[v]].homes : std::vector<std::int64_t>{0});
  }
  return makers;
}

/// The cores that compute pixels of a vector node.
std::vector<std::int64_t> running(const Node& node, std::vector<std::int64_t> makers) {
  makers.resize(std::min(makers.size(), static_cast<std::size_t>(node.windows())));
  return makers;
}

}  // namespace

std::vector<std::int64_t> PixelFlow::others(std::size_t v, std::int64_t core) const {
  std::vector<std::int64_t> cores = needed[v];
  std::erase(cores, core);
  return cores;
}

PixelFlow pixel_flow(const Partition& p, const std::vector<Placement>& placements) {
  const std::size_t count = p.graph.nodes.size();
  PixelFlow flow{find_makers(p, placements), std::vector<std::vector<std::int64_t>>(count),
                 std::vector<bool>(count, false)};
  for (std::size_t u = 0; u < count; ++u) {
    const Node& node = p.graph.nodes[u];
    if (!node.is_array() && !node.is_vector()) continue;
    const std::vector<std::int64_t> cores =
        node.is_array() ? placements[*p.array_of[u]].cores : running(node, flow.makers[u]);
    for (const std::size_t source : p.sources[u]) {
      flow.needed[source].insert(flow.needed[source].end(), cores.begin(), cores.end());
      flow.read[source] = true;
    }
  }
  for (std::vector<std::int64_t>& cores : flow.needed) {
    std::ranges::sort(cores);
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
  }
  return flow;
}

}  // namespace pimbb::crossbar::partition
