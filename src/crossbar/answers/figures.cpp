// A row for each figure. constraint_list.hpp proves that more of a size never hurts.
#include "crossbar/answers/figures.hpp"

#include <algorithm>
#include <map>

#include "crossbar/assign/problem.hpp"
#include "crossbar/partition/memory.hpp"
#include "crossbar/partition/placement.hpp"
#include "crossbar/partition/shares.hpp"

namespace pimbb::crossbar::within {
namespace {

using assign::ceil_div;

std::int64_t used_cores(const Mapping& mapping) {
  return std::ranges::count_if(mapping.cores, [](const auto& core) { return !core.empty(); });
}

/// What the mapping uses in a core, if no node is in parts: its partition is the same then.
std::int64_t crossbars_needed(const Architecture& a, const Partition& p, const Mapping& mapping) {
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    if (p.arrays[v].family != v) return a.core.crossbars;
  }
  std::int64_t used = 1;
  for (const auto& core : mapping.cores) used = std::max(used, partition::crossbars_of(p, core));
  return used;
}

/// The fewest rows with as many array groups of each node.
std::int64_t rows_needed(const Partition& p) {
  std::int64_t rows = 1;
  for (const ArrayNode& array : p.arrays) {
    const Node& node = p.node(array);
    const std::int64_t height =
        node.op == Op::fc ? node.in.channels * node.in.pixels()
                          : node.vertical.kernel * node.horizontal.kernel * node.in.channels;
    rows = std::max(rows, ceil_div(height, array.groups));
  }
  return rows;
}

/// The fewest columns with array groups as wide, and in the same parts.
std::int64_t columns_needed(const Architecture& a, const Partition& p) {
  std::map<std::size_t, std::pair<std::int64_t, std::int64_t>> whole;  // channels, crossbars
  for (const ArrayNode& array : p.arrays) {
    auto& [channels, crossbars] = whole[array.family];
    channels += p.node(array).out.channels;
    crossbars += array.width;
  }
  std::int64_t weights = 1;
  for (const auto& [family, sums] : whole) {
    weights = std::max(weights, ceil_div(sums.first, sums.second));
  }
  return weights * a.core.slices;
}

std::int64_t nodes_needed(const Mapping& mapping) {
  std::size_t most = 1;
  for (const auto& core : mapping.cores) most = std::max(most, core.size());
  return static_cast<std::int64_t>(most);
}

std::int64_t memory_needed(const Architecture& a, const Partition& p, const Mapping& mapping) {
  return std::ranges::max(partition::local_memory(a, p, partition::placements(p, mapping),
                                                  partition::BlockPolicy::add));
}

}  // namespace

std::vector<Figure> figures_of(const Architecture& a) {
  using Part = Partition;
  const bool memory = a.core.enforce_local_memory;
  const FigureKind size_or_shape = memory ? FigureKind::shape : FigureKind::size;
  std::vector<Figure> all{
      {"mvm.time", FigureKind::time, "ns", a.mvm.time,
       [](Architecture& b, std::int64_t x) { b.mvm.time = x; }},
      {"mvm.interval", FigureKind::time, "ns", a.mvm.interval,
       [](Architecture& b, std::int64_t x) { b.mvm.interval = x; }},
      {"chips", FigureKind::size, "chips", a.chips,
       [](Architecture& b, std::int64_t x) { b.chips = x; },
       [](const Architecture& b, const Part&, const Mapping& m) {
         return ceil_div(used_cores(m), b.cores);
       }},
      {"cores", FigureKind::size, "cores", a.cores,
       [](Architecture& b, std::int64_t x) { b.cores = x; },
       [](const Architecture& b, const Part&, const Mapping& m) {
         return ceil_div(used_cores(m), b.chips);
       }},
      {"core.crossbars", size_or_shape, "crossbars", a.core.crossbars,
       [](Architecture& b, std::int64_t x) { b.core.crossbars = x; }, crossbars_needed},
      {"core.rows", size_or_shape, "rows", a.core.rows,
       [](Architecture& b, std::int64_t x) { b.core.rows = x; },
       [](const Architecture&, const Part& p, const Mapping&) { return rows_needed(p); }},
      {"core.columns", size_or_shape, "columns", a.core.columns,
       [](Architecture& b, std::int64_t x) { b.core.columns = x; },
       [](const Architecture& b, const Part& p, const Mapping&) { return columns_needed(b, p); }},
      {"core.slices", FigureKind::shape, "columns", a.core.slices,
       [](Architecture& b, std::int64_t x) { b.core.slices = x; }},
      {"core.max_nodes", FigureKind::size, "nodes", a.core.max_nodes,
       [](Architecture& b, std::int64_t x) { b.core.max_nodes = x; },
       [](const Architecture&, const Part&, const Mapping& m) { return nodes_needed(m); }}};
  if (memory) {
    all.push_back({"core.local_memory", FigureKind::size, "B", a.core.local_memory,
                   [](Architecture& b, std::int64_t x) { b.core.local_memory = x; },
                   memory_needed});
    all.push_back({"bits.activation", FigureKind::shape, "bits", a.bits.activation,
                   [](Architecture& b, std::int64_t x) { b.bits.activation = x; }});
  }
  return all;
}

}  // namespace pimbb::crossbar::within
