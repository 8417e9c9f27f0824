// What a chain of tiles costs under given loop orders, where the model `trace` wants them in full.
//
// If every tensor is stored right inside the row buffer, the DRAM sees no loops but the row
// buffer's and its own: orders are *early*, decided with the tile of level rb - 1. Else they are
// decided last, with the spatial unrolling.
#pragma once

#include <algorithm>

#include "orders.hpp"
#include "storage.hpp"

namespace pimbb_check {

template <class Int>
class Ordering {
 public:
  Ordering(const Problem& p, const Prices<Int>& prices, const Storage<Int>& storage)
      : p_(p), prices_(prices), storage_(storage), early_(p.trace) {
    for (std::size_t t = 0; t < 3; ++t) {
      early_ = early_ && storage.moved_by(t) == p.row_buffer();
    }
  }

  [[nodiscard]] bool early() const { return early_; }

  /// Completes a nest of tiles and classes by what the DRAM moves. `spatial`: factors of the
  /// unrolling, if it is known.
  void add_feeds(Nest& nest, const Factors& spatial) const {
    nest.first = p_.dram();
    for (std::size_t t = 0; t < 3; ++t) {
      Nest::Feed& feed = nest.feed[t];
      feed.level = std::max<std::size_t>(1, storage_.moved_by(t));
      nest.first = std::min(nest.first, feed.level);
      feed.inside.tile = nest.tile[feed.level - 1]->c;
      if (storage_.moved_by(t) > 0) continue;
      feed.inside.again = true;
      for (std::size_t i = 0; i < kDims; ++i) {  // G outermost
        const std::size_t j = (i + G) % kDims;
        const std::int64_t trips = feed.inside.tile[j] / spatial[j];
        feed.inside.tile[j] = spatial[j];
        if (trips > 1) feed.inside.loops.push_back({j, trips, spatial[j]});
      }
    }
  }

  /// The orders that stand for the classes of levels > `inner`: they move least.
  [[nodiscard]] LoopOrders of_classes(const Nest& nest, std::size_t inner) const {
    LoopOrders orders(nest.tile.size());
    for (std::size_t m = inner + 1; m < nest.tile.size(); ++m) {
      const DimSet loops = loops_between(nest.tile[m - 1]->c, nest.tile[m]->c);
      const DimSet idle = loops & irrelevant_dims(nest.s[m]);
      const DimSet run = p_.constraints.run(m, loops, nest.s[m]);
      for (const DimSet part : {run, loops & ~idle, idle & ~run}) {
        for (std::size_t j = 0; j < kDims; ++j) {
          if (contains(part, j)) orders[m].push_back(j);
        }
      }
    }
    return orders;
  }

  /// The tensor that stays put under the loops outside the tile of level m, or none, and how often
  /// it is swept.
  struct Run {
    std::size_t s;
    std::int64_t outer;
  };
  [[nodiscard]] Run run(const Nest& nest, const LoopOrders& orders, std::size_t m) const {
    std::optional<std::size_t> s;
    std::int64_t run = 1;
    bool goes_on = true;
    for (std::size_t level = m + 1; level < orders.size() && goes_on; ++level) {
      for (const std::size_t j : orders[level]) {
        if (!s) s = kIrrelevantTo[j];
        goes_on = goes_on && !relevant(*s, j) && s != kNoTensor;
        if (goes_on) run *= nest.tile[level]->c[j] / nest.tile[level - 1]->c[j];
      }
    }
    if (s == kNoTensor) return {kNoTensor, 1};
    return {s.value_or(kInput), nest.tile[m]->irrelevant[s.value_or(kInput)] / run};
  }

  /// Of all steps down to the tile of level m, with these activations.
  [[nodiscard]] Terms<Int> sums(const Nest& nest, const LoopOrders& orders, std::size_t m,
                                const OrderSearch::Rows& rows) const {
    const std::size_t rb = p_.row_buffer();
    const Run at_dram = run(nest, orders, rb);
    const PerTensor<Int> scaled = in_units(rows);
    Terms<Int> sums;
    sums.energy =
        plus(prices_.macs, storage_.dram_energy(*nest.tile[rb], at_dram.s, at_dram.outer));
    for (std::size_t level = rb; level-- > m;) {
      const Run here = run(nest, orders, level);
      sums.add(storage_.fill(level, *nest.tile[level], here.s, here.outer,
                             level + 1 == rb ? &scaled : nullptr),
               storage_.open_count());
    }
    return sums;
  }

  /// In 1/Row, as all activations are.
  [[nodiscard]] PerTensor<Int> in_units(const OrderSearch::Rows& rows) const {
    PerTensor<Int> scaled;
    for (std::size_t t = 0; t < 3; ++t)
      scaled[t] = within<Int>(times<Count>(rows[t], p_.row_units));
    return scaled;
  }
  [[nodiscard]] Int activations(const OrderSearch::Rows& rows) const {
    const PerTensor<Int> scaled = in_units(rows);
    return plus(plus(scaled[0], scaled[1]), scaled[2]);
  }

  /// "CK/QPR": the DRAM's loops and the row buffer's, outermost first.
  [[nodiscard]] std::string name(const LoopOrders& orders) const {
    std::string text;
    for (const std::size_t m : {p_.dram(), p_.row_buffer()}) {
      if (!text.empty()) text += '/';
      for (auto j = orders[m].rbegin(); j != orders[m].rend(); ++j) text += kDimLetters[*j];
      if (orders[m].empty()) text += '-';
    }
    return text;
  }

 private:
  const Problem& p_;
  const Prices<Int>& prices_;
  const Storage<Int>& storage_;
  bool early_;
};

}  // namespace pimbb_check
