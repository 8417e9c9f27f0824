// Boxes are taken least bound first. A box whose greatest replications have room is solved: more
// replicas never cost latency.
#include "crossbar/assign/latency_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/assign/latency_walk.hpp"
#include "crossbar/assign/spread.hpp"
#include "exact/splitmix64.hpp"
#include "run/parallel_for.hpp"
#include "search/best_first.hpp"

namespace pimbb::crossbar::assign {
namespace {

using Replication = std::vector<std::int64_t>;  // by family

constexpr std::uint64_t kExchanges = 400;
constexpr std::uint64_t kPackingNodes = 20'000;
constexpr int kReductions = 400;
constexpr int kFailuresOfTarget = 12;
constexpr double kFirstShare = 0.5;  // of the gap that a target closes
constexpr double kLastShare = 0.002;
constexpr std::uint64_t kBytesOfBox = 256;
constexpr std::uint64_t kBoxesBeforeWalks = 64;  // easy problems are solved by then
constexpr std::size_t kRoleWalks = 4;
constexpr std::uint64_t kStepsOfFamily = 2'000;  // of each walk
constexpr double kPriceOfWalks = 1.05;           // times that of the bound
constexpr double kHeatOfWalks = 0.002;           // times the value
constexpr double kNear = 1e-9;                   // floating point of a latency errs by less

class LatencySearch {
 public:
  LatencySearch(const Problem& problem, Effort& effort, SolveStatistics& spent,
                const std::function<void(std::optional<Rational>, const Rational&)>& report)
      : problem_(problem),
        boxes_(problem),
        paths_(boxes_.paths()),
        effort_(effort),
        spent_(spent),
        report_(report) {}

  LeastLatency run() {
    if (!first_mapping()) return std::move(found_);
    Box root = boxes_.root();
    boxes_.tighten(root);
    const Allocation::Bound bound = boxes_.first_bound(root, effort_.stop);
    found_.bound = max(bound.value, boxes_.value(root.most));
    note();
    improve(bound.replication, root);
    reduce(bound.replication, root);
    price_ = bound.mix.shares.empty()
                 ? found_.value.to_double() / static_cast<double>(problem_.all_crossbars())
                 : static_cast<double>(bound.mix.price) /
                       static_cast<double>(std::int64_t{1} << (kCutBits + kShareBits));
    found_.bound = std::min(found_.bound, found_.value);
    note();
    branch(root);
    return std::move(found_);
  }

 private:
  [[nodiscard]] double estimate(const Replication& replication) const {
    std::vector<double> periods;
    for (const std::int64_t r : replication) periods.push_back(1 / static_cast<double>(r));
    return paths_.length(periods, memory_);
  }
  void note() const {
    if (!report_) return;
    report_(found_.mapping ? std::optional(found_.value) : std::nullopt, found_.bound);
  }

  /// One replica of each node.
  bool first_mapping() {
    const Replication ones(problem_.families.size(), 1);
    const Answer answer = problem_.has_room(ones) ? keep(ones, ~std::uint64_t{0}) : Answer::no;
    if (answer == Answer::no) {
      found_.infeasible = true;
      found_.reason = "one replica of each node cannot be packed into the cores";
    }
    return found_.mapping.has_value();
  }

  /// Packs; a mapping with a better value becomes the best one.
  Answer keep(const Replication& replication, std::uint64_t nodes) {
    std::optional<Mapping> mapping = spread(problem_, replication);
    if (!mapping) mapping = first_fit(problem_, replication);
    if (!mapping) {
      ++spent_.leaves;
      Effort part = effort_.part(nodes);
      Packed packed = pack(problem_, replication, std::nullopt, part);
      effort_.add(part);
      if (packed.answer != Answer::yes) return packed.answer;
      mapping = Mapping{problem_.by_array(replication), std::move(packed.cores)};
    }
    if (find_violation(problem_.a, problem_.p, *mapping)) return Answer::undecided;
    const Rational latency = boxes_.value(replication);
    if (!found_.mapping || latency < found_.value) {
      found_.mapping = std::move(mapping);
      found_.value = latency;
      best_ = replication;
    }
    return Answer::yes;
  }

  // --- good replications

  /// Adds replicas where the longest path gains most for a crossbar, as long as there is room.
  void fill(Replication& r, const Box& box, std::int64_t room) const {
    std::int64_t free = room - boxes_.used(r);
    while (true) {
      std::vector<double> periods;
      for (const std::int64_t each : r) periods.push_back(1 / static_cast<double>(each));
      const std::vector<double> weights = paths_.weights(paths_.longest(periods));
      std::optional<std::size_t> best;
      double most = 0;
      for (std::size_t f = 0; f < r.size(); ++f) {
        const Family& family = problem_.families[f];
        if (r[f] >= box.most[f] || family.crossbars > free || weights[f] <= 0) continue;
        const double gain =
            weights[f] / (static_cast<double>(r[f]) * static_cast<double>(r[f] + 1) *
                          static_cast<double>(family.crossbars));
        if (best && gain <= most) continue;
        best = f;
        most = gain;
      }
      if (!best) break;
      ++r[*best];
      free -= problem_.families[*best].crossbars;
    }
    r = paths_.useful(r);
  }

  void improve(const std::vector<double>& fractions, const Box& box) {
    for (const std::int64_t percent : {100, 99, 97, 94, 90, 80}) {
      const std::int64_t room =
          problem_.all_crossbars() / 100 * percent + problem_.all_crossbars() % 100 * percent / 100;
      Replication r;
      for (std::size_t f = 0; f < fractions.size(); ++f) {
        const double part = fractions[f] * static_cast<double>(percent) / 100;
        r.push_back(std::clamp(static_cast<std::int64_t>(part), box.least[f], box.most[f]));
      }
      if (boxes_.used(r) > room) continue;
      fill(r, box, room);
      exchange(r, box, room);
      if (keep(r, kPackingNodes) == Answer::yes) break;
    }
  }

  /// Takes replicas from one family after the other and fills anew.
  void exchange(Replication& best, const Box& box, std::int64_t room) {
    double least = estimate(best);
    std::uint64_t tried = 0;
    bool better = true;
    while (better) {
      better = false;
      for (std::size_t f = 0; f < best.size(); ++f) {
        for (const std::int64_t fewer : {std::int64_t{1}, best[f] / 16, best[f] / 4}) {
          if (fewer < 1 || best[f] - fewer < box.least[f]) continue;
          if (++tried > kExchanges * 4 || (tried % 16 == 0 && effort_.stopped())) return;
          Replication other = best;
          other[f] -= fewer;
          fill(other, box, room);
          const double estimated = estimate(other);
          ++spent_.steps;
          if (estimated >= least * (1 - 1e-12)) continue;
          least = estimated;
          best = other;
          better = true;
        }
      }
    }
  }

  /// Replicas for targets between bound and value: all that the fractions need, rounded up, and
  /// then fewer, one family after another by chance, as long as the longest path meets the target.
  /// Where many paths are about as long, filling alone does not find these.
  void reduce(const std::vector<double>& fractions, const Box& box) {
    SplitMix64 random(1);
    const double least = found_.bound.to_double();
    double share = kFirstShare;
    for (int failed = 0, trial = 0; trial < kReductions && share > kLastShare; ++trial) {
      if (effort_.stopped() || found_.value <= found_.bound) return;
      const double value = found_.value.to_double();
      const double target = value - share * (value - least);
      ++spent_.steps;
      std::optional<Replication> r = reduced(fractions, box, target, random);
      if (r) fill(*r, box, problem_.all_crossbars());
      if (r && keep(*r, kPackingNodes) == Answer::yes && found_.value.to_double() < value) {
        failed = 0;
      } else if (++failed % kFailuresOfTarget == 0) {
        share /= 2;
      }
    }
  }

  std::optional<Replication> reduced(const std::vector<double>& fractions, const Box& box,
                                     double target, SplitMix64& random) const {
    Replication r;
    for (std::size_t f = 0; f < fractions.size(); ++f) {
      r.push_back(std::clamp(static_cast<std::int64_t>(std::ceil(fractions[f])), box.least[f],
                             box.most[f]));
    }
    if (estimate(r) > target) return std::nullopt;
    std::vector<std::size_t> open(r.size());
    std::iota(open.begin(), open.end(), std::size_t{0});
    while (boxes_.used(r) > problem_.all_crossbars()) {
      if (open.empty()) return std::nullopt;
      const std::size_t place = random.below(open.size());
      const std::size_t f = open[place];
      if (r[f] > box.least[f]) {
        --r[f];
        if (estimate(r) <= target) continue;
        ++r[f];
      }
      open[place] = open.back();
      open.pop_back();
    }
    return r;
  }

  /// Several walks from the best replications, on as many threads as there are.
  void walk_on(const Box& root) {
    std::vector<Replication> found(kRoleWalks);
    LatencyWalk how;
    how.steps = kStepsOfFamily * problem_.families.size();
    how.price = price_ * kPriceOfWalks;
    how.heat = found_.value.to_double() * kHeatOfWalks;
    how.stop = effort_.stop;
    run::parallel_for(kRoleWalks, [&](std::size_t i) {
      LatencyWalk mine = how;
      mine.seed = i + 1;
      found[i] = walk(problem_, paths_, root, best_, mine);
    });
    spent_.steps += how.steps * kRoleWalks;
    for (const Replication& r : found) {
      if (r != best_ && boxes_.value(r) < found_.value) keep(r, kPackingNodes);
    }
    note();
  }

  // --- branch and bound

  struct OpenBox {
    Box box;
    LatencyBoxes::Halving at;  // of a box of several replications
  };
  using Open = search::BestFirst<OpenBox, Rational>;

  void branch(const Box& root) {
    Open open;
    std::uint64_t rank = 0;
    std::uint64_t taken = 0;
    const LatencyBoxes::Halving first = boxes_.halving(root);
    open.push(found_.bound, rank++, {root, first});
    while (!open.empty() && open.front().bound < found_.value && !effort_.exhausted()) {
      const std::uint64_t bytes =
          open.size() * (kBytesOfBox + 16 * static_cast<std::uint64_t>(problem_.families.size()));
      effort_.bytes = std::max(effort_.bytes, bytes);
      if (bytes > effort_.most_bytes || effort_.stopped()) break;
      if (++taken == kBoxesBeforeWalks) walk_on(root);
      for (std::size_t i = 0; i <= problem_.families.size() / 4; ++i) effort_.spend();
      const auto entry = open.pop();
      for (Box& half : halves(entry.part, open, entry.bound)) {
        boxes_.tighten(half);
        if (LatencyBoxes::is_empty(half) || !boxes_.has_room(half)) continue;
        Rational bound = entry.bound;
        if (estimate(half.most) > bound.to_double() * (1 - kNear)) {
          bound = max(bound, boxes_.value(half.most));
        }
        if (bound < found_.value) bound = max(bound, boxes_.bound(half, {}).value);
        if (bound >= found_.value) continue;
        const LatencyBoxes::Halving at = boxes_.halving(half);
        open.push(bound, rank++, {std::move(half), at});
      }
    }
    const auto left = open.least_bound();
    found_.bound = left ? std::min(*left, found_.value) : found_.value;
    note();
  }

  /// Both parts of a box that is not solved; a box of one replication that is not decided is left
  /// open.
  std::vector<Box> halves(const OpenBox& entry, Open& open, const Rational& bound) {
    const Box& box = entry.box;
    if (boxes_.used(box.most) <= problem_.all_crossbars()) {
      const Answer answer = keep(box.most, kPackingNodes);
      if (answer == Answer::yes) return {};
      if (box.least == box.most) {
        if (answer == Answer::undecided) open.leave_open(bound);
        return {};
      }
    }
    return {LatencyBoxes::high_half(box, entry.at), LatencyBoxes::low_half(box, entry.at)};
  }

  const Problem& problem_;
  LatencyBoxes boxes_;
  const Paths& paths_;
  Effort& effort_;
  SolveStatistics& spent_;
  const std::function<void(std::optional<Rational>, const Rational&)>& report_;
  mutable Paths::Memory memory_;
  LeastLatency found_;
  Replication best_;  // of the mapping found
  double price_ = 0;  // of a crossbar in the bound of all replications, ns
};

}  // namespace

LeastLatency least_latency(
    const Problem& problem, Effort& effort, SolveStatistics& spent,
    const std::function<void(std::optional<Rational>, const Rational&)>& report) {
  return LatencySearch(problem, effort, spent, report).run();
}

}  // namespace pimbb::crossbar::assign
