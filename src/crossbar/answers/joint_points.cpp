// Rounds of tasks: deadlines between the ends, then those between neighbours that are far apart.
#include "crossbar/answers/joint_points.hpp"

#include <algorithm>
#include <array>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/latency_walk.hpp"
#include "exact/splitmix64.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar::joint {
namespace {

using namespace assign;

constexpr std::int64_t kDeadlines = 4;                            // of the first round
constexpr std::array<int, 4> kIdleOfTenThousand{0, 40, 10, 150};  // of the time, for the packing
constexpr std::size_t kFirstIdle = 2;                             // of these in the first round
constexpr int kRounds = 6;                                        // without a limit of time
constexpr std::size_t kMostGaps = 4;                              // of a later round
constexpr std::array<std::int64_t, 3> kPartsOfGap{2, 5, 3};       // its deadlines, round by round
constexpr std::uint64_t kWalkStepsOfFamily = 2'000;
constexpr std::uint64_t kMostWalkSteps = 40'000;
constexpr std::uint64_t kBalanceStepsOfShare = 40;  // by core and array
constexpr std::uint64_t kLongStepsOfShare = 300;    // the same at the largest gap
constexpr std::uint64_t kMostBalanceSteps = 2'000'000;
constexpr std::array<double, 3> kSharesOfGap{0.1, 0.4, 0.8};  // of `ll`, that a walk need not close
constexpr std::uint64_t kNodesOfPoint = 10;                   // boxes
constexpr double kHeatOfValue = 0.003;

/// What a task looks for: a mapping that meets the deadline.
struct Aim {
  std::int64_t deadline = 0;
  std::int64_t idle = 0;  // ten thousandths of the time, without multiplications
  std::uint64_t seed = 1;
  std::vector<std::int64_t> from = {};   // the replication where a walk begins; empty: none yet
  std::optional<Mapping> balanced = {};  // that is only balanced anew; instead of a walk
  bool is_long = false;                  // the balancing takes more steps
  double enough = 0;                     // `ll`, ns: where the walk ends
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
  PointSearch(const Problem& problem, JointSearch& search, Effort& effort)
      : problem_(problem), search_(search), effort_(effort) {}

  /// `patient`: until it is stopped.
  void run(std::uint64_t seed, bool patient, SolveStatistics& spent) {
    random_ = SplitMix64(seed);
    try_all(aims_between_ends(), spent);
    for (int round = 0; (patient || round < kRounds) && !is_over(); ++round) {
      std::vector<Aim> aims = aims_at_gaps(round);
      if (aims.empty()) return;
      try_all(std::move(aims), spent);
    }
  }

 private:
  [[nodiscard]] bool is_over() const { return effort_.exhausted() || effort_.stopped(); }

  /// As many of them as there are nodes for.
  void try_all(std::vector<Aim> aims, SolveStatistics& spent) {
    const std::uint64_t each = kNodesOfPoint * nodes_of_box(problem_);
    const std::uint64_t left = effort_.most_nodes - std::min(effort_.most_nodes, effort_.nodes);
    if (left / each < aims.size()) aims.resize(left / each);
    std::vector<std::optional<Mapping>> found(aims.size());
    run::parallel_for(aims.size(), [&](std::size_t i) {
      if (!effort_.stopped()) found[i] = mapping_for(aims[i]);
    });
    effort_.nodes += aims.size() * each;
    for (std::optional<Mapping>& mapping : found) {
      ++spent.starts;
      if (mapping) search_.offer(std::move(*mapping));
    }
  }

  [[nodiscard]] Aim aim_at(std::int64_t deadline, int idle) {
    return {deadline / problem_.quantum * problem_.quantum, idle, random_()};
  }

  [[nodiscard]] std::vector<Aim> aims_between_ends() {
    std::vector<Aim> aims;
    const std::vector<JointPoint>& points = search_.archive().points();
    if (points.empty()) return aims;
    const std::int64_t low = points.front().ht;
    const std::int64_t high = points.back().ht;
    for (std::int64_t i = 0; i <= kDeadlines; ++i) {
      const double share = static_cast<double>(i) / kDeadlines;
      const double beyond = static_cast<double>(high - low) * share * share;
      for (std::size_t k = 0; k < kFirstIdle; ++k) {
        const int idle = kIdleOfTenThousand[k];
        aims.push_back(aim_at(low + static_cast<std::int64_t>(beyond), idle));
        if (i % 2 == 0) aims.back().from = problem_.by_family(points.back().mapping.replication);
      }
    }
    return aims;
  }

  /// Between neighbours with the largest boxes below their corner: the right one is balanced anew,
  /// and walks begin at both.
  [[nodiscard]] std::vector<Aim> aims_at_gaps(int round) {
    const std::vector<JointPoint>& points = search_.archive().points();
    std::vector<std::pair<double, std::size_t>> gaps;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (points[i].ht - points[i - 1].ht <= problem_.quantum) continue;
      gaps.emplace_back(-static_cast<double>(points[i].ht - points[i - 1].ht) *
                            (points[i - 1].ll - points[i].ll).to_double(),
                        i);
    }
    std::ranges::sort(gaps);
    if (gaps.size() > kMostGaps) gaps.resize(kMostGaps);
    std::vector<Aim> aims;
    for (const auto& [size, i] : gaps) {
      const JointPoint& left = points[i - 1];
      const JointPoint& right = points[i];
      aims.push_back(aim_at(left.ht + problem_.quantum, 0));
      aims.back().balanced = right.mapping;
      aims.back().is_long = i == gaps.front().second;
      const std::int64_t parts = kPartsOfGap[static_cast<std::size_t>(round) % kPartsOfGap.size()];
      const std::int64_t deadline = left.ht + (right.ht - left.ht) / parts;
      const int idle =
          kIdleOfTenThousand[static_cast<std::size_t>(round) % kIdleOfTenThousand.size()];
      for (const JointPoint* from : {&left, &right}) {
        aims.push_back(aim_at(deadline, idle));
        aims.back().from = problem_.by_family(from->mapping.replication);
      }
      for (const double share : kSharesOfGap) {
        aims.push_back(aim_at(deadline, idle));
        aims.back().enough = right.ll.to_double() + share * (left.ll - right.ll).to_double();
      }
    }
    return aims;
  }

  [[nodiscard]] std::optional<Mapping> mapping_for(const Aim& aim) const {
    const JointBoxes& boxes = search_.boxes();
    const Paths& paths = boxes.latency().paths();
    Box box = boxes.root();
    if (!boxes.tighten(box, aim.deadline)) return std::nullopt;
    if (aim.balanced) return balanced(*aim.balanced, aim);
    std::vector<std::int64_t> start = aim.from;
    for (std::size_t f = 0; f < start.size(); ++f) {
      start[f] = std::clamp(start[f], box.least[f], box.most[f]);
    }
    if (start.empty() || boxes.latency().used(start) > problem_.all_crossbars()) {
      start = filled(problem_, paths, box);
    }
    Paths::Memory memory;
    std::vector<double> periods;
    for (const std::int64_t r : start) periods.push_back(1 / static_cast<double>(r));
    const double value = paths.length(periods, memory);
    const JointBoxes::WorkRule rule = boxes.tightest_rule(box);
    const std::int64_t work = boxes.most_work(rule, aim.deadline);
    LatencyWalk how;
    how.steps = std::min(kMostWalkSteps, kWalkStepsOfFamily * problem_.families.size());
    how.price = value / static_cast<double>(problem_.all_crossbars());
    how.groups = rule.groups;
    how.most_work = work - work / 10'000 * aim.idle - work % 10'000 * aim.idle / 10'000;
    how.price_of_work = 4 * value / static_cast<double>(std::max<std::int64_t>(1, work));
    how.heat = kHeatOfValue * value;
    how.seed = aim.seed;
    how.enough = aim.enough;
    how.stop = effort_.stop;
    return packed(walk(problem_, paths, box, start, how), aim);
  }

  [[nodiscard]] std::optional<Mapping> packed(const std::vector<std::int64_t>& replication,
                                              const Aim& aim) const {
    std::int64_t widest = 1;
    for (const ArrayNode& array : problem_.p.arrays) widest = std::max(widest, array.width);
    std::vector<std::int64_t> wide{problem_.crossbars + 1};
    if (4 * widest >= problem_.crossbars) wide.push_back(std::max<std::int64_t>(2, widest / 2));
    if (8 * widest >= problem_.crossbars) wide.push_back(std::max<std::int64_t>(2, widest));
    const std::optional<Mapping> mapping =
        dealt_out(problem_, replication, wide[aim.seed % wide.size()]);
    return mapping ? balanced(*mapping, aim) : std::nullopt;
  }

  [[nodiscard]] std::optional<Mapping> balanced(const Mapping& mapping, const Aim& aim) const {
    Start start;
    start.from = &mapping;
    start.seed = aim.seed;
    const std::uint64_t shares =
        static_cast<std::uint64_t>(problem_.cores) * problem_.p.arrays.size();
    start.steps = std::min(kMostBalanceSteps,
                           shares * (aim.is_long ? kLongStepsOfShare : kBalanceStepsOfShare));
    return balance(problem_, start, aim.deadline, effort_.stop).mapping;
  }

  const Problem& problem_;
  JointSearch& search_;
  Effort& effort_;
  SplitMix64 random_{1};
};

}  // namespace

void look_for_points(const Problem& problem, JointSearch& search, std::uint64_t seed, bool patient,
                     Effort& effort, SolveStatistics& spent) {
  PointSearch(problem, search, effort).run(seed, patient, spent);
}

}  // namespace pimbb::crossbar::joint
