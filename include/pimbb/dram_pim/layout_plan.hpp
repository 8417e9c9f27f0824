// One plan for all layers of a graph: mappings whose DRAM layouts agree, or are made to.
//
// The output of a layer is the input of the next: in DRAM it is one tensor. A plan gives each such
// tensor one place, and each layer a mapping. A layer that reads or writes the tensor elsewhere
// pays for a re-layout pass, a copy in DRAM, counted access by access. The optimum over all of it,
// mappings, places and passes together, is found and proven.
//
// Which tensors are one: those that element-wise operators (ReLU, batch normalisation, a residual
// Add) join, all of them in one place. Every other operator rewrites what it reads, in any place,
// so nothing has to agree across it.
//
// Where a tensor can lie:
//   - sequential, in one frame: the smallest plane that holds what any of its layers reads or
//     writes, so that borders (padding) are part of it and no copy is needed to add them;
//   - row-aligned, cut into boxes (layout_range.hpp) from the corner of its producer's plane.
// The tensors of a layer with groups are sequential. A layer may use that place, or have the tensor
// where it likes best on its own and pay for a pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim {

/// A tensor that layers exchange, and where it lies.
struct SharedTensor {
  std::vector<std::size_t> tensors;  ///< of the graph, joined by element-wise operators
  Layout layout = Layout::sequential;
  Frame frame;                ///< sequential: its planes, and its producer's plane in them
  LayoutBox box{1, 1, 1, 1};  ///< row-aligned: n c h w
};

struct Relayout {  ///< a copy between a layer and a shared tensor; all zero: they agree
  Rational latency;
  Rational energy;
  Rational activations;
};

struct PlannedLayer {
  std::size_t node = 0;  ///< of the graph
  Workload workload;     ///< with the frames that it reads and writes in
  std::int64_t repetitions = 1;
  Solution solution;                  ///< optimal for the place that its tensors have in this plan
  std::optional<std::size_t> reads;   ///< which shared tensor is its input, if any
  std::optional<std::size_t> writes;  ///< and which its output
  Relayout before;                    ///< of the input
  Relayout after;                     ///< of the output
};

struct LayoutPlan {
  Status status = Status::unknown;
  std::string reason;             ///< infeasible: which layer has no mapping, and why
  std::vector<GoalResult> goals;  ///< of the whole network, in the order of the objective
  std::vector<PlannedLayer> layers;
  std::vector<SharedTensor> shared;
  NetworkTotals totals;          ///< passes included
  std::vector<Rational> passes;  ///< the part of each goal that passes have in it
  /// Each goal of the layers' own optima, if layers did not have to agree; and of these optima with
  /// the cheapest passes between them. Where the goal is EDP they are optima under the blend of
  /// latency and energy that the plan is best for.
  std::vector<Rational> alone;
  std::vector<Rational> reconciled;
  NetworkTotals alone_totals;
  NetworkTotals reconciled_totals;
  std::uint64_t solves = 0;  ///< layers solved under some confinement
  std::uint64_t rounds = 0;  ///< relaxations of the whole network solved
  double seconds = 0;
};

/// The plan of least objective (its goals summed over layers and passes, weights and repetitions
/// included) for a network with a graph. On its own, EDP is total latency times total energy, as of
/// every network. `limits` hold for all of it; then the status is
/// feasible and the bounds say how far. Progress counts solves as nodes. Throws InputError if the
/// network has no graph, the graph's layers do not fit together, the method is a heuristic, or EDP
/// is one goal of several.
LayoutPlan plan_layouts(const Architecture& architecture, const Network& network,
                        const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
