// Nests of loops from chains of tiles.
#include "mapper/trace_nest.hpp"

#include <algorithm>

namespace pimbb::mapper {
namespace {

/// The next level inside the row buffer that stores t, plus one; 0 if there is none.
std::size_t fed_level(const Architecture& a, const Storage& storage, Tensor t) {
  std::size_t level = a.row_buffer();
  while (level > 0 && !storage.stores(level - 1, t)) --level;
  return level;
}

}  // namespace

bool orders_are_early(const Architecture& a, const Storage& storage) {
  return std::all_of(kAllTensors.begin(), kAllTensors.end(),
                     [&](Tensor t) { return fed_level(a, storage, t) == a.row_buffer(); });
}

OpenNest open_nest(const Instance& instance, const Storage& storage, const Chain& chain,
                   const SpatialOption* option) {
  const Architecture& a = instance.architecture;
  const Lattice& lattice = instance.lattice;
  OpenNest nest;
  nest.row_tile = chain.tile[a.row_buffer()];
  nest.first = a.dram();
  for (const Tensor t : kAllTensors) {
    OpenNest::Feed& feed = nest.feed[index(t)];
    const std::size_t fed = fed_level(a, storage, t);
    feed.level = std::max<std::size_t>(fed, 1);
    nest.first = std::min(nest.first, feed.level);
    feed.tile = lattice[chain.tile[feed.level - 1]].c;
    if (fed > 0) continue;
    feed.again = true;
    const Factors inner = feed.tile;
    for (const Dim j : kAllDims) {
      const std::size_t k = index(j);
      feed.tile[k] = lattice[option->array].c[k] * lattice[option->internal].c[k];
      const std::int64_t trips = inner[k] / feed.tile[k];
      if (trips > 1) feed.fixed.push_back({j, trips, feed.tile[k]});
    }
  }
  for (std::size_t m = nest.first - 1; m < a.levels.size(); ++m) {
    nest.tiles.push_back(lattice[chain.tile[m]].c);
    if (m < nest.first) continue;
    nest.classes.push_back(chain.stationary[m]);
    const auto kept = instance.rule.stationary_at(m);
    nest.inside.push_back(kept ? irrelevant_mask(*kept) : DimMask{0});
  }
  return nest;
}

State state_at(const Lattice& lattice, const Chain& chain, const Orders& orders, std::size_t level,
               Tensor without) {
  State state{chain.tile[level], without, 0};
  Factors anchor = lattice[state.tile].c;
  bool begun = false;
  bool ended = false;
  for (std::size_t m = level + 1; m < orders.size() && !ended; ++m) {
    for (std::size_t i = 0; i < orders[m].count && !ended; ++i) {
      const Dim j = orders[m].loop[i];
      if (!begun) state.stationary = irrelevant_tensor(j);
      begun = true;
      ended = relevant(state.stationary, j);
      if (!ended) anchor[index(j)] = lattice[chain.tile[m]].c[index(j)];
    }
  }
  state.anchor = lattice.anchor_of(state.stationary, anchor);
  return state;
}

Orders class_orders(const Lattice& lattice, const Chain& chain, std::size_t first,
                    std::size_t levels) {
  Orders orders;
  for (std::size_t m = first; m < levels; ++m) {
    const DimMask loops = Lattice::step_mask(lattice[chain.tile[m]], lattice[chain.tile[m - 1]]);
    for (const bool in_run : {true, false}) {
      for (std::size_t k = kDims; k-- > 0;) {  // innermost first
        const Dim j = kAllDims[k];
        if ((loops >> k & 1U) == 0 || relevant(chain.stationary[m], j) == in_run) continue;
        orders[m].loop[orders[m].count++] = j;
      }
    }
  }
  return orders;
}

}  // namespace pimbb::mapper
