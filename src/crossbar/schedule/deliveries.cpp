// A pixel goes to another chip if the first or the last core that needs it is on one.
#include "crossbar/schedule/deliveries.hpp"

namespace pimbb::crossbar::schedule {
namespace {

Delivery delivery(const Architecture& a, const partition::PixelFlow& flow, std::size_t v,
                  std::int64_t core) {
  if (!flow.read[v]) return Delivery::stored;
  const std::vector<std::int64_t> others = flow.others(v, core);
  if (others.empty()) return Delivery::stays;
  const auto far = [&](std::int64_t other) { return other / a.cores != core / a.cores; };
  return far(others.front()) || far(others.back()) ? Delivery::sent_far : Delivery::sent;
}

}  // namespace

std::vector<std::vector<Delivery>> deliveries(const Architecture& a, const Partition& p,
                                              const partition::PixelFlow& flow) {
  std::vector<std::vector<Delivery>> all(p.graph.nodes.size());
  for (std::size_t v = 0; v < all.size(); ++v) {
    const Node& node = p.graph.nodes[v];
    if (!node.is_array() && !node.is_vector()) continue;
    for (const std::int64_t core : flow.makers[v]) all[v].push_back(delivery(a, flow, v, core));
  }
  return all;
}

}  // namespace pimbb::crossbar::schedule
