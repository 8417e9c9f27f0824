// The row model `trace`: all orders of the loops that tensors of the DRAM see, put into classes.
#include <algorithm>
#include <map>

#include "dram_pim/answers/class_search.hpp"
#include "dram_pim/mapper/branching.hpp"
#include "dram_pim/trace/trace_nest.hpp"

namespace pimbb::dram_pim::answers {
namespace {

using mapper::Costs;
using mapper::Sums;
using mapper::TileIndex;
using Picked = PerTensor<std::pair<LayoutPick, std::int64_t>>;  // with its activations

/// What tells classes apart whose tiles are the same: runs of the ordered levels, layouts (as
/// numbers) and N_act.
using ClassKey = std::vector<std::int64_t>;

std::int64_t number_of(const LayoutPick& pick) {
  if (pick.layout == Layout::sequential) return pick.input_order == InputOrder::nhwc ? -2 : -1;
  return pick.block.h << 32 | pick.block.w;
}

ClassKey key_of(const std::vector<mapper::LoopOrder>& orders, const Picked& picked) {
  ClassKey key;
  for (const mapper::LoopOrder& order : orders) key.push_back(run_of(order));
  for (const auto& [pick, rows] : picked) {
    key.push_back(number_of(pick));
    key.push_back(rows);
  }
  return key;
}

/// Whether `a` comes first: by the innermost level, from its outermost loop on.
bool is_before(const std::vector<mapper::LoopOrder>& a, const std::vector<mapper::LoopOrder>& b) {
  for (std::size_t m = 0; m < a.size(); ++m) {
    for (std::size_t i = a[m].count; i-- > 0;) {
      if (a[m].loop[i] != b[m].loop[i]) return a[m].loop[i] < b[m].loop[i];
    }
  }
  return false;
}

/// Counts one more order of a class.
void count(Variant& variant, const std::vector<mapper::LoopOrder>& orders, const Picked& picked) {
  if (variant.orders.empty()) {
    variant.members = 0;
    for (std::size_t t = 0; t < kTensors; ++t) variant.layouts[t] = picked[t].first;
  }
  if (variant.orders.empty() || is_before(orders, variant.orders)) variant.orders = orders;
  ++variant.members;
}

mapper::LoopOrders::Rows rows_of(const Picked& picked) {
  return {picked[0].second, picked[1].second, picked[2].second};
}

using Choices = std::vector<std::pair<LayoutPick, std::int64_t>>;  // with their activations

/// Orders of a sequential input that cannot differ were visited as one: adds the others.
void add_idle_orders(Choices& inputs, const std::vector<InputOrder>& input_orders) {
  const auto sequential = [](const auto& c) { return c.first.layout == Layout::sequential; };
  const auto one = std::ranges::find_if(inputs, sequential);
  if (one == inputs.end()) return;
  const auto [pick, rows] = *one;
  for (const InputOrder order : input_orders) {
    if (order == pick.input_order) continue;
    inputs.emplace_back(LayoutPick{.layout = pick.layout, .block = {}, .input_order = order}, rows);
  }
}

/// The layouts of a tensor for which hopeful(activations) is true.
template <class Hopeful>
Choices hopeful_layouts(const std::vector<mapper::LayoutRows>& layouts, const Hopeful& hopeful) {
  std::map<std::int64_t, bool> known;
  Choices choices;
  for (const mapper::LayoutRows& layout : layouts) {
    const auto [entry, fresh] = known.try_emplace(layout.activations, false);
    if (fresh) entry->second = hopeful(layout.activations);
    if (!entry->second) continue;
    choices.emplace_back(LayoutPick{layout.layout, layout.block, layout.input_order},
                         layout.activations);
  }
  return choices;
}

/// Calls visit for every combination of layouts, one of each tensor, that `hopeful` admits.
template <class Hopeful, class Visit>
void for_each_choice(const PerTensor<std::vector<mapper::LayoutRows>>& layouts,
                     const std::vector<InputOrder>& input_orders, const Hopeful& hopeful,
                     const Visit& visit) {
  mapper::LoopOrders::Rows least{};
  for (std::size_t t = 0; t < kTensors; ++t) {
    if (layouts[t].empty()) return;
    least[t] = std::ranges::min(layouts[t], {}, &mapper::LayoutRows::activations).activations;
  }
  if (!hopeful(least)) return;
  PerTensor<Choices> choices;
  for (std::size_t t = 0; t < kTensors; ++t) {
    choices[t] = hopeful_layouts(layouts[t], [&](std::int64_t activations) {
      mapper::LoopOrders::Rows rows = least;
      rows[t] = activations;
      return hopeful(rows);
    });
  }
  const auto sequential = [](const mapper::LayoutRows& l) {
    return l.layout == Layout::sequential;
  };
  if (std::ranges::count_if(layouts[0], sequential) == 1) {
    add_idle_orders(choices[0], input_orders);
  }
  for (const auto& i : choices[0]) {
    for (const auto& w : choices[1]) {
      for (const auto& o : choices[2]) {
        const Picked picked{i, w, o};
        if (hopeful(rows_of(picked))) visit(picked);
      }
    }
  }
}

}  // namespace

/// The loops of the row buffer as classes, with floors of their activations: bounds only.
void ClassSearch::expand_row_buffer_traced(const Node& node, Run& run, Children& out) const {
  const auto rows = rows_->below(node.at);
  for (const TileIndex to : tiles_inside(node)) {
    for (const mapper::Step& step : mapper::allowed_steps(instance_.lattice, node.at.state, to,
                                                          instance_.rule, instance_.orders, rb_)) {
      check(run);
      const auto with = [&](const PerTensor<Int128>& activations) {
        Sums sums = node.at.sums;
        mapper::add_rows(sums, instance_, storage_, step.to, activations);
        return sums;
      };
      if (beyond(bound_below(step.to, rb_ - 1, with(rows->least()), run), run)) continue;
      const Sums sums = with(rows->after(step).activations);
      const ClassCost bound = bound_below(step.to, rb_ - 1, sums, run);
      if (beyond(bound, run)) continue;
      Node child = node;
      child.at.take(step, sums);
      out.add(bound, std::move(child));
    }
  }
}

/// All orders of the loops of DRAM and row buffer, and all layouts: a child for each state with
/// equal costs.
void ClassSearch::expand_orders(const Node& node, Run& run, Children& out) const {
  const mapper::Lattice& lattice = instance_.lattice;
  mapper::LoopOrders orders(instance_.architecture, instance_.workload, instance_.rows,
                            common_.seams, open_nest(instance_, storage_, node.at.chain, nullptr));
  const mapper::Orders of_class =
      mapper::class_orders(lattice, node.at.chain, rb_, rb_ + 2, instance_.orders);
  const mapper::State at_rb =
      mapper::state_at(lattice, node.at.chain, of_class, rb_, node.at.state.stationary);
  const Sums at_dram = mapper::sums_at_dram(instance_, storage_, at_rb);
  const auto may_do = [&](const mapper::LoopOrders::Rows& rows) {
    check(run);
    Sums sums = at_dram;
    mapper::add_rows(sums, instance_, storage_, node.at.state,
                     mapper::in_row_units(rows, instance_));
    return !beyond(bound_below(node.at.state, rb_ - 1, sums, run), run);
  };
  struct Child {
    Node node;
    ClassCost bound;
    std::map<ClassKey, Variant> variants;
  };
  // By stationary tensor, anchor and N_act: costs depend on nothing else.
  std::map<std::array<std::int64_t, 5>, std::optional<Child>> children;
  const std::vector<InputOrder> input_orders = common_.menu.input_orders();
  const auto place = [&](const std::vector<mapper::LoopOrder>& of_levels, const Picked& picked,
                         mapper::Chain chain) {
    const mapper::LoopOrders::Rows rows = rows_of(picked);
    const auto [state, sums] = mapper::ordered_step(instance_, storage_, chain, rows);
    mapper::Orders nest;
    nest[rb_] = of_levels[0];
    nest[rb_ + 1] = of_levels[1];
    const mapper::State outside =
        mapper::state_at(lattice, chain, nest, rb_, node.at.state.stationary);
    const std::array<std::int64_t, 5> key{
        static_cast<std::int64_t>(index(state.stationary)) << 32 | state.anchor,
        static_cast<std::int64_t>(index(outside.stationary)) << 32 | outside.anchor, rows[0],
        rows[1], rows[2]};
    const auto [entry, fresh] = children.try_emplace(key);
    if (fresh) {
      const ClassCost bound = bound_below(state, rb_ - 1, sums, run);
      if (!beyond(bound, run)) {
        Child& child = entry->second.emplace(Child{node, bound, {}});
        child.node.at.state = state;
        child.node.at.sums = sums;
      }
    }
    if (entry->second) count(entry->second->variants[key_of(of_levels, picked)], of_levels, picked);
  };
  orders.for_each_with_layouts(
      may_do, [&](const std::vector<mapper::LoopOrder>& of_levels, const auto& layouts) {
        mapper::Chain chain = node.at.chain;
        chain.ordered = true;
        chain.order = {of_levels[0], of_levels[1]};
        for_each_choice(layouts, input_orders, may_do,
                        [&](const Picked& picked) { place(of_levels, picked, chain); });
      });
  for (auto& [key, child] : children) {
    if (!child) continue;
    Decision& decision = out.decisions.emplace_back();
    for (auto& [of, variant] : child->variants) decision.push_back(std::move(variant));
    child->node.decision = &decision;
    out.add(child->bound, std::move(child->node));
  }
}

/// The same at a leaf, where some tensor is not stored directly inside the row buffer.
void ClassSearch::traced_leaf(const Node& node, const mapper::SpatialOption& option,
                              Run& run) const {
  mapper::LoopOrders orders(instance_.architecture, instance_.workload, instance_.rows,
                            common_.seams, open_nest(instance_, storage_, node.at.chain, &option));
  const std::size_t first = orders.first_level();
  mapper::Orders nest =
      mapper::class_orders(instance_.lattice, node.at.chain, first, rb_ + 2, instance_.orders);
  for (std::size_t m = 1; m < first; ++m) nest[m] = node.loops[m]->canonical;
  const mapper::Orders of_class = nest;
  const auto costs_of = [&](const mapper::Orders& at, const mapper::LoopOrders::Rows& rows) {
    return mapper::traced_costs(instance_, storage_, node.at.chain, at, option, rows);
  };
  const auto hopeful = [&](const Costs& costs) {
    check(run);
    return keeps_caps(costs) && run.best.is_of_use(value(costs));
  };
  // Orders that stand for their class move least.
  const auto may_do = [&](const mapper::LoopOrders::Rows& rows) {
    return hopeful(costs_of(of_class, rows));
  };
  struct Leaf {
    Variant variant;
    Costs costs;
  };
  std::map<ClassKey, Leaf> classes;
  const std::vector<InputOrder> input_orders = common_.menu.input_orders();
  orders.for_each_with_layouts(
      may_do, [&](const std::vector<mapper::LoopOrder>& of_levels, const auto& layouts) {
        std::ranges::copy(of_levels, nest.begin() + static_cast<std::ptrdiff_t>(first));
        const auto may_do_so = [&](const mapper::LoopOrders::Rows& rows) {
          return hopeful(costs_of(nest, rows));
        };
        for_each_choice(layouts, input_orders, may_do_so, [&](const Picked& picked) {
          Leaf& leaf = classes[key_of(of_levels, picked)];
          leaf.costs = costs_of(nest, rows_of(picked));
          count(leaf.variant, of_levels, picked);
        });
      });
  for (auto& [key, leaf] : classes) {
    add_classes(node, option, leaf.costs, {std::move(leaf.variant)}, run);
  }
}

}  // namespace pimbb::dram_pim::answers
