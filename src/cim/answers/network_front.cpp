// The layers' fronts one after the other, then the front of their sums.
#include "pimbb/cim/network_front.hpp"

#include <algorithm>

#include "answers/totals_front.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::cim {
namespace {

void add_up(NetworkFront& front, const FrontOptions& options, const RunLimits& limits,
            const run::Clock& clock) {
  std::vector<answers::LayerPoints> layers;
  for (const LayerFront& layer : front.layers) {
    answers::LayerPoints& points = layers.emplace_back();
    points.times = layer.workload.weight * Rational(layer.repetitions);
    for (const FrontPoint& point : layer.front.points) points.points.push_back(point.costs);
    for (const FrontBox& box : layer.front.open) points.corners.push_back(box.from);
  }
  answers::TotalsFront totals = answers::front_of_totals(
      layers, front.axes.size(), options, limits.memory_limit, [&] { return clock.stopped(); });
  front.status = totals.complete ? FrontStatus::complete : FrontStatus::partial;
  for (auto& point : totals.points) {
    front.points.push_back({std::move(point.costs), std::move(point.chosen)});
  }
  front.open = std::move(totals.open);
  front.covered = totals.covered;
  front.within = totals.within;
  front.found = totals.found;
}

}  // namespace

NetworkFront solve_network_front(const Architecture& architecture, const Network& network,
                                 const std::vector<Goal>& axes, const Question& question,
                                 const RunLimits& limits, const FrontOptions& options,
                                 const std::function<void(const LayerFront&)>& on_layer) {
  validate(network);
  const Network merged = merge_equal_layers(network);
  const run::Clock clock(limits);
  NetworkFront front;
  front.axes = axes;
  front.threads = run::thread_count(limits);
  bool all_known = true;
  for (std::size_t i = 0; i < merged.layers.size(); ++i) {
    const NetworkLayer& layer = merged.layers[i];
    RunLimits share = limits;
    if (const auto left = clock.left()) {
      share.time_limit = *left / static_cast<double>(merged.layers.size() - i);
    }
    front.layers.push_back({layer.workload, layer.repetitions,
                            solve_front(architecture, layer.workload, axes, question, share)});
    const Front& solved = front.layers.back().front;
    static_cast<SolveStatistics&>(front) += solved;
    front.solves += solved.solves;
    if (on_layer) on_layer(front.layers.back());
    all_known = all_known && solved.status != FrontStatus::unknown;
    if (solved.status != FrontStatus::infeasible) continue;
    front.status = FrontStatus::infeasible;
    front.reason = layer.workload.name + ": " + solved.reason;
    front.seconds = clock.seconds();
    return front;
  }
  if (all_known) add_up(front, options, limits, clock);
  front.seconds = clock.seconds();
  return front;
}

}  // namespace pimbb::cim
