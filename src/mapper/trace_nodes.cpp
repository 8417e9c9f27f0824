// Nodes of the mapping problem under the trace model, where loop orders decide row activations.
//
// From the DRAM to the tile right inside the row buffer a node has classes of orders only, and the
// floors of order_floor.hpp stand in for its activations. Then orders and layouts are decided: at
// once, where all streams are known by then (each order that no other one beats in activations and
// traffic becomes a child, and what is further inside sees exact sums), else in the leaf.
#include <algorithm>

#include "mapper/trace_nest.hpp"

namespace pimbb::mapper {
namespace {

/// Floors of the DRAM's loops, for the tensors under each layout.
class DramFloors {
 public:
  DramFloors(const Instance& instance, TileIndex row_tile, Tensor at_dram)
      : instance_(instance), row_tile_(row_tile) {
    const Lattice& lattice = instance.lattice;
    for (const Tensor t : kAllTensors) {
      for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
        if (layout == Layout::row_aligned && !instance.rows.can_align(row_tile, t)) continue;
        floors_[index(t)].emplace_back(moved(t, layout), lattice[row_tile].c,
                                       lattice[lattice.top()].c, irrelevant_mask(at_dram), nullptr);
      }
    }
  }

  /// Whatever the row buffer's loops are.
  [[nodiscard]] PerTensor<Int128> least() const {
    return scaled([&](Tensor t) {
      std::int64_t rows = floors_[index(t)][0].least(false);
      if (floors_[index(t)].size() > 1) rows = std::min(rows, floors_[index(t)][1].least(false));
      return rows;
    });
  }

  /// If the row buffer's loops lead to the tile `inner`, in the class of `at_row_buffer`.
  [[nodiscard]] PerTensor<Int128> least(const Tile& inner, Tensor at_row_buffer) const {
    const Tile& outer = instance_.lattice[row_tile_];
    const DimMask loops = Lattice::step_mask(outer, inner);
    return scaled([&](Tensor t) {
      const OrderFloor floor(moved(t, Layout::sequential), inner.c, outer.c,
                             irrelevant_mask(at_row_buffer), &floors_[index(t)][0]);
      std::int64_t rows = floor.least(false);
      if (floors_[index(t)].size() > 1) {
        const bool moves = (loops & ~irrelevant_mask(t)) != 0;
        rows = std::min(rows, floors_[index(t)][1].least(moves));
      }
      return rows;
    });
  }

 private:
  [[nodiscard]] Moved moved(Tensor t, Layout layout) const {
    return {instance_.architecture, instance_.workload, t, layout, instance_.lattice[row_tile_].c};
  }
  template <class Rows>
  [[nodiscard]] PerTensor<Int128> scaled(const Rows& rows) const {
    PerTensor<Int128> result = instance_.rows.best(row_tile_, {}).activations;
    for (const Tensor t : kAllTensors) {
      result[index(t)] = std::max(result[index(t)], rows(t) * Int128{instance_.scale.row});
    }
    return result;
  }

  const Instance& instance_;
  TileIndex row_tile_;
  PerTensor<std::vector<OrderFloor>> floors_;  // sequential, then row-aligned if it may be
};

PerTensor<Int128> scaled(const LoopOrders::Rows& rows, const Instance& instance) {
  PerTensor<Int128> result;
  for (std::size_t t = 0; t < kTensors; ++t) result[t] = rows[t] * Int128{instance.scale.row};
  return result;
}

}  // namespace

/// Children of a row-buffer node, with floors for their activations.
void MappingProblem::expand_traced_row_buffer(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  const DramFloors floors(instance_, node.state.tile, node.chain.stationary[rb_ + 1]);
  const PerTensor<Int128> least = floors.least();
  std::size_t seen = 0;
  for (const TileIndex to : hopeful_inside(lattice[node.state.tile])) {
    check(seen++);
    for (const Step& step : Steps(lattice, node.state, to, instance_.rule, rb_)) {
      const auto bound = [&](const PerTensor<Int128>& rows, Sums& sums) {
        sums = node.sums;
        add_rows(sums, step.to, rows);
        return bound_below(rb_ - 1, step.to, sums, bar.value);
      };
      Sums sums;
      if (cut(bound(least, sums), bar.value)) continue;
      const Wide better = bound(floors.least(lattice[to], step.to.stationary), sums);
      if (!cut(better, bar.value)) add_child(node, step, sums, better, bar, out);
    }
  }
}

/// The step to level rb - 1, with the row activations.
void MappingProblem::add_rows(Sums& sums, const State& to, const PerTensor<Int128>& rows) const {
  const Lattice& lattice = instance_.lattice;
  const std::int64_t outer = lattice.outer(to.stationary, to.anchor);
  sums.add(storage_.fill_with_rows(lattice[to.tile], to.stationary, outer, rows),
           storage_.open_count());
  for (const Int128 n : rows) sums.activations += n;
}

/// The DRAM's own reads, with which every mapping begins.
Sums MappingProblem::sums_at_dram(const State& row_buffer) const {
  const Lattice& lattice = instance_.lattice;
  Sums sums;
  sums.energy = instance_.scale.mac_energy;
  sums.energy += storage_.dram_energy(lattice[row_buffer.tile], row_buffer.stationary,
                                      lattice.outer(row_buffer.stationary, row_buffer.anchor));
  return sums;
}

Costs MappingProblem::traced_costs(const Chain& chain, const Orders& orders,
                                   const SpatialOption& option,
                                   const PerTensor<Int128>& rows) const {
  const Lattice& lattice = instance_.lattice;
  State state = state_at(lattice, chain, orders, rb_, Tensor::input);
  Sums sums = sums_at_dram(state);
  for (std::size_t m = rb_; m-- > 0;) {
    state = state_at(lattice, chain, orders, m, state.stationary);
    if (m + 1 == rb_) {
      add_rows(sums, state, rows);
    } else {
      sums.add(storage_.fill(m, lattice[state.tile], state.stationary,
                             lattice.outer(state.stationary, state.anchor)),
               storage_.open_count());
    }
  }
  return total(sums, option.terms);
}

/// Children of a node at level rb - 1: orders of the loops further out, none beaten by another.
void MappingProblem::expand_orders(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  LoopOrders search(instance_.architecture, instance_.workload, instance_.rows,
                    open_nest(instance_, storage_, node.chain, nullptr));
  const Orders of_class = class_orders(lattice, node.chain, rb_, rb_ + 2);
  const Sums least =
      sums_at_dram(state_at(lattice, node.chain, of_class, rb_, node.state.stationary));
  const auto hopeful = [&](const LoopOrders::Rows& rows) {
    check();
    Sums sums = least;
    add_rows(sums, node.state, scaled(rows, instance_));
    return !cut(bound_below(rb_ - 1, node.state, sums, bar.value), bar.value);
  };
  std::vector<Node> children;
  search.for_each(hopeful, [&](const OrderedNest& nest) {
    Node child = ordered_child(node, nest);
    const Wide bound = bound_below(rb_ - 1, child.state, child.sums, bar.value);
    if (cut(bound, bar.value)) return;
    if (switches_.rules.has(Rule::lattice)) child.lower_bound = bound;
    if (bar.only_best) {
      bar.value = bound;
      children.clear();
    }
    if (switches_.rules.has(Rule::dominance)) {
      const auto beats = [&](const Node& a, const Node& b) {
        return a.state.stationary == b.state.stationary && a.state.anchor == b.state.anchor &&
               no_worse(a.sums, b.sums);
      };
      if (std::any_of(children.begin(), children.end(),
                      [&](const Node& other) { return beats(other, child); })) {
        return;
      }
      std::erase_if(children, [&](const Node& other) { return beats(child, other); });
    }
    children.push_back(std::move(child));
  });
  if (bar.only_best && !children.empty()) out.children.clear();
  for (Node& child : children) out.children.push_back(std::move(child));
}

MappingProblem::Node MappingProblem::ordered_child(const Node& node,
                                                   const OrderedNest& nest) const {
  Node child = node;
  child.chain.ordered = true;
  child.chain.orders = 1;
  child.chain.order = {nest.orders[0], nest.orders[1]};
  child.chain.layout = nest.layout;
  child.chain.block = nest.block;
  Orders orders;
  orders[rb_] = nest.orders[0];
  orders[rb_ + 1] = nest.orders[1];
  const State at_rb = state_at(instance_.lattice, child.chain, orders, rb_, Tensor::input);
  child.state = state_at(instance_.lattice, child.chain, orders, rb_ - 1, at_rb.stationary);
  child.sums = sums_at_dram(at_rb);
  add_rows(child.sums, child.state, scaled(nest.activations, instance_));
  return child;
}

/// Every order of a complete chain whose streams depend on all of it.
void MappingProblem::expand_traced_leaf(const Node& node, const SpatialOption& option,
                                        const Value* cutoff, Found& out) const {
  const OpenNest nest = open_nest(instance_, storage_, node.chain, &option);
  LoopOrders search(instance_.architecture, instance_.workload, instance_.rows, nest);
  const Orders of_class = class_orders(instance_.lattice, node.chain, 1, rb_ + 2);
  const auto hopeful = [&](const LoopOrders::Rows& rows) {
    check();
    if (cutoff == nullptr) return true;
    // Orders that stand for their class move least.
    const Costs least = traced_costs(node.chain, of_class, option, scaled(rows, instance_));
    const Wide value = target_.value(least);
    return value < *cutoff && (!out.best || value < out.best->first) && target_.keeps_caps(least);
  };
  Orders orders = of_class;
  search.for_each(hopeful, [&](const OrderedNest& found) {
    for (std::size_t k = 0; k < found.orders.size(); ++k) orders[nest.first + k] = found.orders[k];
    const Costs costs =
        traced_costs(node.chain, orders, option, scaled(found.activations, instance_));
    ++out.leaves;
    if (!target_.keeps_caps(costs)) return;
    out.solution(target_.value(costs), [&] {
      Chain chain = node.chain;
      chain.layout = found.layout;
      Mapping mapping = build_mapping(instance_, storage_, chain, option);
      mapping.input_block = found.block;
      for (std::size_t m = 1; m < mapping.levels.size(); ++m) {
        set_order(mapping.levels[m].loops, orders[m]);
      }
      return Solved{std::move(mapping), costs};
    });
  });
}

}  // namespace pimbb::mapper
