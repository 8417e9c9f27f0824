// Dominance: a node is dropped only if another one in the same state is nowhere worse.
#include <doctest/doctest.h>

#include "dram_pim/mapper/dominance.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/instances.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::Dominance;
using mapper::PartialMapping;
using mapper::Sums;
using mapper::Target;
using search::Admission;

namespace {

const mapper::Scale& any_scale() {
  static const mapper::Scale scale = mapper::make_scale(texts::small_architecture(), Workload{});
  return scale;
}

/// The first goals are caps, the last one is minimised.
Target target(std::vector<Goal> goals) {
  Target target(any_scale(), Objective{}, goals.back());
  goals.pop_back();
  for (const Goal goal : goals) target.add_cap(goal, Wide::from(1000));
  return target;
}

constexpr std::size_t kOpen = 2;

Sums sums() {
  Sums s;
  s.latency = 10;
  s.energy = 20;
  s.activations = 30;
  s.open[0] = 40;
  s.open[1] = 50;
  return s;
}

PartialMapping node() {
  PartialMapping n;
  n.level = 2;
  n.state.tile = 7;
  n.state.stationary = Tensor::weight;
  n.state.anchor = 3;
  n.sums = sums();
  return n;
}

/// Better than node() in every respect.
PartialMapping better() {
  PartialMapping n = node();
  for (Int128* part : {&n.sums.latency, &n.sums.energy, &n.sums.activations}) *part -= 1;
  for (std::size_t i = 0; i < kOpen; ++i) n.sums.open[i] -= 1;
  return n;
}

}  // namespace

TEST_CASE("no worse: one unit in what a goal or a cap uses is enough to be worse") {
  const std::vector<std::vector<Goal>> lists{{Goal::latency},
                                             {Goal::energy},
                                             {Goal::activations},
                                             {Goal::edp},
                                             {Goal::blended},
                                             {Goal::activations, Goal::latency},
                                             {Goal::edp, Goal::activations}};
  const auto worse_for = [&](const auto& change) {
    Sums more = sums();
    change(more);
    std::vector<bool> worse;
    for (const auto& goals : lists) {
      CHECK(target(goals).no_worse(sums(), sums(), kOpen));
      CHECK(target(goals).no_worse(sums(), more, kOpen));
      worse.push_back(!target(goals).no_worse(more, sums(), kOpen));
    }
    return worse;
  };
  using Worse = std::vector<bool>;
  const Worse by_time{true, false, false, true, true, true, true};
  CHECK(worse_for([](Sums& s) { ++s.latency; }) == by_time);
  CHECK(worse_for([](Sums& s) { ++s.open[0]; }) == by_time);
  CHECK(worse_for([](Sums& s) { ++s.open[1]; }) == by_time);
  CHECK(worse_for([](Sums& s) { ++s.open[2]; }) == Worse(7, false));
  CHECK(worse_for([](Sums& s) { ++s.energy; }) ==
        Worse{false, true, false, true, true, false, true});
  CHECK(worse_for([](Sums& s) { ++s.activations; }) ==
        Worse{false, false, true, false, false, true, true});
}

TEST_CASE("only nodes in the same state are compared") {
  const Target edp = target({Goal::activations, Goal::edp});
  const auto admitted = [&](const PartialMapping& other) {
    Dominance dominance(edp, kOpen);
    CHECK(dominance.admit(better(), 1) == Admission::labelled);
    return dominance.admit(other, 2);
  };
  CHECK(admitted(node()) == Admission::dominated);
  CHECK(admitted(better()) == Admission::dominated);  // equals go, too
  PartialMapping other = node();
  other.level = 1;
  CHECK(admitted(other) == Admission::labelled);
  other = node();
  other.state.tile = 8;
  CHECK(admitted(other) == Admission::labelled);
  other = node();
  other.state.anchor = 4;
  CHECK(admitted(other) == Admission::labelled);
  for (const Tensor t : {Tensor::input, Tensor::output}) {
    other = node();
    other.state.stationary = t;
    CHECK(admitted(other) == Admission::labelled);
  }
  other = node();
  other.sums.energy = better().sums.energy - 1;  // better in one respect
  CHECK(admitted(other) == Admission::labelled);
}

TEST_CASE("states differ in their keys") {
  const Target latency = target({Goal::latency});
  Dominance dominance(latency, kOpen);
  std::uint64_t id = 0;
  PartialMapping n = node();
  for (n.level = 0; n.level < mapper::kMaxLevels; ++n.level) {
    for (const Tensor t : kAllTensors) {
      n.state.stationary = t;
      for (const std::uint32_t large : {0U, 1U, 2U, 0x10000U, 0x3ffffffU}) {
        n.state.tile = large;
        for (const std::uint32_t anchor : {0U, 1U, 2U, 0x10000U, 0x3ffffffU}) {
          n.state.anchor = anchor;
          CHECK(dominance.admit(n, id++) == Admission::labelled);
        }
      }
    }
  }
}

TEST_CASE("a better node takes the place of those that it dominates") {
  const Target latency = target({Goal::latency});
  Dominance dominance(latency, kOpen);
  PartialMapping first = node();
  PartialMapping second = node();
  first.sums.open[0] -= 10;
  second.sums.open[1] -= 10;
  CHECK(dominance.admit(first, 1) == Admission::labelled);
  CHECK(dominance.admit(second, 2) == Admission::labelled);
  const std::uint64_t two = dominance.bytes();
  CHECK(dominance.alive(1));
  PartialMapping third = second;
  third.sums.latency -= 1;
  CHECK(dominance.admit(third, 3) == Admission::labelled);
  CHECK(dominance.bytes() == two);
  CHECK(dominance.alive(1));
  CHECK_FALSE(dominance.alive(2));
  CHECK(dominance.alive(3));
}

TEST_CASE("without room a node is compared, and labelled only in place of others") {
  const Target latency = target({Goal::latency});
  Dominance dominance(latency, kOpen);
  dominance.limit(1);
  CHECK(dominance.admit(node(), 1) == Admission::unlabelled);
  Dominance probe(latency, kOpen);
  (void)probe.admit(node(), 1);
  Dominance one(latency, kOpen);
  one.limit(probe.bytes());
  CHECK(one.admit(node(), 1) == Admission::labelled);
  PartialMapping other = node();
  other.sums.latency += 1;
  CHECK(one.admit(other, 2) == Admission::dominated);
  other.sums.open[0] -= 1;
  CHECK(one.admit(other, 3) == Admission::unlabelled);
  other.state.tile += 1;
  CHECK(one.admit(other, 4) == Admission::unlabelled);
  CHECK(one.admit(better(), 5) == Admission::labelled);
  CHECK_FALSE(one.alive(1));
  CHECK(one.alive(5));
}

namespace {

testkit::Instance several_ways(std::uint64_t seed) {
  testkit::Choices choices(seed);
  testkit::Instance i = random_instance(choices, {.macs = 64, .levels = 5, .free_levels = 0});
  if (i.row_model == RowModel::trace) i.row_model = RowModel::hybrid;
  return i;
}

}  // namespace

// Without bounds every node is opened that no other one dominates: dominance alone decides.
TEST_CASE("problems in which dominance decides") {
  const std::uint64_t first = testkit::first_seed(51'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    const testkit::Instance i = several_ways(seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    testkit::SolveOptions options = testkit::options_for(i);
    const Solution bounded = solve(i.architecture, i.workload, options);
    for (const Rule rule : {Rule::lattice, Rule::lp, Rule::descent}) {
      options.rules.set(rule, false);
    }
    const Solution dominated = solve(i.architecture, i.workload, options);
    REQUIRE(dominated.status == bounded.status);
    for (std::size_t k = 0; k < bounded.goals.size(); ++k) {
      CHECK(dominated.goals[k].value == bounded.goals[k].value);
    }
  }
}
