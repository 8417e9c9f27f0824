// The claim of a section at its boundaries: a unit more or less decides.
#include <doctest/doctest.h>

#include "pimbb-check/claim.hpp"

namespace check = pimbb_check;
using check::Goal;
using check::Verdict;

namespace {

using Claim = check::Claim<std::int64_t>;
constexpr std::int64_t kNever = check::kInfinity<std::int64_t>;

/// That a mapping of latency 10, energy 20 and 30 activations is optimal.
Claim claim_of(std::initializer_list<Goal> goals) {
  Claim claim;
  claim.alpha = 2;
  claim.beta = 3;
  claim.optimum = {10, 20, 30};
  claim.thresholds = {kNever};
  for (const Goal goal : goals) claim.add(goal);
  return claim;
}

check::State<std::int64_t> state() { return {check::kWeight, 6, {10, 20, {30, 40}}, 50}; }

}  // namespace

TEST_CASE("a claim: better by one unit is open, equal is closed") {
  CHECK(claim_of({Goal::latency}).verdict(9, 99, 99) == Verdict::open);
  CHECK(claim_of({Goal::latency}).verdict(10, 0, 0) == Verdict::bound);
  CHECK(claim_of({Goal::energy}).verdict(99, 19, 99) == Verdict::open);
  CHECK(claim_of({Goal::energy}).verdict(0, 20, 0) == Verdict::bound);
  CHECK(claim_of({Goal::activations}).verdict(99, 99, 29) == Verdict::open);
  CHECK(claim_of({Goal::activations}).verdict(0, 0, 30) == Verdict::bound);
  CHECK(claim_of({Goal::edp}).verdict(1, 199, 99) == Verdict::open);
  CHECK(claim_of({Goal::edp}).verdict(1, 200, 0) == Verdict::bound);
  CHECK(claim_of({Goal::edp}).verdict(200, 1, 0) == Verdict::bound);
  CHECK(claim_of({Goal::blended}).verdict(2, 25, 99) == Verdict::open);  // 79 of 80
  CHECK(claim_of({Goal::blended}).verdict(1, 26, 0) == Verdict::bound);  // 80
  CHECK(claim_of({Goal::blended}).verdict(40, 0, 0) == Verdict::bound);  // 80
  CHECK(claim_of({Goal::blended}).verdict(38, 1, 99) == Verdict::open);  // 79
}

TEST_CASE("a claim: a goal before excludes what is worse, not what is equal") {
  const Claim two = claim_of({Goal::latency, Goal::energy});
  CHECK(two.verdict(10, 19, 99) == Verdict::open);
  CHECK(two.verdict(10, 20, 99) == Verdict::bound);
  CHECK(two.verdict(11, 0, 0) == Verdict::cap);
  const Claim three = claim_of({Goal::energy, Goal::edp, Goal::activations});
  CHECK(three.verdict(10, 20, 29) == Verdict::open);
  CHECK(three.verdict(10, 20, 30) == Verdict::bound);
  CHECK(three.verdict(0, 21, 0) == Verdict::cap);
  CHECK(three.verdict(11, 20, 0) == Verdict::cap);
  CHECK(three.verdict(11, 18, 29) == Verdict::open);
}

TEST_CASE("a claim: brackets begin one unit beyond the threshold before") {
  Claim claim = claim_of({Goal::edp});
  claim.thresholds = {5, 10, kNever};
  const auto judge = [&](std::int64_t latency, std::int64_t first, std::int64_t second,
                         std::int64_t third) {
    const std::array<std::int64_t, 3> energies{first, second, third};
    return claim.judge(latency, 1, 99, energies.data());
  };
  CHECK(judge(1, kNever, 33, kNever) == Verdict::bound);  // 6 * 34 = 204
  CHECK(judge(1, kNever, 32, kNever) == Verdict::open);   // 6 * 33 = 198
  CHECK(judge(1, 199, kNever, kNever) == Verdict::bound);
  CHECK(judge(1, 198, kNever, kNever) == Verdict::open);
  CHECK(judge(1, kNever, kNever, 18) == Verdict::bound);    // 11 * 19 = 209
  CHECK(judge(1, kNever, kNever, 17) == Verdict::open);     // 11 * 18 = 198
  CHECK(judge(1, 199, 33, 17) == Verdict::open);            // one open bracket is enough
  CHECK(judge(1, kNever, kNever, kNever) == Verdict::cap);  // there is nothing at all
  // Brackets that end before the latency are empty, the one that ends with it is not.
  CHECK(judge(10, 0, 18, kNever) == Verdict::open);
  CHECK(judge(10, 0, 19, kNever) == Verdict::bound);
  CHECK(judge(11, 0, 0, kNever) == Verdict::cap);
  CHECK(judge(19, 0, 0, 9) == Verdict::open);
  CHECK(judge(20, 0, 0, 9) == Verdict::bound);
}

TEST_CASE("a claim: the weaker of the reasons that brackets give") {
  Claim claim = claim_of({Goal::latency, Goal::energy});
  claim.thresholds = {10, kNever};
  const std::array<std::int64_t, 2> energies{19, 0};
  CHECK(claim.judge(1, 1, 0, energies.data()) == Verdict::bound);  // the second exceeds the cap
  const std::array<std::int64_t, 2> none{kNever, 0};
  CHECK(claim.judge(1, 1, 0, none.data()) == Verdict::cap);
}

TEST_CASE("no worse: the same state, and nowhere more of what the goals look at") {
  const Claim all = claim_of({Goal::edp, Goal::activations});
  CHECK(all.no_worse(state(), state(), 2));
  auto other = state();
  other.s = check::kInput;
  CHECK_FALSE(all.no_worse(state(), other, 2));
  other = state();
  other.outer = 5;
  CHECK_FALSE(all.no_worse(state(), other, 2));
  CHECK_FALSE(all.no_worse(other, state(), 2));
}

TEST_CASE("no worse: one unit in one respect is enough to be worse") {
  const Claim latency = claim_of({Goal::latency});
  const Claim energy = claim_of({Goal::energy});
  const Claim activations = claim_of({Goal::activations});
  const Claim blended = claim_of({Goal::blended});
  const Claim all = claim_of({Goal::activations, Goal::edp});
  // The goals that a change makes worse, in the order above.
  const auto worse_for = [&](const auto& change) {
    auto more = state();
    change(more);
    std::vector<bool> worse;
    for (const Claim* claim : {&latency, &energy, &activations, &blended, &all}) {
      CHECK(claim->no_worse(state(), more, 2));
      worse.push_back(!claim->no_worse(more, state(), 2));
    }
    return worse;
  };
  using State = check::State<std::int64_t>;
  using Worse = std::vector<bool>;
  CHECK(worse_for([](State& s) { ++s.sums.latency; }) == Worse{true, false, false, true, true});
  CHECK(worse_for([](State& s) { ++s.sums.open[0]; }) == Worse{true, false, false, true, true});
  CHECK(worse_for([](State& s) { ++s.sums.open[1]; }) == Worse{true, false, false, true, true});
  CHECK(worse_for([](State& s) { ++s.sums.open[2]; }) == Worse{false, false, false, false, false});
  CHECK(worse_for([](State& s) { ++s.sums.energy; }) == Worse{false, true, false, true, true});
  CHECK(worse_for([](State& s) { ++s.activations; }) == Worse{false, false, true, false, true});
}
