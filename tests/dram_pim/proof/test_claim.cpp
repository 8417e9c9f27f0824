// The thresholds of a claim: all ascending ones are valid, those that are of use make short proofs.
#include <doctest/doctest.h>

#include "dram_pim/proof/claim.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/full_size.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::CostToGo;
using mapper::kInfinity;
using proof::Claim;

namespace {

Workload small_layer() {
  Workload w;
  w.name = "small";
  for (const Dim j : {Dim::P, Dim::C, Dim::K}) w.bounds[index(j)] = 8;
  return w;
}

/// What a proof says of its goals.
struct Sections : ProofTracer {
  void goal(Goal, const Rational&, const std::vector<std::string>& thresholds) override {
    all.push_back(thresholds);
  }
  std::vector<std::vector<std::string>> all;
};

}  // namespace

TEST_CASE("thresholds of EDP are spread over the latencies of better mappings") {
  const mapper::Scale scale = mapper::make_scale(testkit::simple_pim(), small_layer());
  const Claim claim(scale, Objective::parse("edp"), 0, {1000, 2000, 0});
  CHECK(claim.trades_off());
  const std::vector<Int128> thresholds = claim.thresholds({100, 200, 0});
  REQUIRE(thresholds.size() == CostToGo::kMaxThresholds);
  CHECK((thresholds.back() == kInfinity));
  CHECK((thresholds.front() == 100));
  CHECK((thresholds[6] >= 9999));  // rounded: 10,000 times 200 is the optimum
  CHECK((thresholds[6] <= 10000));
  for (std::size_t k = 0; k < 5; ++k) {  // each 9999/100 to the 6th root times the one before
    const double ratio = to_double(thresholds[k + 1]) / to_double(thresholds[k]);
    CHECK(ratio == doctest::Approx(2.154).epsilon(0.01));
  }
  CHECK(claim.thresholds({10000, 200, 0}).size() == 1);  // no mapping is better
}

TEST_CASE("claims that trade nothing off have the thresholds of their limits") {
  const mapper::Scale scale = mapper::make_scale(testkit::simple_pim(), small_layer());
  const Claim fastest(scale, Objective::parse("latency"), 0, {1000, 2000, 0});
  CHECK(!fastest.trades_off());
  CHECK((fastest.thresholds({}) == std::vector<Int128>{kInfinity}));
  const Claim second(scale, Objective::parse("latency,energy"), 1, {1000, 2000, 0});
  CHECK(!second.trades_off());
  CHECK((second.thresholds({}) == std::vector<Int128>{1000, kInfinity}));
  const Claim after_energy(scale, Objective::parse("energy,latency"), 1, {1000, 2000, 0});
  CHECK((after_energy.thresholds({}) == std::vector<Int128>{999, kInfinity}));
  const Claim none(scale, Objective::parse("edp"), Claim::Caps{});
  CHECK(!none.trades_off());
  const Claim none_within(scale, Objective::parse("latency"),
                          Claim::Caps{{Goal::edp, Wide::from(2'000'000)}});
  CHECK(none_within.trades_off());
}

TEST_CASE("a bracket is closed by its least latency and energy, by a limit or by the optimum") {
  const mapper::Scale scale = mapper::make_scale(testkit::simple_pim(), small_layer());
  const Claim claim(scale, Objective::parse("edp"), 0, {1000, 2000, 0});
  const std::vector<Int128> thresholds{99, kInfinity};
  const auto judged = [&](Int128 latency, Int128 fast, Int128 slow) {
    const std::array<Int128, 2> energies{fast, slow};
    return claim.judge({latency, 500, 0}, energies.data(), thresholds);
  };
  CHECK(judged(50, 39'500, 19'500) ==
        proof::Verdict::bound);  // 50 x 40,000, 100 x 20,000: not better
  CHECK(judged(50, 39'499, 19'500) == proof::Verdict::open);
  CHECK(judged(50, 39'500, 19'499) == proof::Verdict::open);
  CHECK(judged(100, 0, 19'500) == proof::Verdict::bound);  // the first bracket has no mapping
  CHECK(judged(101, 0, 19'400) == proof::Verdict::bound);
  CHECK(judged(50, kInfinity, kInfinity) == proof::Verdict::cap);
  CHECK(claim.settles(proof::Verdict::bound));
  CHECK(claim.settles(proof::Verdict::cap));
  CHECK(!claim.settles(proof::Verdict::open));
  CHECK(!claim.refuted_by({1000, 2000, 0}));
  CHECK(claim.refuted_by({1000, 1999, 0}));
  const Claim second(scale, Objective::parse("latency,energy"), 1, {1000, 2000, 0});
  CHECK(!second.settles(proof::Verdict::bound));
  CHECK(second.refuted_by({1000, 1999, 0}));
  CHECK(!second.refuted_by({1001, 1999, 0}));
}

TEST_CASE("a proof of EDP uses all thresholds, from the least latency on") {
  testkit::SolveOptions options;
  options.objective = Objective::parse("edp");
  const Architecture a = testkit::simple_pim();
  const Workload w = small_layer();
  const Solution s = solve(a, w, options);
  options.objective = Objective::parse("latency");
  const Rational fastest = solve(a, w, options).goals[0].value;
  options.objective = Objective::parse("edp");
  Sections sections;
  prove(a, w, options, s, {&sections});
  REQUIRE(sections.all.size() == 1);
  const std::vector<std::string>& thresholds = sections.all[0];
  REQUIRE(thresholds.size() > 1);
  CHECK(thresholds.back() == "inf");
  // They are the first latencies above a bracket; nothing is faster than the first bracket.
  const Rational first = Rational::parse(thresholds.front());
  CHECK(first <= fastest * 2);
  CHECK(first * 2 >= fastest);
}
