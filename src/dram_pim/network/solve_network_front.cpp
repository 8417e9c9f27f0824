// The layers' fronts one after the other, then the front of their sums.
#include "answers/totals_front.hpp"
#include "dram_pim/network/totals.hpp"
#include "pimbb/dram_pim/network_front.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim {
namespace {

class NetworkFrontSolver {
 public:
  NetworkFrontSolver(const Architecture& a, Network merged, const std::vector<Goal>& axes,
                     const Question& question, const RunLimits& limits, const FrontOptions& options)
      : a_(a),
        merged_(std::move(merged)),
        axes_(axes),
        question_(question),
        limits_(limits),
        options_(options),
        clock_(limits) {}

  NetworkFront run(const std::function<void(const LayerFront&)>& on_layer) {
    front_.axes = axes_;
    front_.threads = run::thread_count(limits_);
    front_.status = FrontStatus::complete;
    for (std::size_t i = 0; i < merged_.layers.size(); ++i) {
      solve_layer(i);
      if (on_layer) on_layer(front_.layers.back());
      if (front_.status == FrontStatus::infeasible) break;
    }
    if (front_.status == FrontStatus::complete || front_.status == FrontStatus::partial) add_up();
    front_.seconds = clock_.seconds();
    return std::move(front_);
  }

 private:
  /// A layer gets its share of the time that is left.
  void solve_layer(std::size_t i) {
    const NetworkLayer& layer = merged_.layers[i];
    RunLimits limits = limits_;
    if (const auto left = clock_.left()) {
      limits.time_limit = *left / static_cast<double>(merged_.layers.size() - i);
    }
    LayerFront solved{layer.workload, layer.repetitions,
                      solve_front(a_, layer.workload, axes_, question_, limits)};
    front_ += solved.front;
    switch (solved.front.status) {
      case FrontStatus::infeasible:
        front_.status = FrontStatus::infeasible;
        front_.reason = layer.workload.name + ": " + solved.front.reason;
        break;
      case FrontStatus::unknown: front_.status = FrontStatus::unknown; break;
      case FrontStatus::partial:
        if (front_.status == FrontStatus::complete) front_.status = FrontStatus::partial;
        break;
      case FrontStatus::complete: break;
    }
    front_.layers.push_back(std::move(solved));
  }

  void add_up() {
    std::vector<answers::LayerPoints> layers;
    for (std::size_t i = 0; i < front_.layers.size(); ++i) {
      answers::LayerPoints& layer = layers.emplace_back();
      layer.times = network::times(merged_.layers[i]);
      for (const FrontPoint& point : front_.layers[i].front.points) {
        layer.points.push_back(point.costs);
      }
      for (const FrontBox& box : front_.layers[i].front.open) layer.corners.push_back(box.from);
    }
    answers::TotalsFront totals = answers::front_of_totals(
        layers, axes_.size(), options_, limits_.memory_limit, [this] { return clock_.stopped(); });
    front_.status = totals.complete ? FrontStatus::complete : FrontStatus::partial;
    for (auto& point : totals.points) {
      front_.points.push_back({std::move(point.costs), std::move(point.chosen)});
    }
    front_.open = std::move(totals.open);
    front_.covered = totals.covered;
    front_.within = totals.within;
    front_.found = totals.found;
  }

  const Architecture& a_;
  const Network merged_;
  const std::vector<Goal>& axes_;
  const Question& question_;
  const RunLimits& limits_;
  const FrontOptions& options_;
  const run::Clock clock_;
  NetworkFront front_;
};

}  // namespace

NetworkFront solve_network_front(const Architecture& architecture, const Network& network,
                                 const std::vector<Goal>& axes, const Question& question,
                                 const RunLimits& limits, const FrontOptions& options,
                                 const std::function<void(const LayerFront&)>& on_layer) {
  validate(network);
  return NetworkFrontSolver(architecture, merge_equal_layers(network), axes, question, limits,
                            options)
      .run(on_layer);
}

}  // namespace pimbb::dram_pim
