// Plans with agreeing layouts whose goals are sums over layers and copies.
#pragma once

#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/plan/experience.hpp"
#include "dram_pim/plan/relayout.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"

namespace pimbb::dram_pim::network {

/// A plan as one of many, for goals that are latency, energy or a blend.
struct PlanTask {
  mapper::LayerStore& layers;        ///< what searches of a layer share
  Passes& passes;                    ///< what copies cost
  bool rough = false;                ///< the first plan will do, and a bound that comes with it
  std::optional<Rational> enough{};  ///< a bound of the first goal that will do
  search::Blend direction{};         ///< weights of latency and energy
  Experience* experience = nullptr;  ///< used, and added to; null: there is one plan only
};

/// The plan that minimises latency, energy, activations, a blend, or a list of these. The caller
/// has validated the input.
LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph, const Question& question,
                     const RunLimits& limits, const PlanTask& task);

}  // namespace pimbb::dram_pim::network
