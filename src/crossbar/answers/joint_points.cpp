// Deadlines by shares, each with a walk and a packing of its own.
#include "crossbar/answers/joint_points.hpp"

#include <algorithm>
#include <array>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/latency_walk.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar::joint {
namespace {

using namespace assign;

constexpr std::int64_t kDeadlines = 10;
constexpr std::array<int, 4> kIdleOfTenThousand{0, 10, 40, 150};  // of the time, for the packing
constexpr std::uint64_t kWalkStepsOfFamily = 1'000;
constexpr std::uint64_t kBalanceStepsOfShare = 40;  // by core and array
constexpr std::uint64_t kMostBalanceSteps = 400'000;
constexpr double kHeatOfValue = 0.003;

/// A deadline and the share of its time that packings may waste.
struct Aim {
  std::int64_t deadline = 0;
  std::int64_t work = 0;  // MVMs of the replication
  std::uint64_t seed = 1;
};

/// A replication in the box, with room: the least one, then one replica after the other where the
/// longest path gains most.
std::vector<std::int64_t> filled(const Problem& problem, const Paths& paths, const Box& box) {
  std::vector<std::int64_t> r = box.least;
  std::int64_t free = problem.all_crossbars();
  for (std::size_t f = 0; f < r.size(); ++f) free -= problem.families[f].crossbars * r[f];
  while (true) {
    std::vector<double> periods;
    for (const std::int64_t each : r) periods.push_back(1 / static_cast<double>(each));
    const std::vector<double> weights = paths.weights(paths.longest(periods));
    std::optional<std::size_t> best;
    double most = 0;
    for (std::size_t f = 0; f < r.size(); ++f) {
      const std::int64_t crossbars = problem.families[f].crossbars;
      if (r[f] >= box.most[f] || crossbars > free) continue;
      const auto each = static_cast<double>(r[f]);
      const double gain = weights[f] / (each * (each + 1) * static_cast<double>(crossbars));
      if (gain <= most) continue;
      best = f;
      most = gain;
    }
    if (!best) return r;
    ++r[*best];
    free -= problem.families[*best].crossbars;
  }
}

class PointSearch {
 public:
  PointSearch(const Problem& problem, JointSearch& search, const std::function<bool()>& stop)
      : problem_(problem), search_(search), stop_(stop) {}

  void run(std::uint64_t seed, SolveStatistics& spent) {
    const std::vector<Aim> aims = aims_between_ends(seed);
    std::vector<std::optional<Mapping>> found(aims.size());
    run::parallel_for(aims.size(), [&](std::size_t i) {
      if (!stop_()) found[i] = mapping_for(aims[i]);
    });
    for (std::optional<Mapping>& mapping : found) {
      ++spent.starts;
      if (mapping) search_.offer(std::move(*mapping));
    }
  }

 private:
  [[nodiscard]] std::vector<Aim> aims_between_ends(std::uint64_t seed) const {
    std::vector<Aim> aims;
    const std::vector<JointPoint>& points = search_.archive().points();
    if (points.empty()) return aims;
    const std::int64_t low = std::max(points.front().ht, problem_.quantum);
    const std::int64_t high = points.back().ht;
    for (std::int64_t i = 0; i <= kDeadlines; ++i) {
      const double share = static_cast<double>(i) / kDeadlines;
      const auto beyond = static_cast<std::int64_t>(static_cast<double>(high - low) * share * share);
      const std::int64_t deadline = low + beyond;
      for (const int idle : kIdleOfTenThousand) {
        const std::int64_t work = search_.boxes().all_work(deadline);
        aims.push_back({deadline / problem_.quantum * problem_.quantum,
                        work - work / 10'000 * idle - work % 10'000 * idle / 10'000,
                        seed + aims.size()});
      }
    }
    return aims;
  }

  [[nodiscard]] std::optional<Mapping> mapping_for(const Aim& aim) const {
    const JointBoxes& boxes = search_.boxes();
    const Paths& paths = boxes.latency().paths();
    Box box = boxes.root();
    if (!boxes.tighten(box, aim.deadline)) return std::nullopt;
    const std::vector<std::int64_t> start = filled(problem_, paths, box);
    Paths::Memory memory;
    std::vector<double> periods;
    for (const std::int64_t r : start) periods.push_back(1 / static_cast<double>(r));
    const double value = paths.length(periods, memory);
    LatencyWalk how;
    how.steps = kWalkStepsOfFamily * problem_.families.size();
    how.price = value / static_cast<double>(problem_.all_crossbars());
    how.price_of_work = 4 * value / static_cast<double>(aim.work);
    how.most_work = aim.work;
    how.heat = kHeatOfValue * value;
    how.seed = aim.seed;
    how.stop = stop_;
    return packed(walk(problem_, paths, box, start, how), aim);
  }

  [[nodiscard]] std::optional<Mapping> packed(const std::vector<std::int64_t>& replication,
                                              const Aim& aim) const {
    std::int64_t widest = 1;
    for (const ArrayNode& array : problem_.p.arrays) widest = std::max(widest, array.width);
    const bool wide = 4 * widest >= problem_.crossbars && aim.seed % 2 == 0;
    std::optional<Mapping> mapping =
        dealt_out(problem_, replication,
                  wide ? std::max<std::int64_t>(2, widest / 2) : problem_.crossbars + 1);
    if (!mapping) return std::nullopt;
    Start start;
    start.from = &*mapping;
    start.seed = aim.seed;
    start.steps = std::min(kMostBalanceSteps, kBalanceStepsOfShare *
                                                  static_cast<std::uint64_t>(problem_.cores) *
                                                  problem_.p.arrays.size());
    return balance(problem_, start, aim.deadline, stop_).mapping;
  }

  const Problem& problem_;
  JointSearch& search_;
  const std::function<bool()>& stop_;
};

}  // namespace

void look_for_points(const Problem& problem, JointSearch& search, std::uint64_t seed,
                     SolveStatistics& spent, const std::function<bool()>& stop) {
  PointSearch(problem, search, stop).run(seed, spent);
}

}  // namespace pimbb::crossbar::joint
