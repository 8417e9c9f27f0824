// Loop orders in full, where addresses matter: the trace model.
//
// Once the tiles are known down to a level, all that the DRAM sees of a tensor filled there is the
// order of the loops further out and its layout. Here these orders are built from the inside
// outwards, one loop at a time, within the class of each level (its innermost loop is irrelevant to
// the stationary tensor). What a tensor's activations are for every order at once, under each of
// its layouts and blocks, is known beforehand (dram/order_counts.hpp): so of an order decided in
// part the least activations that each tensor alone can still reach are exact, and an order that
// the caller finds hopeless by them is given up. A complete order takes the layout and block with
// the fewest activations for each tensor: nothing else depends on them, and every objective grows
// with N_act.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dram_pim/mapper/chain.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/rows/order_counts.hpp"
#include "dram_pim/trace/seam_tables.hpp"
#include "pimbb/dram_pim/precedence.hpp"

namespace pimbb::dram_pim::mapper {

/// A chain from where the order of loops is decided on outwards.
struct OpenNest {
  std::size_t first = 0;           ///< innermost level whose loops are ordered
  std::vector<Factors> tiles;      ///< of levels first - 1 .. DRAM
  std::vector<LoopClass> classes;  ///< of the loops of levels first .. DRAM
  std::vector<DimMask> inside;     ///< of each of these levels: loops that stand inside all others
  std::vector<LevelPrecedence> precedence;  ///< of each: which stand inside which; empty: any
  TileIndex row_tile = 0;
  struct Feed {                         ///< what the DRAM moves of a tensor
    std::size_t level = 0;              ///< innermost level with loops that move it, >= first
    Factors tile = kOnes;               ///< the tile that moves
    std::vector<rows::MoveLoop> fixed;  ///< loops further in that move it as well, innermost first
    bool again = false;                 ///< moves even when its position stays the same
  };
  PerTensor<Feed> feed;
};

/// A complete order with the best layouts under it.
struct OrderedNest {
  std::vector<LoopOrder> orders;  ///< of levels first .. DRAM
  PerTensor<std::int64_t> activations{};
  PerTensor<Layout> layout{};
  Block block;
};

class LoopOrders {
 public:
  using Rows = PerTensor<std::int64_t>;

  LoopOrders(const Architecture& architecture, const Workload& workload, const RowTable& rows,
             SeamTables& seams, OpenNest nest);

  /// The least activations of each tensor over all orders.
  [[nodiscard]] Rows least() const { return least(begin()); }

  /// Visits all orders but those that `hopeful`, given lower bounds of their activations, denies.
  void for_each(const std::function<bool(const Rows&)>& hopeful,
                const std::function<void(const OrderedNest&)>& visit);

  /// The innermost level whose loops are ordered.
  [[nodiscard]] std::size_t first_level() const { return nest_.first; }

 private:
  struct LayoutCandidate {  // a layout of one tensor
    Layout layout;
    Block block;
    rows::OrderCounts counts;
  };
  struct Partial {                                         // an order decided up to some place
    PerTensor<std::vector<rows::OrderCounts::Path>> path;  // by candidate
  };

  /// The loops of each level that tensor t sees, as its counts take them: by relevance, then in the
  /// order of the dimensions.
  [[nodiscard]] std::vector<rows::LooseLevel> loose_levels(Tensor t) const;
  void add_candidates(Tensor t, bool sequential, const std::vector<Block>& blocks);
  [[nodiscard]] LayoutCandidate candidate(Tensor t, Layout layout, const Block& block,
                                          const std::vector<rows::LooseLevel>& levels);
  /// Place of a loop among those of its level, for tensor t.
  [[nodiscard]] std::size_t place(Tensor t, DimMask loops, Dim j) const;
  [[nodiscard]] Partial begin() const;
  [[nodiscard]] Rows least(const Partial& partial) const;
  [[nodiscard]] Partial extended(const Partial& partial, std::size_t level, Dim next) const;
  void extend(std::size_t level, DimMask inside, const Partial& partial);
  void finish(const Partial& partial);

  const Architecture& a_;
  const Workload& w_;
  SeamTables& seams_;
  OpenNest nest_;
  std::vector<DimMask> loops_;  // by level from `first` on
  PerTensor<std::vector<LayoutCandidate>> candidates_;

  // While orders are visited.
  const std::function<bool(const Rows&)>* hopeful_ = nullptr;
  const std::function<void(const OrderedNest&)>* visit_ = nullptr;
  OrderedNest current_;
};

}  // namespace pimbb::dram_pim::mapper
