// Nodes of the mapping problem under the trace model, where loop orders decide row activations.
//
// From the DRAM to the tile right inside the row buffer a node has classes of orders only, and the
// floors of order_floor.hpp stand in for its activations. Then orders and layouts are decided: at
// once, where all streams are known by then (each order that no other one beats in activations and
// traffic becomes a child, and what is further inside sees exact sums), else in the leaf.
#include <algorithm>
#include <tuple>

#include "dram_pim/mapper/build_mapping.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "dram_pim/trace/dram_floors.hpp"
#include "dram_pim/trace/trace_nest.hpp"

namespace pimbb::dram_pim::mapper {
/// Children of a row-buffer node, with floors for their activations.
void MappingProblem::expand_traced_row_buffer(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  const DramFloors floors(instance_, node.state.tile, node.chain.classes[rb_ + 1]);
  const PerTensor<Int128> least = floors.least();
  std::size_t seen = 0;
  for (const TileIndex to : hopeful_inside(lattice[node.state.tile])) {
    check(seen++);
    for (const Step& step :
         allowed_steps(lattice, node.state, to, instance_.rule, instance_.orders, rb_)) {
      const auto bound = [&](const PerTensor<Int128>& rows, Sums& sums) {
        sums = node.sums;
        add_rows(sums, instance_, storage_, step.to, rows);
        return bound_below(rb_ - 1, step.to, sums, bar.value);
      };
      Sums sums;
      if (cut(bound(least, sums), bar.value)) continue;
      const Wide better =
          bound(floors.least(lattice[to], step.loops, storage_.stores()[rb_ - 1]), sums);
      if (!cut(better, bar.value)) add_child(node, step, sums, better, bar, out);
    }
  }
}

/// Children of a node at level rb - 1: orders of the loops further out, none beaten by another.
void MappingProblem::expand_orders(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  LoopOrders search(instance_.architecture, instance_.workload, instance_.rows, *instance_.seams,
                    open_nest(instance_, storage_, node.chain, nullptr));
  const Orders of_class = class_orders(lattice, node.chain, rb_, rb_ + 2, instance_.orders);
  const State at_rb = state_at(lattice, node.chain, of_class, rb_, node.state.stationary);
  const Sums least = sums_at_dram(instance_, storage_, at_rb);
  const auto hopeful = [&](const LoopOrders::Rows& rows) {
    check();
    Sums sums = least;
    add_rows(sums, instance_, storage_, node.state, in_row_units(rows, instance_));
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
               target_.no_worse(a.sums, b.sums, storage_.open_count());
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
  set_orders(child.chain, nest);
  std::tie(child.state, child.sums) =
      ordered_step(instance_, storage_, child.chain, nest.activations);
  return child;
}

/// Every order of a complete chain whose streams depend on all of it.
void MappingProblem::expand_traced_leaf(const Node& node, const SpatialOption& option,
                                        const Value* cutoff, Found& out) const {
  const OpenNest nest = open_nest(instance_, storage_, node.chain, &option);
  LoopOrders search(instance_.architecture, instance_.workload, instance_.rows, *instance_.seams,
                    nest);
  const Orders of_class = class_orders(instance_.lattice, node.chain, 1, rb_ + 2, instance_.orders);
  const auto hopeful = [&](const LoopOrders::Rows& rows) {
    check();
    if (cutoff == nullptr) return true;
    // Orders that stand for their class move least.
    const Costs least = traced_costs(instance_, storage_, node.chain, of_class, option, rows);
    const Wide value = target_.value(least);
    return value < *cutoff && (!out.best || value < out.best->first) && target_.keeps_caps(least);
  };
  Orders orders = of_class;
  search.for_each(hopeful, [&](const OrderedNest& found) {
    for (std::size_t k = 0; k < found.orders.size(); ++k) orders[nest.first + k] = found.orders[k];
    const Costs costs =
        traced_costs(instance_, storage_, node.chain, orders, option, found.activations);
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

}  // namespace pimbb::dram_pim::mapper
