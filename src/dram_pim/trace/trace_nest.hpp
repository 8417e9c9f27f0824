// A chain of tiles under the row model trace: the nest whose loop orders are open, and its costs.
//
// A tensor's stream depends on the loops outside the tile that the DRAM moves: the tile of the next
// level inside the row buffer that stores the tensor, or that of the array if no level does. If
// every tensor is stored at the level directly inside the row buffer, orders can be decided as soon
// as the tile of that level is known; otherwise they are decided at the leaf.
#pragma once

#include <utility>

#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/trace/loop_orders.hpp"

namespace pimbb::dram_pim::mapper {

/// Whether all streams are known when the tile directly inside the row buffer is.
bool orders_are_early(const Architecture& architecture, const Storage& storage);

/// The nest of a chain that is decided down to level rb - 1 (early orders) or completely. `option`
/// may be null in the first case.
OpenNest open_nest(const Instance& instance, const Storage& storage, const Chain& chain,
                   const SpatialOption* option);

/// The state of the tile of `level` under loop orders by level: its stationary tensor and anchor;
/// the tensor is `without` if there is no loop further out.
State state_at(const Lattice& lattice, const Chain& chain, const Orders& orders, std::size_t level,
               Tensor without);

/// The representative orders of the classes of a chain, for levels `first` and further out: the
/// loops irrelevant to the stationary tensor innermost, otherwise in the order of the dimensions.
Orders class_orders(const Lattice& lattice, const Chain& chain, std::size_t first,
                    std::size_t levels, const OrderRule& rule = {});

/// Sets the orders of the row buffer and the DRAM, the layouts and the block to those of a nest.
void set_orders(Chain& chain, const OrderedNest& nest);

/// Activations in the scale of the costs.
PerTensor<Int128> in_row_units(const LoopOrders::Rows& rows, const Instance& instance);

/// Costs with the DRAM's own reads; the step to level rb - 1 adds the activations.
Sums sums_at_dram(const Instance& instance, const Storage& storage, const State& row_buffer);

/// State and sums at level rb - 1 of a chain whose orders are set.
std::pair<State, Sums> ordered_step(const Instance& instance, const Storage& storage,
                                    const Chain& chain, const LoopOrders::Rows& rows);

/// Costs of a complete chain under these orders, with these activations.
Costs traced_costs(const Instance& instance, const Storage& storage, const Chain& chain,
                   const Orders& orders, const SpatialOption& option, const LoopOrders::Rows& rows);

}  // namespace pimbb::dram_pim::mapper
