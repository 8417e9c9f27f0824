// The oracle: what a mapping costs, spelled out from the definitions, slow and plain.
//
// Every term of the cost belongs to one tensor, given the loops, or combines the three tensors by
// a sum or a maximum. The two halves are kept apart (tensor_cost, combine), so that an exhaustive
// search may compute a tensor's share once and reuse it with all choices of the other two.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "support/fraction.hpp"
#include "support/oracle_rows.hpp"

namespace oracle {

inline constexpr std::size_t kMaxLevels = 8;
template <class T>
using PerLevel = std::array<T, kMaxLevels>;

/// One tensor's share. Entries of levels that do not store it are zero.
struct TensorCost {
  PerLevel<Fraction> reads;         ///< A: of one PE at level 0
  PerLevel<Fraction> reads_total;   ///< A_total
  PerLevel<Fraction> level_cycles;  ///< on-chip levels
  Fraction activations;
  Fraction dram_cycles;
  Fraction interconnect_cycles;
  Fraction energy;  ///< accesses and activations
};

struct Cost {
  Fraction latency, energy, compute_cycles, interconnect_cycles;
  PerLevel<Fraction> level_cycles;  ///< on-chip levels
  std::array<TensorCost, kTensors> tensors;

  [[nodiscard]] Fraction activations() const;
  [[nodiscard]] Fraction value(pimbb::dram_pim::Goal goal,
                               const pimbb::dram_pim::Objective& objective) const;
};

class CostOracle {
 public:
  CostOracle(const Architecture& a, const Workload& w, RowModel model);

  [[nodiscard]] Cost evaluate(const Mapping& m) const;

  [[nodiscard]] TensorCost tensor_cost(const Mapping& m, Tensor t,
                                       const Fraction& activations) const;
  /// Terms that no tensor owns, and the sums and maxima over the tensors.
  [[nodiscard]] Cost combine(const Mapping& m, const std::array<TensorCost, kTensors>& c) const;
  /// Only the goals' values, for exhaustive searches: latency, energy, activations.
  struct Totals {
    Fraction latency, energy, activations;
    [[nodiscard]] Fraction value(pimbb::dram_pim::Goal goal,
                                 const pimbb::dram_pim::Objective& objective) const;
  };
  [[nodiscard]] Totals totals(const Fraction& compute_cycles,
                              const std::array<const TensorCost*, kTensors>& c) const;
  [[nodiscard]] Fraction compute_cycles(const Mapping& m) const;

 private:
  [[nodiscard]] Fraction fills(const Mapping& m, Tensor t, std::size_t level) const;
  [[nodiscard]] std::optional<std::size_t> next_inner(const Mapping& m, Tensor t,
                                                      std::size_t level) const;
  void count_reads(const Mapping& m, Tensor t, TensorCost& c) const;

  const Architecture& a_;
  const Workload& w_;
  RowModel model_;
  PerLevel<std::array<Fraction, kTensors>> cycles_per_element_;  ///< elem_bytes / bw
  PerLevel<Fraction> access_cost_;
  std::array<Fraction, kTensors> interconnect_per_element_;
  Fraction t_act_, activation_energy_, mac_energy_, reduction_latency_;
};

/// The first figure in which the library's metrics differ from the oracle's cost, as a sentence;
/// empty if there is none. Utilizations are recomputed here.
std::string first_difference(const Architecture& a, const Workload& w, const Mapping& m,
                             const Cost& expected, const pimbb::dram_pim::Metrics& found);

}  // namespace oracle
