// Keeps the labels of a cell that have the least bounds, for searches without proof.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "cim/mapper/group_table.hpp"
#include "cim/mapper/outlook.hpp"

namespace pimbb::cim::mapper {

/// Keeps `width` labels. Those of states in which some tensor has to leave its level at once count
/// only if `leaving`, and are dropped otherwise. Floating point ranks labels and decides nothing
/// else.
template <class Rule, std::size_t More>
void keep_best(GroupTable<Rule, More>& groups, std::uint32_t cell,
               const Outlook<Rule, More>& outlook, std::size_t width, bool leaving) {
  struct Rank {
    double bound;
    std::uint32_t group;
    std::uint32_t label;
    bool operator<(const Rank& o) const {
      return std::tie(bound, group, label) < std::tie(o.bound, o.group, o.label);
    }
  };
  const auto has_to_leave = [](const Stand& s) { return s.transfer == kLeaving; };
  std::vector<Rank> ranks;
  for (const std::uint32_t g : groups.at(cell)) {
    if (!leaving && std::ranges::any_of(groups.state(g).stand, has_to_leave)) continue;
    const auto& group = groups[g];
    for (std::uint32_t k = 0; k < group.labels.size(); ++k) {
      ranks.push_back({outlook.bound(group.labels[k], group.prospect).to_double(), g, k});
    }
  }
  if (ranks.size() <= width) return;
  std::nth_element(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(width), ranks.end());
  ranks.resize(width);
  std::ranges::sort(ranks, [](const Rank& a, const Rank& b) {
    return std::tie(a.group, a.label) < std::tie(b.group, b.label);
  });
  std::size_t r = 0;
  for (const std::uint32_t g : groups.at(cell)) {  // ascending
    std::vector<Label<More>> kept;
    for (; r < ranks.size() && ranks[r].group == g; ++r) {
      kept.push_back(groups[g].labels[ranks[r].label]);
    }
    groups.replace(g, std::move(kept));
  }
}

}  // namespace pimbb::cim::mapper
