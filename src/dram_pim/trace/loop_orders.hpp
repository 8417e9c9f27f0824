// Enumeration of complete loop orders, for the row model trace.
//
// When the tiles are known down to a level, the DRAM accesses of a tensor filled there depend only
// on the order of the loops further out and on its layout. These orders are built from the inside
// outwards, one loop at a time, within the class of each level (its innermost loop is irrelevant to
// the stationary tensor). The activations of a tensor for all orders, under each of its layouts and
// blocks, are tabulated beforehand (rows/order_counts.hpp). For a partial order the least
// activations that each tensor alone can still reach are therefore exact, and the caller may
// discard the partial order. In a complete order each tensor takes the layout and block with the
// fewest activations: nothing else depends on them, and every objective is non-decreasing in N_act.
//
// If tensors share a bank, these counts, of each tensor alone, are lower bounds. In a complete
// order it is known when each tensor moves, and with it which rows they close for each other,
// whatever their layouts (rows/bank_sharing.hpp): then the exact activations are counted.
#pragma once

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/mapper/chain.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/rows/activation_counter.hpp"
#include "dram_pim/rows/order_counts.hpp"
#include "dram_pim/trace/seam_tables.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::mapper {

/// Something for each of some levels.
template <class T>
using PerLevel = boost::container::static_vector<T, kMaxLevels>;

/// The part of a chain whose loop orders are enumerated, from level `first` outwards.
struct OpenNest {
  std::size_t first = 0;        ///< innermost level whose loops are ordered
  PerLevel<Factors> tiles;      ///< of levels first - 1 .. DRAM
  PerLevel<LoopClass> classes;  ///< of the loops of levels first .. DRAM
  PerLevel<DimMask> inside;     ///< of each of these levels: loops that must be inside all others
  PerLevel<LevelPrecedence> precedence;  ///< of each: constraints on the order; empty: none
  TileIndex row_tile = 0;
  struct Feed {                         ///< the stream of a tensor
    std::size_t level = 0;              ///< innermost level with loops that move it, >= first
    Factors tile = kOnes;               ///< the tile that moves
    std::vector<rows::MoveLoop> fixed;  ///< loops further in that move it too, innermost first
    bool again = false;                 ///< moves even if its position does not change
  };
  PerTensor<Feed> feed;
};

/// A complete order with the best layouts under it.
struct OrderedNest {
  std::vector<LoopOrder> orders;  ///< of levels first .. DRAM
  PerTensor<std::int64_t> activations{};
  PerTensor<Layout> layout{};
  Block block;
  InputOrder input_order = InputOrder::nchw;
};

/// A layout of one tensor and its activations under a complete order.
struct LayoutRows {
  Layout layout = Layout::sequential;
  Block block;
  InputOrder input_order = InputOrder::nchw;
  std::int64_t activations = 0;
};

class LoopOrders {
 public:
  using Rows = PerTensor<std::int64_t>;
  /// A complete order, of levels first .. DRAM, with every layout of each tensor.
  using EveryLayout = std::function<void(const std::vector<LoopOrder>& orders,
                                         const PerTensor<std::vector<LayoutRows>>& layouts)>;

  LoopOrders(const Architecture& architecture, const Workload& workload, const RowTable& rows,
             SeamTables& seams, OpenNest nest);

  /// The least activations of each tensor over all orders.
  [[nodiscard]] Rows least() const { return least(begin()); }

  /// Visits all orders except those for which `hopeful`, called with lower bounds of their
  /// activations, returns false.
  void for_each(const std::function<bool(const Rows&)>& hopeful,
                const std::function<void(const OrderedNest&)>& visit);
  /// The same with all layouts, not only the best ones. Layouts that cannot differ in activations
  /// are visited as one (RowTable::sequential_inputs).
  void for_each_with_layouts(const std::function<bool(const Rows&)>& hopeful,
                             const EveryLayout& visit);

  /// The innermost level whose loops are ordered.
  [[nodiscard]] std::size_t first_level() const { return nest_.first; }

 private:
  struct LayoutCandidate {                       // a layout of one tensor
    const Architecture* architecture = nullptr;  // with the order of a sequential input
    Layout layout = Layout::sequential;
    Block block;
    rows::OrderCounts counts;
    std::optional<rows::ActivationCounter> shared;  // of a shared bank, once it is needed
  };
  struct Partial {  // an order decided up to some place
    PerTensor<boost::container::small_vector<rows::OrderCounts::Path, 4>> path;  // by candidate
  };
  using LooseLevels = boost::container::small_vector<rows::LooseLevel, 4>;

  /// The loops of each level that tensor t sees, as its counts take them: by relevance, then in the
  /// order of the dimensions.
  [[nodiscard]] LooseLevels loose_levels(Tensor t) const;
  [[nodiscard]] LayoutCandidate candidate(const Architecture& architecture, Tensor t, Layout layout,
                                          const Block& block, const LooseLevels& levels);
  /// Place of a loop among those of its level, for tensor t.
  [[nodiscard]] std::size_t place(Tensor t, DimMask loops, Dim j) const;
  [[nodiscard]] Partial begin() const;
  [[nodiscard]] Rows least(const Partial& partial) const;
  [[nodiscard]] Partial extended(const Partial& partial, std::size_t level, Dim next) const;
  void extend(std::size_t level, DimMask inside, const Partial& partial);
  void finish(const Partial& partial);
  /// Exact activations of every candidate of tensor t in the complete order; those that need not be
  /// counted because `stands(lower bound)` is false are left out.
  template <class Stands, class Visit>
  void for_each_count(Tensor t, const Partial& partial, const Stands& stands, const Visit& visit);
  /// The loops of the current order that move tensor t, outermost first.
  [[nodiscard]] std::vector<rows::MoveLoop> moving_loops(Tensor t) const;
  /// Activations of tensor t among those of its bank, if `kept` of its seams keep a row open.
  [[nodiscard]] std::int64_t in_shared_bank(Tensor t, LayoutCandidate& candidate,
                                            const std::vector<rows::MoveLoop>& loops,
                                            const rows::Kept& kept) const;

  const Architecture& a_;
  const Workload& w_;
  SeamTables& seams_;
  OpenNest nest_;
  PerLevel<DimMask> loops_;  // from `first` on
  PerTensor<boost::container::small_vector<LayoutCandidate, 2>> candidates_;

  // While orders are visited.
  const std::function<bool(const Rows&)>* hopeful_ = nullptr;
  const std::function<void(const OrderedNest&)>* visit_ = nullptr;
  const EveryLayout* visit_layouts_ = nullptr;
  OrderedNest current_;
};

}  // namespace pimbb::dram_pim::mapper
