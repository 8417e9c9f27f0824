// Labels: what the cost of a nest still depends on, beside its state; and how a loop changes it.
//
// A nest is built from its innermost loop outwards. Its state says what it has consumed, where each
// tensor is and which transfers are pending; its label holds numbers:
//
//   recursion   A, S_input, S_weight, S_output, body of the next loop
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
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cim/cost/nest.hpp"
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

using TensorTimes = std::array<Time, kTimes>;

struct Recursion {
  static void start(TensorTimes& x, Time product, std::int64_t) { x = {product, 0, 0, 0, product}; }
  static void extend(TensorTimes& x, const LoopStep& step) {
    const Time body = x[4];
    Time critical = body;
    for (std::size_t t = 0; t < kTensors; ++t) {
      const Time move = t == 2 ? 2 * step.move[t] : step.move[t];
      critical = std::max(critical, step.hidden[t] ? move : move + body);
    }
    x[0] += (step.factor - 1) * critical;
    x[1] += step.move[0];
    x[2] += step.move[1];
    x[3] += step.move[2];
    const Time most = std::max({x[1] - (step.hidden[0] ? step.move[0] : 0),
                                x[2] - (step.hidden[1] ? step.move[1] : 0), 2 * x[3]});
    x[4] = x[0] + most;
  }
  static Time latency(const TensorTimes& x, const PerTensor<Time>& boot) {
    return x[0] + std::max({boot[0] + x[1], boot[1] + x[2], boot[2] + x[3]}) + x[3] + boot[2];
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
};

struct Floor {
  static void start(TensorTimes& x, Time product, std::int64_t products) {
    x = {product * products, 0, 0, 0, 0};
  }
  static void extend(TensorTimes&, const LoopStep&) {}
  static Time latency(const TensorTimes& x, const PerTensor<Time>&) { return x[0]; }
};

}  // namespace pimbb::cim::mapper
