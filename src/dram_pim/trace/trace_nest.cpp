// Nests of loops from chains of tiles.
#include "dram_pim/trace/trace_nest.hpp"

#include <algorithm>

#include "dram_pim/mapper/branching.hpp"

namespace pimbb::dram_pim::mapper {
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
    for (std::size_t i = kDims; i-- > 0;) {  // level 0 runs its loops in a fixed order
      const Dim j = kPeOrder[i];
      const std::size_t k = index(j);
      feed.tile[k] = lattice[option->array].c[k] * lattice[option->internal].c[k];
      const std::int64_t trips = inner[k] / feed.tile[k];
      if (trips > 1) feed.fixed.push_back({j, trips, feed.tile[k]});
    }
  }
  for (std::size_t m = nest.first - 1; m < a.levels.size(); ++m) {
    nest.tiles.push_back(lattice[chain.tile[m]].c);
    if (m < nest.first) continue;
    nest.classes.push_back(chain.classes[m]);
    const auto kept = instance.rule.stationary_at(m);
    nest.inside.push_back(kept ? irrelevant_mask(*kept) : DimMask{0});
    if (instance.orders.any()) nest.precedence.push_back(instance.orders.precedence().inside[m]);
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
      if (!begun) state.stationary = irrelevant_tensor(j).value_or(Tensor::input);
      begun = true;
      ended = relevant(state.stationary, j);
      if (!ended) anchor[index(j)] = lattice[chain.tile[m]].c[index(j)];
    }
  }
  state.anchor = lattice.anchor_of(state.stationary, anchor);
  return state;
}

Orders class_orders(const Lattice& lattice, const Chain& chain, std::size_t first,
                    std::size_t levels, const OrderRule& rule) {
  Orders orders;
  for (std::size_t m = first; m < levels; ++m) {
    const DimMask loops = Lattice::step_mask(lattice[chain.tile[m]], lattice[chain.tile[m - 1]]);
    orders[m] = rule.order(m, loops, chain.classes[m]);
  }
  return orders;
}

void set_orders(Chain& chain, const OrderedNest& nest) {
  chain.ordered = true;
  chain.orders = 1;
  chain.order = {nest.orders[0], nest.orders[1]};
  chain.layout = nest.layout;
  chain.block = nest.block;
  chain.input_order = nest.input_order;
}

PerTensor<Int128> in_row_units(const LoopOrders::Rows& rows, const Instance& instance) {
  PerTensor<Int128> result;
  for (std::size_t t = 0; t < kTensors; ++t) result[t] = rows[t] * Int128{instance.scale.row};
  return result;
}

Sums sums_at_dram(const Instance& instance, const Storage& storage, const State& row_buffer) {
  const Lattice& lattice = instance.lattice;
  Sums sums;
  sums.energy = instance.scale.mac_energy;
  sums.energy += storage.dram_energy(lattice[row_buffer.tile], row_buffer.stationary,
                                     lattice.outer(row_buffer.stationary, row_buffer.anchor));
  return sums;
}

std::pair<State, Sums> ordered_step(const Instance& instance, const Storage& storage,
                                    const Chain& chain, const LoopOrders::Rows& rows) {
  const std::size_t rb = instance.architecture.row_buffer();
  Orders orders;
  orders[rb] = chain.order[0];
  orders[rb + 1] = chain.order[1];
  const State at_rb = state_at(instance.lattice, chain, orders, rb, Tensor::input);
  const State inside = state_at(instance.lattice, chain, orders, rb - 1, at_rb.stationary);
  Sums sums = sums_at_dram(instance, storage, at_rb);
  add_rows(sums, instance, storage, inside, in_row_units(rows, instance));
  return {inside, sums};
}

Costs traced_costs(const Instance& instance, const Storage& storage, const Chain& chain,
                   const Orders& orders, const SpatialOption& option,
                   const LoopOrders::Rows& rows) {
  const Lattice& lattice = instance.lattice;
  const std::size_t rb = instance.architecture.row_buffer();
  State state = state_at(lattice, chain, orders, rb, Tensor::input);
  Sums sums = sums_at_dram(instance, storage, state);
  for (std::size_t m = rb; m-- > 0;) {
    state = state_at(lattice, chain, orders, m, state.stationary);
    if (m + 1 == rb) {
      add_rows(sums, instance, storage, state, in_row_units(rows, instance));
    } else {
      sums.add(storage.fill(m, lattice[state.tile], state.stationary,
                            lattice.outer(state.stationary, state.anchor)),
               storage.open_count());
    }
  }
  return sums.total(option.terms, storage.open_count());
}

}  // namespace pimbb::dram_pim::mapper
