// Floors below a node at the row buffer; orders of a chain, and their prices.
#include "dram_pim/trace/traced_rows.hpp"

#include <algorithm>
#include <tuple>

#include "dram_pim/mapper/branching.hpp"
#include "dram_pim/trace/dram_floors.hpp"
#include "dram_pim/trace/trace_nest.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::uint64_t kMostSeamBytes = std::uint64_t{256} << 20;
/// The most bytes of bounds on all tensors together, and their part of the room.
constexpr std::uint64_t kMostJointBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kJointPart = 8;

class TracedRowBufferRows : public RowBufferRows {
 public:
  TracedRowBufferRows(const Instance& instance, const PartialMapping& node,
                      const TensorFlags& whole)
      : floors_(instance, node.state.tile, node.chain.classes[node.level + 1], whole),
        lattice_(instance.lattice) {
    set_least(floors_.least());
  }

  [[nodiscard]] RowChoice after(const Step& step) const override {
    return {floors_.least(lattice_[step.to.tile], step.loops), {}};
  }

 private:
  mutable DramFloors floors_;  // keeps what several steps share; each belongs to one thread
  const Lattice& lattice_;
};

class TracedRows : public ChainRows {
 public:
  TracedRows(const Instance& instance, const Storage& storage, const TracedPricing& pricing,
             SeamTables& seams)
      : ChainRows(storage, orders_are_early(instance.architecture, storage) ? RowsKnown::with_orders
                                                                            : RowsKnown::at_leaf),
        instance_(instance),
        pricing_(pricing),
        seams_(seams),
        rb_(instance.architecture.row_buffer()) {}

  /// A tensor stored nowhere on chip is streamed to the array directly, and its rows depend on the
  /// spatial factors themselves, not only on their leaf terms.
  [[nodiscard]] bool depend_on_unrolling() const override {
    return std::any_of(kAllTensors.begin(), kAllTensors.end(),
                       [&](Tensor t) { return storage_.innermost(t) == rb_; });
  }

  [[nodiscard]] std::unique_ptr<JointRows> together(const LevelTiles& levels,
                                                    const run::Guard& guard) const override {
    auto seams = pricing_.joint_seams(guard);
    if (!seams) return nullptr;
    return std::make_unique<JointFloors>(instance_, storage_, levels, std::move(seams), guard);
  }

  [[nodiscard]] std::unique_ptr<RowBufferRows> below(const PartialMapping& node) const override {
    return std::make_unique<TracedRowBufferRows>(instance_, node, storage_.stores()[rb_ - 1]);
  }

  void for_each_order(const PartialMapping& node, const std::function<bool(const Sums&)>& hopeful,
                      const std::function<void(PartialMapping&&)>& visit) const override {
    const Lattice& lattice = instance_.lattice;
    LoopOrders search = loop_orders(node.chain, nullptr);
    const Orders of_class = class_orders(lattice, node.chain, rb_, rb_ + 2, instance_.orders);
    const State at_rb = state_at(lattice, node.chain, of_class, rb_, node.state.stationary);
    const Sums at_dram = sums_at_dram(instance_, storage_, at_rb);
    const auto may_do = [&](const LoopOrders::Rows& rows) {
      Sums sums = at_dram;
      add_rows(sums, instance_, storage_, node.state, in_row_units(rows, instance_));
      return hopeful(sums);
    };
    search.for_each(may_do, [&](const OrderedNest& nest) {
      PartialMapping child = node;
      set_orders(child.chain, nest);
      std::tie(child.state, child.sums) =
          ordered_step(instance_, storage_, child.chain, nest.activations);
      visit(std::move(child));
    });
  }

  void for_each_leaf(const PartialMapping& node, const SpatialOption& option,
                     const std::function<bool(const Costs&)>& hopeful,
                     const std::function<void(const UnrolledChain&)>& visit) const override {
    if (known() == RowsKnown::with_orders) {
      return ChainRows::for_each_leaf(node, option, hopeful, visit);
    }
    // So far the node has floors of its activations: enough to rule out most unrollings.
    if (!hopeful(node.sums.total(option.terms, storage_.open_count()))) return;
    LoopOrders search = loop_orders(node.chain, &option);
    const Orders of_class =
        class_orders(instance_.lattice, node.chain, 1, rb_ + 2, instance_.orders);
    // Orders that stand for their class move least.
    const auto may_do = [&](const LoopOrders::Rows& rows) {
      return hopeful(traced_costs(instance_, storage_, node.chain, of_class, option, rows));
    };
    Orders orders = of_class;
    Chain chain = node.chain;
    search.for_each(may_do, [&](const OrderedNest& found) {
      std::copy(found.orders.begin(), found.orders.end(), orders.begin() + search.first_level());
      chain.layout = found.layout;
      chain.block = found.block;
      chain.input_order = found.input_order;
      visit({chain, option,
             traced_costs(instance_, storage_, chain, orders, option, found.activations), &orders});
    });
  }

 private:
  [[nodiscard]] LoopOrders loop_orders(const Chain& chain, const SpatialOption* option) const {
    return {instance_.architecture, instance_.workload, instance_.rows, seams_,
            open_nest(instance_, storage_, chain, option)};
  }

  const Instance& instance_;
  const TracedPricing& pricing_;
  SeamTables& seams_;
  std::size_t rb_;
};

}  // namespace

TracedPricing::TracedPricing(const Instance& instance, std::uint64_t room)
    : instance_(instance), room_(room), seams_(std::min(room / 8, kMostSeamBytes)) {}

std::unique_ptr<ChainRows> TracedPricing::under(const Storage& storage) const {
  return std::make_unique<TracedRows>(instance_, storage, *this, seams_);
}

std::shared_ptr<JointSeams> TracedPricing::joint_seams(const run::Guard& guard) const {
  const std::scoped_lock lock(making_);
  if (joint_) return joint_;
  const auto bytes = JointSeams::bytes_to_build(instance_);
  const std::uint64_t room = std::min(room_ / kJointPart, kMostJointBytes);
  if (!bytes || *bytes + JointFloors::bytes(instance_) > room) return nullptr;
  joint_ = std::make_shared<JointSeams>(instance_, guard);
  return joint_;
}

}  // namespace pimbb::dram_pim::mapper
