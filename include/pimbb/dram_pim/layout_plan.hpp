// One plan for all layers of a graph: mappings whose DRAM layouts agree, or copies between them.
//
// The output of a layer is the input of the next: in DRAM it is one tensor. A plan gives each such
// tensor one place, and each layer a mapping. If a layer reads or writes the tensor in another
// place, the plan includes a relayout pass, a copy in DRAM, whose cost is counted access by access.
// The optimum over mappings, places and passes together is found and proven.
//
// Element-wise operators (ReLU, batch normalisation, a residual Add) join tensors: all of them have
// the same place. Every other operator rewrites its operands to any place, so nothing has to agree
// across it.
//
// Places of a tensor:
//   - sequential, in one frame: the smallest plane that contains everything that its layers read or
//     write, so that borders (padding) are part of it and need not be added by a copy. If the
//     architecture leaves the order of inputs free, the tensor has either order, NCHW or NHWC;
//     outputs are written in NCHW;
//   - row-aligned, cut into boxes (layout_range.hpp) from the corner of its producer's plane.
// The tensors of a layer with groups are sequential. A layer either uses the place of the plan, or
// the place that is best for the layer alone, with a pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim {

/// A tensor that layers exchange, and its place.
struct SharedTensor {
  std::vector<std::size_t> tensors;  ///< tensors of the graph, joined by element-wise operators
  Layout layout = Layout::sequential;
  Frame frame;  ///< sequential: its planes, and the producer's plane in them
  InputOrder order = InputOrder::nchw;  ///< sequential: nchw or nhwc
  LayoutBox box{1, 1, 1, 1};            ///< row-aligned: n c h w
};

struct Relayout {  ///< cost of the copy between a layer and a shared tensor; all zero: no copy
  Rational latency;
  Rational energy;
  Rational activations;
};

struct PlannedLayer {
  std::size_t node = 0;  ///< of the graph
  Workload workload;     ///< with the frames of its input and output
  std::int64_t repetitions = 1;
  Solution solution;                  ///< optimal for the places of its tensors in this plan
  std::optional<std::size_t> reads;   ///< the shared tensor that is its input, if any
  std::optional<std::size_t> writes;  ///< the shared tensor that is its output, if any
  Relayout before;                    ///< copy of the input
  Relayout after;                     ///< copy of the output
};

struct LayoutPlan {
  Status status = Status::unknown;
  std::string reason;             ///< infeasible: the layer without a mapping, and why
  std::vector<GoalResult> goals;  ///< of the whole network, in the order of the objective
  std::vector<PlannedLayer> layers;
  std::vector<SharedTensor> shared;
  NetworkTotals totals;          ///< passes included
  std::vector<Rational> passes;  ///< the part of each goal that is due to passes
  /// Each goal for the layers' own optima, without agreement; and for these optima with the
  /// cheapest passes between them. If the goal is EDP, they are optima under the blend of latency
  /// and energy for which the plan is optimal.
  std::vector<Rational> alone;
  std::vector<Rational> reconciled;
  NetworkTotals alone_totals;
  NetworkTotals reconciled_totals;
  std::uint64_t solves = 0;  ///< layers solved under restrictions
  std::uint64_t rounds = 0;  ///< relaxations of the whole network solved
  double seconds = 0;
};

/// Finds the plan of least objective for a network with a graph. Goals are sums over layers and
/// passes, with weights and repetitions; EDP is total latency times total energy. `limits` apply to
/// the whole plan; if one is reached, the status is feasible, with proven bounds. Progress counts
/// solved layers as nodes. Throws InputError if the network has no graph, the shapes of connected
/// layers do not match, the method is a heuristic, or EDP is one of several goals.
LayoutPlan plan_layouts(const Architecture& architecture, const Network& network,
                        const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
