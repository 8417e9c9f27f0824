// Loop orders in full, where addresses matter: the trace model.
//
// Once the tiles are known down to a level, all that the DRAM sees of a tensor filled there is the
// order of the loops further out and its layout. Here these orders are built from the inside
// outwards, one loop at a time, within the class of each level (its innermost loop is irrelevant to
// the stationary tensor). The floors of order_floor.hpp bound what each tensor opens at least,
// whatever follows; an order that the caller finds hopeless is given up. For a complete order each
// tensor takes the layout and block with the fewest activations: nothing else depends on them, and
// every objective grows with N_act.
//
// Many orders look alike to one tensor: irrelevant loops that stand next to each other commute, and
// those right around the moved tile move nothing. Counts are remembered by what the tensor sees.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "dram/activation_counter.hpp"
#include "mapper/loop_order.hpp"
#include "mapper/order_floor.hpp"
#include "mapper/row_table.hpp"

namespace pimbb::mapper {

/// A chain from where the order of loops is decided on outwards.
struct OpenNest {
  std::size_t first = 0;        ///< innermost level whose loops are ordered
  std::vector<Factors> tiles;   ///< of levels first - 1 .. DRAM
  std::vector<Tensor> classes;  ///< of the loops of levels first .. DRAM
  std::vector<DimMask> inside;  ///< of each of these levels: loops that stand inside all others
  TileIndex row_tile = 0;
  struct Feed {                         ///< what the DRAM moves of a tensor
    std::size_t level = 0;              ///< innermost level with loops that move it, >= first
    Factors tile = kOnes;               ///< the tile that moves
    std::vector<dram::MoveLoop> fixed;  ///< loops further in that move it as well, outermost first
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

struct CountStatistics {
  std::uint64_t lookups = 0;
  std::uint64_t hits = 0;  ///< counts that were known
};

class LoopOrders {
 public:
  using Rows = PerTensor<std::int64_t>;

  LoopOrders(const Architecture& architecture, const Workload& workload, const RowTable& rows,
             OpenNest nest);

  /// A lower bound of the activations, tensor by tensor, over all orders.
  [[nodiscard]] Rows least() const;

  /// Visits all orders but those that `hopeful`, given lower bounds of their activations, denies.
  void for_each(const std::function<bool(const Rows&)>& hopeful,
                const std::function<void(const OrderedNest&)>& visit);

  [[nodiscard]] const CountStatistics& statistics() const { return statistics_; }

 private:
  using Floors = std::array<std::vector<OrderFloor>, 2>;  // by layout and level, outermost first
  struct Partial {                                        // an order decided up to some place
    PerTensor<std::array<std::int64_t, 2>> floor{};
    PerTensor<bool> moves{};
  };
  struct Count {
    std::int64_t activations = 0;
    Layout layout = Layout::sequential;
    Block block;
  };

  void build_floors(Tensor t);
  [[nodiscard]] bool moves_before(std::size_t t) const;
  [[nodiscard]] std::size_t level_count() const { return nest_.classes.size(); }
  [[nodiscard]] const OrderFloor& floor(Tensor t, std::size_t layout, std::size_t level) const {
    return floors_[index(t)][layout][level_count() - 1 - level];
  }
  [[nodiscard]] Rows bounds(const Partial& partial, std::size_t level, DimMask inside) const;
  void extend(std::size_t level, DimMask inside, const Partial& partial);
  [[nodiscard]] Partial extended(const Partial& partial, std::size_t level, DimMask inside,
                                 Dim next) const;
  void finish(const Partial& partial);
  [[nodiscard]] Count count(Tensor t, std::int64_t aligned_floor);
  [[nodiscard]] Count count_anew(Tensor t, std::int64_t aligned_floor);
  void see(Tensor t);

  const Architecture& a_;
  const Workload& w_;
  OpenNest nest_;
  std::vector<DimMask> loops_;  // by level from `first` on
  std::vector<Block> blocks_;
  PerTensor<Floors> floors_;
  PerTensor<bool> can_align_{};
  PerTensor<std::vector<dram::ActivationCounter>> counters_;  // sequential, then aligned by block
  PerTensor<std::unordered_map<std::string, Count>> known_;
  CountStatistics statistics_;

  // While orders are visited.
  const std::function<bool(const Rows&)>* hopeful_ = nullptr;
  const std::function<void(const OrderedNest&)>* visit_ = nullptr;
  OrderedNest current_;
  std::string seen_;                    // what the tensor being counted sees of the order
  std::vector<dram::MoveLoop> stream_;  // the same, as loops
  Int128 repeats_ = 1;
};

}  // namespace pimbb::mapper
