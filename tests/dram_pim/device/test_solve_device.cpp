// The solver against every split, every slice and every mapping of tiny problems.
#include <doctest/doctest.h>

#include <map>

#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/oracle_device.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;
using testkit::DeviceInstance;

namespace {

using Values = std::vector<Fraction>;
using Totals = oracle::CostOracle::Totals;

bool no_worse(const Totals& a, const Totals& b) {
  return a.latency <= b.latency && a.energy <= b.energy && a.activations <= b.activations;
}

/// The costs of all mappings of a slice that no other mapping beats.
std::vector<Totals> front(const DeviceInstance& i, const Workload& slice) {
  std::vector<Totals> kept;
  oracle::Restriction all;
  all.costs = [&](const Totals& totals) {
    for (const Totals& other : kept) {
      if (no_worse(other, totals)) return;
    }
    std::erase_if(kept, [&](const Totals& other) { return no_worse(totals, other); });
    kept.push_back(totals);
  };
  oracle::brute_force(i.device.unit, slice, Objective::parse("latency"), i.row_model, all);
  return kept;
}

class Exhaustion {
 public:
  explicit Exhaustion(const DeviceInstance& i) : i_(i) {}

  Values optimum() {
    for (const Split& split : oracle::every_split(i_.device, i_.layer.bounds)) {
      Factors slice = least_slice(i_.layer.bounds, split);
      each_padded(0, split, least_slice(i_.layer.bounds, split), slice);
    }
    return best_;
  }

 private:
  void each_padded(std::size_t j, const Split& split, const Factors& least, Factors& slice) {
    if (j == kDims) {
      if (oracle::splits(i_.device, i_.layer, i_.moves, split, slice)) price(split, slice);
      return;
    }
    const Dim dim = kAllDims[j];
    const std::int64_t top = i_.layer.padding ? i_.layer.padding->top(dim, least[j]) : least[j];
    for (slice[j] = least[j]; slice[j] <= top; ++slice[j]) each_padded(j + 1, split, least, slice);
    slice[j] = least[j];
  }

  void price(const Split& split, const Factors& slice) {
    const auto [known, fresh] = fronts_.try_emplace(slice);
    if (fresh) known->second = front(i_, slice_of(i_.layer, slice));
    for (const Totals& t : known->second) {
      const oracle::DeviceCosts costs = oracle::device_costs(
          i_.device, i_.layer, i_.moves, split, slice, t.latency, t.energy, t.activations);
      Values values;
      for (const Goal goal : i_.objective.goals) values.push_back(costs.value(goal, i_.objective));
      if (best_.empty() || values < best_) best_ = values;
    }
  }

  const DeviceInstance& i_;
  std::map<Factors, std::vector<Totals>> fronts_;
  Values best_;
};

Question question_of(const DeviceInstance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

void check_optimum(const DeviceInstance& i) {
  CAPTURE(i.objective.to_string());
  const DeviceSolution s = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1});
  const Values expected = Exhaustion(i).optimum();
  REQUIRE(s.status == (expected.empty() ? Status::infeasible : Status::optimal));
  if (expected.empty()) {
    CHECK(s.reason != "");
    return;
  }
  CHECK(find_violation(i.device, i.layer, i.moves, *s.mapping) == "");
  const DeviceMetrics m = evaluate(i.device, i.layer, i.moves, *s.mapping, i.row_model);
  REQUIRE(s.goals.size() == expected.size());
  for (std::size_t g = 0; g < expected.size(); ++g) {
    CAPTURE(g);
    CHECK(s.goals[g].value == expected[g].to_rational());
    CHECK(s.goals[g].bound == s.goals[g].value);
    CHECK(i.objective.value(i.objective.goals[g], m.costs()) == s.goals[g].value);
  }
}

}  // namespace

TEST_CASE("devices: the optimum is that of every split, slice and mapping") {
  for (std::uint64_t seed = 1000; seed < 1000 + testkit::cases(300); ++seed) {
    CAPTURE(seed);
    check_optimum(testkit::random_device_instance(seed, {.macs = 16, .levels = 4}));
  }
}

TEST_CASE("devices: every goal, phases that overlap, static power") {
  std::size_t next = 0;
  for (std::uint64_t seed = 5000; seed < 5000 + testkit::cases(300); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 16, .levels = 4});
    constexpr std::array<const char*, 8> kObjectives{"edp",
                                                     "blended",
                                                     "energy,latency",
                                                     "latency,energy,activations",
                                                     "edp,latency",
                                                     "energy,activations",
                                                     "blended,energy,latency",
                                                     "activations,edp"};
    const Rational alpha = i.objective.alpha;
    const Rational beta = i.objective.beta;
    i.objective = Objective::parse(kObjectives.at(next++ % kObjectives.size()));
    i.objective.alpha = alpha;
    i.objective.beta = beta;
    i.device.phases = next % 3 == 0 ? Phases::sequential : Phases::overlapped;
    if (next % 2 == 0) i.device.static_power = Rational(1, 4);
    check_optimum(i);
  }
}

TEST_CASE("devices: slices may be padded") {
  for (std::uint64_t seed = 9000; seed < 9000 + testkit::cases(80); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 9, .levels = 4});
    i.layer.padding = Padding::parse(seed % 2 == 0 ? "P=1,K=1" : "C=50%", "pad");
    check_optimum(i);
  }
}

TEST_CASE("devices: the answer does not depend on threads, and limits leave a bound") {
  for (std::uint64_t seed = 12000; seed < 12000 + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const DeviceInstance i = testkit::random_device_instance(seed, {.macs = 36});
    const DeviceSolution one = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1});
    const DeviceSolution two = solve(i.device, i.layer, i.moves, question_of(i), {.threads = 2});
    CHECK(one.status == two.status);
    CHECK(one.nodes == two.nodes);
    REQUIRE(one.mapping.has_value() == two.mapping.has_value());
    if (!one.mapping) continue;
    CHECK((one.mapping->mapping == two.mapping->mapping));
    CHECK(one.mapping->slice == two.mapping->slice);
    CHECK(one.mapping->split == two.mapping->split);
    const DeviceSolution cut =
        solve(i.device, i.layer, i.moves, question_of(i), {.threads = 1, .node_limit = 2});
    if (!cut.goals.empty()) CHECK(cut.goals[0].bound <= one.goals[0].value);
    if (cut.mapping) CHECK(cut.goals[0].value >= one.goals[0].value);
  }
}
