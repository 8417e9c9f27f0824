// What a mapping costs, in every term (spec 4-6), in exact rationals.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// How row activations are counted: the seeds' closed formulas, the formulas with micro-traces, or
/// the exact access stream.
enum class RowModel : std::uint8_t { analytic, hybrid, trace };
inline constexpr std::array<std::string_view, 3> kRowModelNames{"analytic", "hybrid", "trace"};

struct LevelMetrics {
  std::optional<Rational> cycles;            ///< on-chip levels (0 .. row buffer exclusive)
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

/// Cost of a feasible mapping. The mapping's feasibility is the caller's business (find_violation);
/// on an infeasible one the figures mean nothing.
Metrics evaluate(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 RowModel row_model);

/// The same with row activations that are known already, from a trace or a simulator.
Metrics evaluate_with_rows(const Architecture& architecture, const Workload& workload,
                           const Mapping& mapping, const PerTensor<Rational>& row_activations);

}  // namespace pimbb::dram_pim
