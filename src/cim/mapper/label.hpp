// Labels: what the cost of a nest still depends on, beside its state; and how a loop changes it.
//
// A nest is built from its innermost loop outwards. Its state says what it has consumed, where each
// tensor is and which transfers are pending; its label holds numbers:
//
//   recursion   P_input, P_weight, P_output, S_output, body of the next loop
//   table3      P_input, P_weight, P_output, M
//   floor       the time of all products: a lower bound of every simulated latency, beside ports
//   both        bits committed at shared levels; occupancy of ports; dynamic energy
//
// Rule 1 (dominance). If two nests are in the same state and the label of one is at most that of
// the other in every number, the other nest can be dropped. Proof. Every later change of a label is
// a composition of maxima, of additions of constants and of multiplications by positive ones, and
// constants depend on the state only: tiles, precisions, times, firings and energies of transfers
// are those of the state, and the loops that may follow are the same. So whatever completes the
// second nest completes the first, which stays at most as large in every number: it exceeds no
// capacity unless the second one does, and latency and energy are monotone in the numbers, as are
// all goals.  []
//
// Rule 5 (sums). Under `recursion` the sums P_input + S_output and P_weight + S_output take the
// place of S_output in rule 1. Proof. S_output affects nothing but the latency, where it is in
// these sums, and a loop adds constants to them and what it adds to P. So they, P and the body
// change monotonely, and the latency is monotone in them.  []
//
// Rule 6 (lead). Under `recursion` let F be the least factor that the next loop may have, and h the
// longest of the transfers, times ways, that it may hide. If the body B of one label is at least h
// and at most the body B' of another, then P and its sums may exceed those of the other by
// (F - 1)(B' - B). Proof. The critical time of the next loop is the maximum of the hidden transfers
// that it is given, at most h <= B, and of the body plus the longest exposed one: it is B' - B less
// for the first label, and the loop adds it F - 1 times or more to P and the sums. So after the
// next loop, which is the same for both, P and the sums are at most as large, and so is the body,
// which is the greatest P less constants; then rules 1 and 5 hold.  []
//
// Rule 7 (exchange). Let d be the most by which any completion of a label ends later than the same
// completion of another (negative: it always ends earlier). The other one can be dropped if it has
// dynamic energy enough in excess: d times the most that a unit of time is worth (d > 0), or the
// least that it is worth (d < 0); target.hpp has what it is worth. In d, if neither P, the sums nor
// the body exceed those of the other by more than e >= 0, then they do so by at most F e after a
// loop of factor F, and d is at most e times the product of the loops left. Proof. The loop adds
// F - 1 times its critical time, which exceeds the other's by at most e, to P and the sums, and
// table III multiplies nothing by more than F in all. If the body does not exceed the other's, the
// next loop does not add to the difference of P and the sums (and lessens it by rule 6), so that
// only the loops outside it count; and what P_output and the sums are less stays so to the end.  []
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cim/cost/nest.hpp"
#include "exact/int128.hpp"
#include "pimbb/dims.hpp"

namespace pimbb::cim::mapper {

using cost::Energy;
using cost::Time;

inline constexpr std::size_t kTimes = 5;  ///< numbers of the latency

/// What a loop does to labels: the same for all labels of a state.
struct LoopStep {
  std::int64_t factor = 2;
  PerTensor<Time> move{};  ///< time of the transfer that the loop is given, or 0
  TensorFlags hidden{};    ///< the tile inside is doubled
};

/// What is known about the loops to come: the same for all labels of a state.
struct Ahead {
  std::int64_t left = 1;        ///< product of all
  std::int64_t after_next = 1;  ///< most of it that may remain outside the next one
  std::int64_t repeats = 0;     ///< least factor of the next one, less 1
  Time hidden = 0;              ///< longest transfer, times ways, that the next one may hide
  PerTensor<Time> time{};       ///< least weighted time of each tensor (cost_to_go.hpp)
};

using TensorTimes = std::array<Time, kTimes>;

/// How much later, at most, a completion of a label ends than the same one of another: `each` times
/// `loops`; `loops` is 1 if it ends earlier.
struct Delay {
  Time each = 0;
  std::int64_t loops = 1;
};

struct Recursion {
  static void start(TensorTimes& x, Time product, std::int64_t) {
    x = {product, product, product, 0, product};
  }
  static void extend(TensorTimes& x, const LoopStep& step) {
    const Time body = x[4];
    Time critical = body;
    PerTensor<Time> move = step.move;
    move[2] *= 2;
    for (std::size_t t = 0; t < kTensors; ++t) {
      critical = std::max(critical, step.hidden[t] ? move[t] : move[t] + body);
    }
    const Time gain = (step.factor - 1) * critical;
    for (std::size_t t = 0; t < kTensors; ++t) x[t] += move[t] + gain;
    x[3] += step.move[2];
    x[4] = std::max(
        {x[0] - (step.hidden[0] ? move[0] : 0), x[1] - (step.hidden[1] ? move[1] : 0), x[2]});
  }
  static Time latency(const TensorTimes& x, const PerTensor<Time>& boot) {
    return std::max({boot[0] + x[0] + x[3], boot[1] + x[1] + x[3], boot[2] + x[2]}) + boot[2];
  }
  /// Least latency of all completions: P and its sums grow with every loop by the body at least,
  /// and by what a single tensor still needs.
  static Time bound(const TensorTimes& x, const Ahead& ahead) {
    const Time body = x[4];
    Time bound = (ahead.left - 1) * body + std::max({x[0] + x[3], x[1] + x[3], x[2]});
    if (ahead.left == 1) return bound;
    for (std::size_t t = 0; t < kTensors; ++t) {
      const Time lag = body - x[t];
      const Time lost = lag * (lag > 0 ? ahead.after_next : 1);
      bound = std::max(bound, ahead.left * body - lost + (t == 2 ? 0 : x[3]) + ahead.time[t]);
    }
    return bound;
  }
  /// Of x, compared with y.
  static Delay delay(const TensorTimes& x, const TensorTimes& y, const Ahead& ahead) {
    const Time sum = x[3] - y[3];
    const Time inner = std::max(x[0] - y[0], x[1] - y[1]);
    const Time end = std::max(inner + sum, x[2] - y[2]);
    if (ahead.left == 1) return {end, 1};
    const Time most = std::max(inner, end);
    const Time body = x[4] - y[4];
    if (body > 0) return {std::max(most, body), ahead.left};
    const Time lead = x[4] >= ahead.hidden ? ahead.repeats * -body : 0;
    if (most > lead) return {most - lead, ahead.after_next};
    return {end - lead, 1};
  }
};

struct Table3 {
  static void start(TensorTimes& x, Time product, std::int64_t) {
    x = {product, product, product, product, 0};
  }
  static void extend(TensorTimes& x, const LoopStep& step) {
    const std::int64_t f = step.factor;
    Time critical = x[3];
    for (std::size_t t = 0; t < kTensors; ++t) {
      critical =
          std::max(critical, step.hidden[t] ? std::max(step.move[t], x[t]) : step.move[t] + x[t]);
    }
    const auto but = [&](std::int64_t n) { return critical * std::max<std::int64_t>(0, f - n); };
    for (std::size_t t = 0; t < kTensors; ++t) {
      const Time move = step.move[t];
      if (move == 0) {
        x[t] += but(1);
      } else if (!step.hidden[t]) {
        x[t] += (t == 2 ? but(1) : but(2)) + 2 * move;
      } else if (t == 2) {
        x[t] = but(2) + move + std::max(move, critical) + std::max(move, x[t]);
      } else {
        x[t] = std::max(but(3) + 2 * move + std::max(move, x[t]), move * f);
      }
    }
    x[3] = critical * f;
  }
  static Time latency(const TensorTimes& x, const PerTensor<Time>& boot) {
    return std::max({x[0] + boot[0], x[1] + boot[1], x[2] + 2 * boot[2]});
  }
  static Time bound(const TensorTimes& x, const Ahead& ahead) {
    return std::max({x[0], x[1], x[2] + (ahead.left - 1) * x[3]});
  }
  static Delay delay(const TensorTimes& x, const TensorTimes& y, const Ahead& ahead) {
    Time most = 0;
    for (std::size_t k = 0; k < kTimes; ++k) most = std::max(most, x[k] - y[k]);
    return {most, ahead.left};
  }
};

struct Floor {
  static void start(TensorTimes& x, Time product, std::int64_t products) {
    x = {product * products, 0, 0, 0, 0};
  }
  static void extend(TensorTimes&, const LoopStep&) {}
  static Time latency(const TensorTimes& x, const PerTensor<Time>&) { return x[0]; }
  static Time bound(const TensorTimes& x, const Ahead&) { return x[0]; }
  static Delay delay(const TensorTimes&, const TensorTimes&, const Ahead&) { return {}; }
};

}  // namespace pimbb::cim::mapper
