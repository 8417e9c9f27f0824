// The cost of a mapping, term by term, in exact rationals. docs/model.md has the equations.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/row_model.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

struct LevelMetrics {
  std::optional<Rational> cycles;            ///< on-chip levels only (inside the row buffer)
  PerTensor<std::optional<Rational>> reads;  ///< A_total, elements; only tensors stored here
  PerTensor<std::optional<Rational>> buffer_utilization;  ///< tile bytes / capacity; bounded levels
};

struct Metrics {
  Rational latency;  ///< cycles
  Rational energy;   ///< nJ
  Rational compute_cycles;
  PerTensor<Rational> dram_cycles;  ///< transfer and activations, per tensor
  Rational interconnect_cycles;
  PerTensor<Rational> row_activations;  ///< N_act
  std::vector<LevelMetrics> levels;     ///< innermost first, row buffer and DRAM included
  Rational pe_utilization;              ///< spatial factors / (H * W * num_macs)

  [[nodiscard]] Rational activations() const;  ///< sum of row_activations
  [[nodiscard]] Rational edp() const { return latency * energy; }
};

/// Cycles that the DRAM is busy: those of the slowest tensor, with `shared_streams` of all
/// together.
Rational dram_busy(const Architecture& architecture, const Metrics& metrics);

/// The cost of a feasible mapping. The caller checks feasibility (find_violation); for an
/// infeasible mapping the result is meaningless.
Metrics evaluate(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 RowModel row_model);

/// The same with given row activations, for example from a simulator.
Metrics evaluate_with_rows(const Architecture& architecture, const Workload& workload,
                           const Mapping& mapping, const PerTensor<Rational>& row_activations);

}  // namespace pimbb::dram_pim
