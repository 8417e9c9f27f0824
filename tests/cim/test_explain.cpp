// Conflicts and repairs against exhaustion: whether there is a mapping within some of the
// constraints, with other sizes and other limits.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>

#include "cim/answers/constraint_list.hpp"
#include "cim/exhaust.hpp"
#include "cim/random_instance.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;
using cim::conflicts::constraints_of;
using cim::conflicts::Droppable;
using cim::conflicts::Relaxed;

namespace {

/// Sizes beyond which nothing more is unrolled, or kept, of a tiny layer: the exhaustion need not
/// look at more.
constexpr std::int64_t kNearlyAnySize = 1 << 20;

/// All mappings of a layer on every accelerator that is asked about.
class AllMappings {
 public:
  explicit AllMappings(const Workload& w) : w_(w) {}

  /// The least value of a goal, of all mappings that satisfy the question; nothing if there are
  /// none.
  std::optional<Rational> least(const Relaxed& p, Goal goal) {
    Question question = p.question;
    question.objective.goals = {goal};
    const auto values = naive::exhausted(mappings(p), question, p.architecture, w_);
    return values ? std::optional(values->front()) : std::nullopt;
  }
  bool exists(const Relaxed& p) { return least(p, Goal::latency).has_value(); }

 private:
  const std::vector<naive::Priced>& mappings(const Relaxed& p) {
    const bool grow = p.question.pricing.padding == cim::Padding::ceil;
    const auto same = [&](const auto& known) { return known.first == p.architecture; };
    const auto found = std::ranges::find_if(known_, same);
    if (found != known_.end()) return found->second;
    return known_.emplace_back(p.architecture, naive::all_mappings(p.architecture, w_, grow))
        .second;
  }

  const Workload& w_;
  std::deque<std::pair<Architecture, std::vector<naive::Priced>>> known_;
};

/// Infeasible more often than not: limits about the least cost, restricted spaces, small levels.
Question hard_question(std::uint64_t seed, naive::Instance& i) {
  std::mt19937_64 random(seed * 7919);
  const auto one_in = [&](std::uint64_t n) { return random() % n == 0; };
  Question q;
  q.pricing.semantics = one_in(3) ? Semantics::table3 : Semantics::recursion;
  q.pricing.contention = static_cast<Contention>(one_in(2) ? random() % 3 : 0);
  if (one_in(6)) q.pricing.padding = cim::Padding::ceil;
  if (one_in(6)) q.factors = FactorRule::prime;
  if (one_in(5)) q.doubling = one_in(2) ? DoubleRule::on : DoubleRule::off;
  if (one_in(5)) q.schemes = SchemeRule::full;
  if (one_in(5)) q.method = Method::ws;
  if (one_in(3)) {  // even the DRAM may be too small
    i.architecture.levels.back().size_bits = static_cast<std::int64_t>(random() % 40) * 8;
  }
  const std::size_t limits = random() % 3;
  AllMappings exhaustion(i.layer);
  constexpr std::array<Goal, 3> kLimited{Goal::latency, Goal::energy, Goal::edp};
  for (std::size_t k = 0; k < limits; ++k) {
    const Goal goal = kLimited.at(random() % kLimited.size());
    if (std::ranges::count(q.caps, goal, &GoalCap::goal) > 0) continue;
    const auto least = exhaustion.least({i.architecture, q}, goal);
    if (!least) continue;
    q.caps.push_back({goal, *least * Rational(static_cast<std::int64_t>(random() % 6) + 5, 8)});
  }
  return q;
}

class ExplanationChecker {
 public:
  ExplanationChecker(const naive::Instance& i, const Question& q)
      : whole_{i.architecture, q},
        parts_(constraints_of(whole_.architecture, i.layer, q)),
        exhaustion_(i.layer) {}

  void check(const Explanation& found) {
    REQUIRE(found.constraints.size() == parts_.size());
    if (found.status == ExplanationStatus::feasible) {
      CHECK(exhaustion_.exists(whole_));
      CHECK(found.conflict.parts.empty());
      return;
    }
    CHECK(found.status == ExplanationStatus::complete);
    CHECK(!exhaustion_.exists(whole_));
    REQUIRE(!found.conflict.parts.empty());
    CHECK(found.conflict.minimal);
    CHECK(!exhaustion_.exists(without(found, parts_.size())));
    for (const ConflictPart& part : found.conflict.parts) {
      CAPTURE(part.constraint.words);
      CHECK(part.constraint.words == parts_[part.number].constraint.words);
      CHECK(exhaustion_.exists(without(found, part.number)));
      CHECK(part.need.has_value() == part.constraint.today.has_value());
      if (part.need) check_change(without(found, parts_.size()), parts_[part.number], *part.need);
    }
    CHECK(found.conflict.repairs.size() == found.conflict.parts.size());
    for (const Repair& repair : found.conflict.repairs) {
      CAPTURE(repair.constraint.words);
      check_change(whole_, parts_[repair.number], repair.change);
      numbers_ += repair.change.value.has_value();
      nones_ += repair.change.reason == LeastChange::Reason::none;
    }
    sizes_ = std::max(sizes_, found.conflict.parts.size());
  }

  static std::size_t numbers_, nones_, sizes_;

 private:
  static void drop(Relaxed& problem, const Droppable& part) {
    part.drop(problem);
    for (Axis& axis : problem.architecture.axes) axis.size = std::min(axis.size, kNearlyAnySize);
  }

  /// The constraints of the conflict but one.
  [[nodiscard]] Relaxed without(const Explanation& found, std::size_t number) const {
    Relaxed problem = whole_;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const bool kept =
          k != number && std::ranges::count(found.conflict.parts, k, &ConflictPart::number) > 0;
      if (!kept) drop(problem, parts_[k]);
    }
    return problem;
  }

  void check_change(const Relaxed& problem, const Droppable& part, const LeastChange& change) {
    REQUIRE(change.reason != LeastChange::Reason::open);
    const bool helps = change.reason == LeastChange::Reason::enough;
    Relaxed dropped = problem;
    drop(dropped, part);
    CHECK(exhaustion_.exists(dropped) == helps);
    if (!helps) return;
    REQUIRE(change.value.has_value() == part.constraint.today.has_value());
    if (part.limited) {
      CHECK(exhaustion_.least(dropped, *part.limited) == change.value);
    } else if (part.size) {
      CHECK(*change.value > *part.constraint.today);
      const auto with = [&](const Rational& x) {
        return exhaustion_.exists({part.size->changed(problem.architecture, x), problem.question});
      };
      CHECK(with(*change.value));
      CHECK_FALSE(with(*change.value - 1));
    }
  }

  Relaxed whole_;
  std::vector<Droppable> parts_;
  AllMappings exhaustion_;
};
std::size_t ExplanationChecker::numbers_ = 0;
std::size_t ExplanationChecker::nones_ = 0;
std::size_t ExplanationChecker::sizes_ = 0;

}  // namespace

TEST_CASE("conflicts are minimal and repairs are the least ones") {
  std::size_t explained = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(150); ++seed) {
    CAPTURE(seed);
    naive::Instance i = naive::random_instance(seed, 6);
    const Question question = hard_question(seed, i);
    const Explanation found = explain(i.architecture, i.layer, question);
    ExplanationChecker(i, question).check(found);
    if (found.status == ExplanationStatus::complete) ++explained;
  }
  if (testkit::slow_build()) return;  // too few cases
  CHECK(explained > testkit::cases(150) / 6);
  CHECK(ExplanationChecker::numbers_ > 0);
  CHECK(ExplanationChecker::sizes_ > 1);
}

TEST_CASE("an explanation does not depend on threads, and limits leave what is proven") {
  const Architecture a = read_architecture("miredo_default");
  Workload layer;
  layer.name = "small";
  layer.bounds[index(Dim::C)] = 64;
  layer.bounds[index(Dim::K)] = 48;
  layer.bounds[index(Dim::P)] = 4;
  Question question;
  question.caps = {{Goal::latency, 390}};
  RunLimits one;
  one.threads = 1;
  one.timeless = true;
  RunLimits two = one;
  two.threads = 2;
  const Explanation found = explain(a, layer, question, one);
  CHECK(explanation_json(a, layer, question, one, found) ==
        explanation_json(a, layer, question, two, explain(a, layer, question, two)));
  CHECK(found.status == ExplanationStatus::complete);
  CHECK(found.solves > 1);
  bool cut = false;
  for (std::uint64_t nodes = 0; nodes < 8; nodes += testkit::slow_build() ? 3 : 1) {
    RunLimits few = one;
    few.node_limit = nodes * found.labels / 8;
    const Explanation part = explain(a, layer, question, few);
    CHECK(part.constraints.size() == found.constraints.size());
    if (part.status == ExplanationStatus::partial) cut = true;
    if (part.conflict.minimal) {
      CHECK(part.conflict.parts.size() == found.conflict.parts.size());
    }
    for (const Repair& repair : part.conflict.repairs) {
      const auto same = std::ranges::find(found.conflict.repairs, repair.number, &Repair::number);
      if (!part.conflict.minimal || repair.change.reason != LeastChange::Reason::enough) continue;
      REQUIRE(same != found.conflict.repairs.end());
      CHECK(repair.change.value == same->change.value);
    }
  }
  CHECK(cut);
}

TEST_CASE("what proves nothing is refused") {
  const naive::Instance i = naive::random_instance(1, 4);
  Question greedy;
  greedy.method = Method::greedy;
  CHECK_THROWS_AS(explain(i.architecture, i.layer, greedy), InputError);
  Question simulated;
  simulated.pricing.semantics = Semantics::simulator;
  CHECK_THROWS_AS(explain(i.architecture, i.layer, simulated), InputError);
}
