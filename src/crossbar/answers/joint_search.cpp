// Trees of boxes and bisections.
#include "crossbar/answers/joint_search.hpp"

#include <algorithm>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/exchange.hpp"
#include "search/best_first.hpp"

namespace pimbb::crossbar::joint {
namespace {

using namespace assign;

constexpr std::uint64_t kNodesOfGreatest = 500;      // of the packing of a box's greatest ones
constexpr std::uint64_t kNodesOfLeast = 2'000;       // of the packing that refutes a box
constexpr std::uint64_t kNodesOfSingle = 1'000'000;  // of a box of one replication
constexpr double kEstimateErrs = 1e-9;               // floating point of a latency errs by less
constexpr std::uint64_t kBytesOfOpenBox = 256;

}  // namespace

bool Archive::add(JointPoint point) {
  const auto covers = [](const JointPoint& a, const JointPoint& b) {
    return a.ht <= b.ht && a.ll <= b.ll;
  };
  if (std::ranges::any_of(points_, [&](const JointPoint& p) { return covers(p, point); })) {
    return false;
  }
  std::erase_if(points_, [&](const JointPoint& p) { return covers(point, p); });
  const auto place = std::ranges::lower_bound(points_, point.ht, {}, &JointPoint::ht);
  points_.insert(place, std::move(point));
  return true;
}

/// Along the points `ht` ascends and `ll` descends.
const JointPoint* Archive::within(std::int64_t deadline, const LatencyCap& cap) const {
  const auto end = std::ranges::upper_bound(points_, deadline, {}, &JointPoint::ht);
  if (end == points_.begin() || !cap.admits(std::prev(end)->ll)) return nullptr;
  return &*std::prev(end);
}

const JointPoint* Archive::fastest(const LatencyCap& cap) const {
  const auto first =
      std::ranges::find_if(points_, [&](const JointPoint& p) { return cap.admits(p.ll); });
  return first == points_.end() ? nullptr : &*first;
}

JointSearch::JointSearch(const Problem& problem, Effort& effort, SolveStatistics& spent)
    : problem_(problem),
      boxes_(problem),
      effort_(effort),
      packer_(problem, boxes_, effort, spent,
              [this](Mapping mapping) { return offer(std::move(mapping)); }) {
  if (const auto bounds = throughput_bounds(problem)) {
    bound_ = problem.rounded_up(bounds->best());
  }
}

// --- packings

std::optional<std::int64_t> JointSearch::offer(Mapping mapping) {
  if (find_violation(problem_.a, problem_.p, mapping)) return std::nullopt;
  std::vector<std::int64_t> replication = problem_.by_family(mapping.replication);
  const std::int64_t ht = Exchange(problem_, mapping, 0).time();
  archive_.add({ht, boxes_.value(replication), std::move(mapping)});
  return ht;
}

double JointSearch::estimate(const std::vector<std::int64_t>& replication) {
  std::vector<double> periods;
  for (const std::int64_t r : replication) periods.push_back(1 / static_cast<double>(r));
  return boxes_.latency().paths().length(periods, memory_);
}

Answer JointSearch::find_any() {
  const std::vector<std::int64_t> ones(problem_.families.size(), 1);
  if (!boxes_.latency().has_room({ones, ones})) return Answer::no;
  return packer_.pack(ones, boxes_.longest(), ~std::uint64_t{0});
}

// --- boxes

/// Whether what all mappings of the box have to pack has no packing within the deadline.
bool JointSearch::is_refuted(const Box& box, std::int64_t deadline) {
  if (!is_small(problem_)) return false;
  Effort part = effort_.part(kNodesOfLeast);
  const Answer answer = pack_least(problem_, box.least, box.most, deadline, part);
  effort_.add(part);
  return answer == Answer::no;
}

/// The open boxes of a search, its limits, and the best point within these.
struct JointSearch::Tree {
  std::int64_t deadline = 0;
  LatencyCap cap = {};
  bool enough = false;  // any point will do
  const JointPoint* best = nullptr;
  search::BestFirst<OpenBox, Rational> open = {};
  std::uint64_t rank = 0;

  [[nodiscard]] bool improves(const Rational& ll) const {
    return best != nullptr ? ll < best->ll : cap.admits(ll);
  }
  [[nodiscard]] bool is_done() const {
    return open.empty() || !improves(open.front().bound) || (enough && best != nullptr);
  }
};

void JointSearch::push(Tree& tree, Box box, Rational bound, bool first) {
  if (!boxes_.tighten(box, tree.deadline)) return;
  if (estimate(box.most) > bound.to_double() * (1 - kEstimateErrs)) {
    bound = max(bound, boxes_.value(box.most));
  }
  if (!tree.improves(bound)) return;
  bound = max(bound, boxes_.bound(box, tree.deadline, first, effort_.stop).value);
  if (!tree.improves(bound)) return;
  const LatencyBoxes::Halving at = boxes_.latency().halving(box);
  tree.open.push(bound, tree.rank++, {std::move(box), at});
}

/// Packs the greatest replication of the next box, and pushes both halves if that is not enough.
void JointSearch::take_box(Tree& tree) {
  const auto entry = tree.open.pop();
  const Box& box = entry.part.box;
  const bool single = box.least == box.most;
  const Answer answer =
      packer_.pack(box.most, tree.deadline, single ? kNodesOfSingle : kNodesOfGreatest);
  tree.best = archive_.within(tree.deadline, tree.cap);
  if (answer == Answer::yes) return;
  if (single) {
    if (answer == Answer::undecided) tree.open.leave_open(entry.bound);
    return;
  }
  if (is_refuted(box, tree.deadline)) return;
  push(tree, LatencyBoxes::high_half(box, entry.part.at), entry.bound, false);
  push(tree, LatencyBoxes::low_half(box, entry.part.at), entry.bound, false);
}

/// Accounts for the next box; false if there is no memory or effort left for it.
bool JointSearch::may_take(const Tree& tree) {
  if (effort_.exhausted() || effort_.stopped()) return false;
  const std::uint64_t bytes = tree.open.size() * (kBytesOfOpenBox + 16 * problem_.families.size());
  effort_.bytes = std::max(effort_.bytes, bytes);
  if (bytes > effort_.most_bytes) return false;
  if (effort_.most_nodes - effort_.nodes < nodes_of_box(problem_)) return false;
  for (std::uint64_t i = nodes_of_box(problem_); i > 0; --i) effort_.spend();
  return true;
}

JointSearch::Least JointSearch::least_latency(std::int64_t deadline, const LatencyCap& cap,
                                              bool enough) {
  Tree tree{deadline, cap, enough, archive_.within(deadline, cap)};
  const bool is_known = enough && tree.best != nullptr;
  if (deadline >= bound_ && !is_known) push(tree, boxes_.root(), 0, true);
  while (!tree.is_done() && may_take(tree)) take_box(tree);
  Least least;
  if (tree.best != nullptr) least.point = *tree.best;
  const auto left = tree.open.least_bound();
  least.proven = !left || !tree.improves(*left);
  if (left) least.bound = *left;
  if (tree.best != nullptr && (!left || tree.best->ll < *left)) least.bound = tree.best->ll;
  return least;
}

JointSearch::Least JointSearch::least_throughput(std::int64_t deadline, const LatencyCap& cap) {
  std::int64_t low = bound_;
  std::int64_t high = std::min(deadline, boxes_.longest());
  const JointPoint* best = archive_.fastest(cap);
  if (best != nullptr && best->ht <= high) high = best->ht - problem_.quantum;
  while (low <= high && !effort_.exhausted() && !effort_.stopped()) {
    const std::int64_t middle = low + (high - low) / problem_.quantum / 2 * problem_.quantum;
    const Least found = least_latency(middle, cap, true);
    if (found.point) {
      high = archive_.fastest(cap)->ht - problem_.quantum;
    } else if (found.proven) {
      low = middle + problem_.quantum;
    } else {
      high = middle - problem_.quantum;
    }
  }
  Least least;
  best = archive_.fastest(cap);
  if (best != nullptr && best->ht <= deadline) least.point = *best;
  least.bound = low;
  least.proven = least.point ? low >= best->ht : low > deadline;
  if (least.point) least.bound = std::min(least.bound, Rational(best->ht));
  return least;
}

}  // namespace pimbb::crossbar::joint
