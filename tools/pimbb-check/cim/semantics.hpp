// The numbers of a label that the latency depends on, and what a loop makes of them.
#pragma once

#include <algorithm>

#include "units.hpp"

namespace pimbb_check::cim {

inline constexpr std::size_t kTimes = 5;
using Times = std::array<Time, kTimes>;

struct LoopMoves {
  std::int64_t factor = 2;
  PerTensor<Time> time{};  // of the transfers placed here; 0: none
  Flags hidden{};          // the tile inside is doubled
};

/// A, the sums S of transfers, and the body of the next loop.
struct RecursionRule {
  static constexpr bool kDoublingNeverHurts = true;
  static Times start(Time product, std::int64_t /*products*/) {
    return {product, 0, 0, 0, product};
  }
  static void add(Times& x, const LoopMoves& loop) {
    const auto& [t_i, t_w, t_o] = loop.time;
    const Time body = x[4];
    const Time exposed = std::max(
        {loop.hidden[0] ? 0 : t_i, loop.hidden[1] ? 0 : t_w, loop.hidden[2] ? 0 : 2 * t_o});
    const Time critical = std::max({body + exposed, t_i, t_w, 2 * t_o});
    x[0] += (loop.factor - 1) * critical;
    x[1] += t_i;
    x[2] += t_w;
    x[3] += t_o;
    x[4] = x[0] + std::max({x[1] - (loop.hidden[0] ? t_i : 0), x[2] - (loop.hidden[1] ? t_w : 0),
                            2 * x[3]});
  }
  static Time latency(const Times& x, const PerTensor<Time>& boot) {
    return std::max({boot[0] + x[1], boot[1] + x[2], boot[2] + x[3]}) + x[0] + x[3] + boot[2];
  }
  /// Of all completions, if loops of this product are left, none or at most `beyond` of it outside
  /// the next one, and each tensor still needs these weighted times.
  static Time bound(const Times& x, std::int64_t left, std::int64_t beyond,
                    const PerTensor<Time>& rest) {
    const Time spread = x[4] - x[0];
    Time bound = x[0] + (left - 1) * x[4] + x[3] + std::max({x[1], x[2], x[3]});
    if (left == 1) return bound;
    for (std::size_t t = 0; t < 3; ++t) {
      const Time lag = spread - ways(t) * x[1 + t];
      const Time way = left * x[4] - (lag > 0 ? lag * beyond : lag) + (t == kOutput ? 0 : x[3]);
      bound = std::max(bound, way + rest[t]);
    }
    return bound;
  }
};

/// P of each tensor, and M.
struct TableRule {
  static constexpr bool kDoublingNeverHurts = false;
  static Times start(Time product, std::int64_t /*products*/) {
    return {product, product, product, product, 0};
  }
  static void add(Times& x, const LoopMoves& loop) {
    Time l = x[3];
    for (std::size_t t = 0; t < 3; ++t) {
      const Time move = loop.time[t];
      l = std::max(l, loop.hidden[t] ? std::max(move, x[t]) : move + x[t]);
    }
    const auto positive = [&](std::int64_t n) { return l * std::max<std::int64_t>(n, 0); };
    const std::int64_t f = loop.factor;
    for (std::size_t t = 0; t < 3; ++t) {
      const Time move = loop.time[t];
      const Time inside = x[t];
      if (move == 0) {
        x[t] = positive(f - 1) + inside;
      } else if (t == kOutput) {
        x[t] = loop.hidden[t] ? positive(f - 2) + move + std::max(move, l) + std::max(move, inside)
                              : positive(f - 1) + 2 * move + inside;
      } else if (loop.hidden[t]) {
        x[t] = std::max(positive(f - 3) + 2 * move + std::max(move, inside), move * f);
      } else {
        x[t] = positive(f - 2) + 2 * move + inside;
      }
    }
    x[3] = l * f;
  }
  static Time latency(const Times& x, const PerTensor<Time>& boot) {
    return std::max({x[0] + boot[0], x[1] + boot[1], x[2] + 2 * boot[2]});
  }
  static Time bound(const Times& x, std::int64_t left, std::int64_t /*beyond*/,
                    const PerTensor<Time>& /*rest*/) {
    return std::max({x[0], x[1], x[2] + (left - 1) * x[3]});
  }
};

/// A floor of every simulated latency: the time of all products. Ports are counted beside it.
struct FloorRule {
  static constexpr bool kDoublingNeverHurts = false;
  static Times start(Time product, std::int64_t products) { return {product * products}; }
  static void add(Times& /*x*/, const LoopMoves& /*loop*/) {}
  static Time latency(const Times& x, const PerTensor<Time>& /*boot*/) { return x[0]; }
  static Time bound(const Times& x, std::int64_t /*left*/, std::int64_t /*beyond*/,
                    const PerTensor<Time>& /*rest*/) {
    return x[0];
  }
};

}  // namespace pimbb_check::cim
