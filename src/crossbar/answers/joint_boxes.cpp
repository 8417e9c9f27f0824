// Ranges by room, use and work; bounds with two prices.
#include "crossbar/answers/joint_boxes.hpp"

#include <algorithm>
#include <cmath>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/cycle_classes.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::joint {
namespace {

using namespace assign;

constexpr int kTightenings = 4;
constexpr int kPriceSteps = 8;  // of a box
constexpr int kFirstPriceSteps = 60;
constexpr double kNextStep = 0.85;         // each changes prices by less
constexpr double kFirstPriceOfWork = 0.1;  // of a multiplication, by that of a crossbar
constexpr double kMostPrice = 1e30;        // of all there is: products stay below 2^127

/// The least of floor(weight / R) + price * crossbars * R + price * groups * R * cycles(R), and the
/// R where it is.
struct LeastPriced {
  Int128 value = 0;
  std::int64_t replication = 1;
};

/// Within a class weight / R + cost * R is convex in R; its least integer point is found exactly,
/// and the quotient is rounded down there.
LeastPriced least_priced_in(std::int64_t windows, Int128 weight, Int128 by_replica, Int128 by_work,
                            std::int64_t least, std::int64_t most) {
  LeastPriced best;
  bool any = false;
  for (std::int64_t first = least; first <= most; first = next_class(windows, first)) {
    const std::int64_t cycles = cycles_of(windows, first);
    const std::int64_t last = std::min(most, next_class(windows, first) - 1);
    const Int128 cost = by_replica + by_work * cycles;
    const double near =
        cost > 0 ? std::sqrt(to_double(weight) / to_double(cost)) : static_cast<double>(last);
    auto r = static_cast<std::int64_t>(
        std::clamp(near, static_cast<double>(first), static_cast<double>(last)));
    if (weight == 0) r = first;
    while (r < last && weight > cost * r * (r + 1)) ++r;
    while (r > first && weight <= cost * r * (r - 1)) --r;
    const Int128 value = weight / r + cost * r;
    if (any && value >= best.value) continue;
    any = true;
    best = {value, r};
  }
  return best;
}

/// At least the work of every replication of the box: R * cycles(R) <= windows + R - 1.
Int128 greatest_work(const Problem& problem, const std::vector<std::int64_t>& groups,
                     const Box& box) {
  Int128 sum = 0;
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    sum += Int128{groups[f]} * (problem.families[f].windows + box.most[f] - 1);
  }
  return sum;
}

}  // namespace

std::vector<JointBoxes::WorkRule> JointBoxes::rules(const Box& box) const {
  std::vector<std::int64_t> groups;
  for (const ArrayNode& array : problem_.p.arrays) groups.push_back(array.groups);
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    for (const std::size_t v : problem_.families[f].arrays) groups[v] *= box.least[f];
  }
  std::vector<NarrowCores> narrow{{problem_.crossbars + 1, problem_.cores}};  // all are narrower
  for (const NarrowCores& each : narrow_cores(problem_, groups)) narrow.push_back(each);
  std::vector<WorkRule> all;
  for (const NarrowCores& each : narrow) {
    WorkRule rule{{}, each.cores, each.width};
    for (const Family& family : problem_.families) {
      rule.groups.push_back(0);
      for (const std::size_t v : family.arrays) {
        const ArrayNode& array = problem_.p.arrays[v];
        if (array.width < each.width) rule.groups.back() += array.groups;
      }
    }
    if (std::ranges::any_of(rule.groups, [](std::int64_t n) { return n > 0; })) {
      all.push_back(std::move(rule));
    }
  }
  return all;
}

std::int64_t JointBoxes::most_work(const WorkRule& rule, std::int64_t deadline) const {
  const Int128 work = Int128{rule.cores} * (deadline / problem_.a.mvm.interval);
  return static_cast<std::int64_t>(std::min(work, Int128{std::int64_t{1} << 61}));
}

std::int64_t JointBoxes::least_work(const WorkRule& rule, const Box& box) const {
  std::int64_t sum = 0;
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    if (rule.groups[f] == 0) continue;
    sum += rule.groups[f] *
           assign::least_work(problem_.families[f].windows, box.least[f], box.most[f]);
  }
  return sum;
}

JointBoxes::WorkRule JointBoxes::tightest_rule(const Box& box) const {
  WorkRule best;
  Int128 work = 0;
  for (WorkRule& rule : rules(box)) {
    const Int128 least = least_work(rule, box);
    if (!best.groups.empty() && least * best.cores <= work * rule.cores) continue;
    work = least;
    best = std::move(rule);
  }
  return best;
}

std::int64_t JointBoxes::work(const WorkRule& rule,
                              const std::vector<std::int64_t>& replication) const {
  return least_work(rule, {replication, replication});
}

std::int64_t JointBoxes::longest() const {
  std::int64_t windows = 1;
  for (const Family& family : problem_.families) windows = std::max(windows, family.windows);
  const Mvm& mvm = problem_.a.mvm;
  return windows * std::max(mvm.time, problem_.crossbars * mvm.interval);
}

bool JointBoxes::by_room(Box& box) const {
  const std::int64_t free = problem_.all_crossbars() - latency_.used(box.least);
  if (free < 0) return false;
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    box.most[f] = std::min(box.most[f], box.least[f] + free / problem_.families[f].crossbars);
  }
  return true;
}

void JointBoxes::by_use(Box& box) const {
  const std::vector<std::int64_t> useful = latency_.paths().useful(box.most);
  for (std::size_t f = 0; f < box.most.size(); ++f) {
    const std::int64_t windows = problem_.families[f].windows;
    if (box.most[f] <= useful[f]) continue;
    box.most[f] = std::max(useful[f], least_of_class(windows, box.most[f]));
    if (box.least[f] <= useful[f] || least_of_class(windows, box.least[f]) == box.least[f]) {
      continue;
    }
    box.least[f] = next_class(windows, box.least[f]);
  }
}

/// A core that meets the deadline starts no more multiplications than one for each interval.
bool JointBoxes::by_work(Box& box, std::int64_t deadline) const {
  for (const WorkRule& rule : rules(box)) {
    if (rule.cores < 0) return false;
    const Int128 free = Int128{most_work(rule, deadline)} - least_work(rule, box);
    if (free < 0) return false;
    for (std::size_t f = 0; f < box.most.size(); ++f) {
      if (rule.groups[f] == 0) continue;
      const std::int64_t windows = problem_.families[f].windows;
      const auto work = static_cast<std::int64_t>(
          assign::least_work(windows, box.least[f], box.most[f]) + free / rule.groups[f]);
      box.least[f] = first_within(windows, box.least[f], work);
      box.most[f] = last_within(windows, box.most[f], work);
    }
    if (LatencyBoxes::is_empty(box)) return false;
  }
  return true;
}

Needs JointBoxes::needs(const Box& box) const {
  Needs needs;
  needs.groups.resize(problem_.p.arrays.size());
  needs.work.resize(problem_.p.arrays.size());
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    const Family& family = problem_.families[f];
    const std::int64_t work = assign::least_work(family.windows, box.least[f], box.most[f]);
    for (const std::size_t v : family.arrays) {
      needs.groups[v] = problem_.p.arrays[v].groups * box.least[f];
      needs.work[v] = problem_.p.arrays[v].groups * work;
    }
  }
  return needs;
}

bool JointBoxes::beside_wide(const Box& box, std::int64_t deadline) const {
  return !refuting_width(problem_, needs(box), deadline);
}

/// `cycles`: that a core has time for.
void JointBoxes::by_cycles(Box& box, std::int64_t cycles) const {
  for (std::size_t f = 0; f < box.least.size(); ++f) {
    box.least[f] = std::max(box.least[f], ceil_div(problem_.families[f].windows, cycles));
  }
}

void JointBoxes::shrink(Box& box, std::int64_t deadline) const {
  const std::int64_t cycles = deadline / problem_.a.mvm.time;
  if (cycles < 1) {
    std::ranges::fill(box.most, 0);
    return;
  }
  by_cycles(box, cycles);
  if (!LatencyBoxes::is_empty(box) && by_room(box)) by_use(box);
}

std::string JointBoxes::count_against(const Box& box, std::int64_t deadline) const {
  if (LatencyBoxes::is_empty(box)) return "empty";
  if (!latency_.has_room(box)) return "room";
  const WorkRule all = rules(box).front();
  if (least_work(all, box) > most_work(all, deadline)) return "load";
  const auto width = refuting_width(problem_, needs(box), deadline);
  return width ? "wide " + std::to_string(*width) : "";
}

bool JointBoxes::tighten(Box& box, std::int64_t deadline, Kept kept) const {
  const std::int64_t cycles = deadline / problem_.a.mvm.time;  // that a core has time for
  if (cycles < 1) return false;
  by_cycles(box, cycles);
  for (int round = 0; round < kTightenings; ++round) {
    const Box before = box;
    if (LatencyBoxes::is_empty(box) || !by_room(box)) return false;
    if (kept == Kept::reduced) by_use(box);
    if (LatencyBoxes::is_empty(box) || !by_work(box, deadline)) return false;
    if (LatencyBoxes::is_empty(box)) return false;
    if (box.least == before.least && box.most == before.most) break;
  }
  return latency_.has_room(box) && beside_wide(box, deadline);
}

bool JointBoxes::is_refuted(const std::vector<std::int64_t>& replication,
                            std::int64_t deadline) const {
  for (std::size_t f = 0; f < replication.size(); ++f) {
    const std::int64_t cycles = cycles_of(problem_.families[f].windows, replication[f]);
    if (cycles > deadline / problem_.a.mvm.time) return true;
  }
  const Box box{replication, replication};
  if (latency_.used(replication) > problem_.all_crossbars()) return true;
  for (const WorkRule& rule : rules(box)) {
    if (rule.cores < 0 || work(rule, replication) > most_work(rule, deadline)) return true;
  }
  return !beside_wide(box, deadline);
}

/// For any prices >= 0 and any mix of cuts,
///
///     ll >= sum over families of min over R of
///             (weight/R + price * crossbars * R + price of work * groups * R * cycles(R))
///           - price * all crossbars - price of work * multiplications within the deadline
///
/// because a mapping that meets the deadline needs no more of either, by any rule of work.
JointBoxes::Priced JointBoxes::priced(const Box& box, const Pricing& at) const {
  const auto each = static_cast<Int128>(at.price);
  const auto each_work = static_cast<Int128>(at.price_of_work);
  Int128 sum = -each * problem_.all_crossbars() - each_work * at.most_work;
  Int128 used = 0;
  Int128 worked = 0;
  for (std::size_t f = 0; f < at.weights.size(); ++f) {
    const Family& family = problem_.families[f];
    const LeastPriced least =
        least_priced_in(family.windows, at.weights[f], each * family.crossbars,
                        each_work * at.rule.groups[f], box.least[f], box.most[f]);
    sum += least.value;
    used += Int128{family.crossbars} * least.replication;
    worked += Int128{at.rule.groups[f]} * work_of(family.windows, least.replication);
  }
  Priced result{0, used > problem_.all_crossbars(), worked > at.most_work};
  const Int128 units = sum >> kShareBits;
  if (sum > 0 && units <= Int128{std::int64_t{1} << 62}) {
    result.bound = {static_cast<std::int64_t>(units), std::int64_t{1} << kCutBits};
  }
  return result;
}

/// The plain bound gives mix and price; both prices then follow what the replications of the least
/// terms need too much of.
JointBoxes::Bound JointBoxes::bound(const Box& box, std::int64_t deadline, bool first,
                                    const std::function<bool()>& stop) {
  const assign::Allocation::Bound plain =
      first ? latency_.first_bound(box, stop) : latency_.bound(box, stop);
  Pricing at;
  at.rule = tightest_rule(box);
  at.most_work = most_work(at.rule, deadline);
  if (plain.mix.shares.empty() || greatest_work(problem_, at.rule.groups, box) <= at.most_work) {
    return {plain.value, plain.mix};
  }
  at.weights = latency_.allocation().weights(plain.mix);
  at.price = static_cast<double>(plain.mix.price);
  const auto room = static_cast<double>(problem_.all_crossbars());
  const auto time = static_cast<double>(at.most_work);
  at.price_of_work =
      (price_of_work_ > 0 ? price_of_work_ : kFirstPriceOfWork) * at.price * room / time;
  Bound best{plain.value, plain.mix};
  double step = first ? 4 : 1.5;
  for (int i = first ? kFirstPriceSteps : kPriceSteps; i > 0 && !(stop && stop()); --i) {
    const double all = at.price * room + at.price_of_work * time;
    if (!(all < kMostPrice)) break;
    const Priced found = priced(box, at);
    if (found.bound > best.value) {
      best.value = found.bound;
      best.prices = {static_cast<Int128>(at.price), static_cast<Int128>(at.price_of_work),
                     at.rule.width};
      price_of_work_ = at.price_of_work * time / std::max(at.price * room, 1.0);
    }
    at.price *= found.too_large ? std::sqrt(step) : 1 / std::sqrt(step);
    at.price_of_work *= found.too_long ? step : 1 / step;
    step = 1 + (step - 1) * kNextStep;
  }
  return best;
}

}  // namespace pimbb::crossbar::joint
