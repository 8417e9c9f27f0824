// A re-layout pass: a tensor copied from one place in DRAM to another, and what that costs.
//
// The pass reads every element that both places have once and writes it once, in the order of the
// new addresses. Source and destination lie in banks of their own, one open row each, as the
// tensors of a layer do. With n elements, and N_src, N_dst row activations counted access by
// access,
//
//     latency     = max of n * bytes / bandwidth + N * t_act over source (read) and destination
//                   (write), the row buffer's bandwidths: the DRAM's term of a layer; with
//                   dram_streams: shared the sum of both
//     energy      = 2 * n * (access cost of DRAM + that of the row buffer)
//                   + (N_src + N_dst) * activation energy
//     activations = N_src + N_dst
//
// Elements of a border are not copied: they are zero before the network runs, and stay so.
#pragma once

#include <utility>
#include <vector>

#include "dram_pim/plan/placement.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/rational.hpp"
#include "run/remembered.hpp"

namespace pimbb::dram_pim::network {

struct PassCost {
  Rational latency;      ///< cycles
  Rational energy;       ///< nJ
  Rational activations;  ///< N_src + N_dst
};

/// Row activations of a pass.
struct PassRows {
  std::int64_t source = 0;
  std::int64_t target = 0;
};

/// Counts passes, remembering those that it has seen. Thread-safe.
class Passes {
 public:
  explicit Passes(const Architecture& architecture) : a_(architecture) {}

  /// Nothing at all if the places agree or have no element in common.
  const PassCost& cost(const Placement& from, const Placement& to);
  /// A lower bound that is quick: exact but for copies from a sequential place into boxes.
  PassCost estimate(const Placement& from, const Placement& to);
  struct BoxCopy {
    LayoutBox box{};
    PassCost cost;
  };
  /// The same from a row-aligned place, and to one, in each of the boxes that divide it and fit a
  /// row, ascending.
  const std::vector<BoxCopy>& from_boxes(const Placement& boxed, const Placement& to);
  const std::vector<BoxCopy>& to_boxes(const Placement& from, const Placement& boxed);
  struct LeastCopy {
    PassCost cost;
    LayoutBox source{1, 1, 1, 1};  ///< a pair with the fewest activations
    LayoutBox target{1, 1, 1, 1};
  };
  /// The least of each over all boxes in the given lists, both places being row-aligned.
  [[nodiscard]] LeastCopy least(const Placement& from, const std::vector<LayoutBox>& sources,
                                const Placement& to, const std::vector<LayoutBox>& targets) const;

 private:
  [[nodiscard]] PassCost cost_of(const Placement& from, const Placement& to,
                                 const PassRows& rows) const;
  [[nodiscard]] PassRows walk(const Placement& from, const Placement& to);
  [[nodiscard]] std::int64_t rows_filling_boxes(const Placement& from, const Placement& to,
                                                const Rectangle& part) const;
  [[nodiscard]] std::int64_t rows_in_runs(const Placement& from, const Placement& to,
                                          const Rectangle& part) const;
  [[nodiscard]] std::int64_t written_rows(const Placement& to, const Rectangle& part);
  std::int64_t sequential_rows(const Placement& place, const Rectangle& part);
  [[nodiscard]] std::vector<LayoutBox> boxes(const Placement& place) const;
  template <class CostOf>
  [[nodiscard]] std::vector<BoxCopy> copies(const Placement& boxed, const CostOf& cost_of) const;

  const Architecture& a_;
  run::Remembered<std::pair<Placement, Placement>, PassCost> known_;
  run::Remembered<std::pair<Placement, Rectangle>, std::int64_t> rows_;  // of sequential places
  run::Remembered<std::pair<Placement, Placement>, std::vector<BoxCopy>> from_boxes_;
  run::Remembered<std::pair<Placement, Placement>, std::vector<BoxCopy>> to_boxes_;
};

}  // namespace pimbb::dram_pim::network
