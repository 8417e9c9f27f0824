// The layers' fronts one after the other, then the front of their sums.
#include <algorithm>

#include "answers/front_sum.hpp"
#include "answers/selection.hpp"
#include "dram_pim/network/totals.hpp"
#include "pimbb/dram_pim/network_front.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim {
namespace {

constexpr std::size_t kMostSums = std::size_t{1} << 17U;       // on two axes
constexpr std::size_t kMostSumsThree = std::size_t{1} << 14U;  // thinning takes longer
constexpr std::uint64_t kBytesOfSum = 64;
constexpr std::size_t kCorners = 128;  // from which open boxes are made
/// From how many points some are selected; of more, those within a small share of all.
constexpr std::size_t kSelectable = 2048;

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

  /// By layer the costs of its points, and of the least corners of its open boxes if these count.
  [[nodiscard]] std::vector<answers::SumPart> parts(bool with_corners) const {
    std::vector<answers::SumPart> parts;
    for (std::size_t i = 0; i < front_.layers.size(); ++i) {
      answers::SumPart& part = parts.emplace_back();
      part.times = network::times(merged_.layers[i]);
      for (const FrontPoint& point : front_.layers[i].front.points) {
        part.points.push_back(point.costs);
      }
      if (!with_corners) continue;
      for (const FrontBox& box : front_.layers[i].front.open) part.points.push_back(box.from);
    }
    return parts;
  }

  void add_up() {
    answers::SumLimits limits;
    limits.within = options_.within.value_or(0);
    limits.most = axes_.size() == 2 ? kMostSums : kMostSumsThree;
    const std::uint64_t each = kBytesOfSum * (front_.layers.size() + 1);
    limits.most = std::max<std::size_t>(
        64, std::min<std::uint64_t>(limits.most, limits_.memory_limit / each));
    limits.stop = [this] { return clock_.stopped(); };
    answers::FrontSum sum = answers::front_of_sums(parts(false), limits);
    front_.found = sum.points.size();
    front_.within = sum.within;
    if (sum.within > limits.within) front_.status = FrontStatus::partial;
    if (options_.points && sum.points.size() > *options_.points) select_points(sum);
    for (auto& point : sum.points) {
      front_.points.push_back({std::move(point.costs), {point.chosen.begin(), point.chosen.end()}});
    }
    front_.covered = 1;
    if (front_.status == FrontStatus::partial) leave_open();
  }

  /// Some of the points, of very many those within a small share of all.
  void select_points(answers::FrontSum& sum) {
    const auto costs_of = [](const answers::FrontSum& of) {
      std::vector<answers::Vector> costs;
      for (const auto& point : of.points) costs.push_back(point.costs);
      return costs;
    };
    const std::vector<answers::SumPart> all{{costs_of(sum), 1}};
    const answers::FrontSum some = answers::front_of_sums(all, {.most = kSelectable});
    FrontOptions wanted;
    wanted.points = options_.points;
    const answers::Selection selection = answers::select(costs_of(some), wanted);
    std::vector<answers::FrontSum::Point> kept;
    for (const std::size_t chosen : selection.chosen) {
      kept.push_back(std::move(sum.points[some.points[chosen].chosen.front()]));
    }
    sum.points = std::move(kept);
    front_.within.reset();
    if (selection.within) {
      front_.within = (Rational(1) + sum.within) * (Rational(1) + some.within) *
                          (Rational(1) + *selection.within) -
                      1;
    }
  }

  void leave_open() {
    std::vector<answers::Vector> points;
    const std::size_t step = (front_.points.size() + kCorners - 1) / kCorners;
    for (std::size_t p = 0; p < front_.points.size(); ++p) {
      if (p % step == 0 || p + 1 == front_.points.size()) points.push_back(front_.points[p].costs);
    }
    const std::vector<answers::Vector> corners = answers::floor_of_sums(parts(true), kCorners);
    front_.open = answers::open_boxes(points, corners, axes_.size());
    front_.covered = answers::covered_share(points, front_.open);
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
