// All orders of the loops outside some tile that are not hopeless, with the row activations of
// each.
//
// Orders grow from the inside outwards, one loop at a time, the innermost loop of each level within
// its class. After each, floors of what the tensors open are put to the caller, who may deny that
// any order that begins like this matters. Under a complete order every tensor takes the layout and
// block with the fewest activations. Tensors in one bank close each other's rows, which no floor
// takes into account: an order must be complete for that.
#pragma once

#include <functional>
#include <map>

#include "order_floor.hpp"
#include "row_counter.hpp"

namespace pimbb_check {

/// Loops by level, innermost first.
using LoopOrders = std::vector<std::vector<std::size_t>>;

/// A chain of tiles whose loop orders are open from some level outwards.
struct Nest {
  std::vector<const Tile*> tile;  // by level; from level first - 1 on
  std::vector<std::size_t> s;     // by level: class of its loops
  std::size_t first = 0;          // innermost level whose order is open
  struct Feed {                   // what the DRAM moves of a tensor
    std::size_t level = 0;        // innermost level >= first with loops that move it
    Stream inside;                // the tile, and loops further in, whose order is fixed
  };
  PerTensor<Feed> feed;
};

class OrderSearch {
 public:
  using Rows = PerTensor<std::int64_t>;
  using Hopeful = std::function<bool(const Rows&)>;                   // may it matter?
  using Visit = std::function<void(const LoopOrders&, const Rows&)>;  // a complete order

  OrderSearch(const Problem& p, const Nest& nest, const Hopeful& hopeful, const Visit& visit);
  /// Visits, level by level from the innermost on, the orders in the sequence of the dimensions.
  void run();

 private:
  struct Layout {
    std::vector<OrderFloor> floors;  // outermost level first
    std::vector<RowCounter> counters;
  };
  struct Partial {  // what an order tells up to some place
    PerTensor<std::array<std::int64_t, 3>> floor{};
    PerTensor<bool> moves{};
  };

  void prepare(std::size_t t, const LayoutKind& kind);
  [[nodiscard]] Rows bounds(const Partial& partial, std::size_t level, DimSet inside) const;
  [[nodiscard]] Partial with(const Partial& partial, std::size_t level, DimSet inside,
                             std::size_t j) const;
  void extend(const Partial& partial, std::size_t level, DimSet inside);
  void finish(Rows bounds);
  [[nodiscard]] Stream stream(std::size_t t) const;
  std::int64_t fewest(std::size_t t, const Mates& mates);

  const Problem& p_;
  const Nest& nest_;
  const Hopeful& hopeful_;
  const Visit& visit_;
  PerTensor<std::vector<Layout>> layouts_;  // sequential ones, then row-aligned if allowed
  LoopOrders order_;
  PerTensor<std::map<std::vector<std::size_t>, std::int64_t>> known_;  // by what t sees
};

}  // namespace pimbb_check
