// Proofs: what is true is accepted, with the solver's very value; what is false is refused.
#include <doctest/doctest.h>

#include <sstream>
#include <vector>

#include "cim/certify.hpp"
#include "cim/naive.hpp"
#include "cim/random_instance.hpp"
#include "files/sha256.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/lines.hpp"

using namespace pimbb;
using namespace pimbb::cim;

using testkit::lines_of;
using testkit::text_of;

namespace {

template <class Check>
void for_seeds(std::size_t cases, std::uint64_t offset, const Check& check) {
  const std::size_t count = testkit::cases(cases);
  const std::uint64_t first = testkit::first_seed(1) + offset;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    check(seed);
  }
}

/// A proof of a random problem with several schemes.
struct Proven {
  naive::Instance instance;
  Question question;
  std::string proof;
};
Proven proven(std::uint64_t seed) {
  Proven p{naive::random_instance(seed, 24), certify::random_question(seed), ""};
  const Solution s = solve(p.instance.architecture, p.instance.layer, p.question);
  p.proof = prove(p.instance.architecture, p.instance.layer, p.question, {}, s).text;
  return p;
}

}  // namespace

TEST_CASE("every optimum of a random problem is proven") {
  std::size_t infeasible = 0;
  for_seeds(1500, 0, [&](std::uint64_t seed) {
    naive::Instance i = naive::random_instance(seed, 48);
    if (seed % 5 == 0) i.architecture.levels.back().size_bits = 64 + 8 * (seed % 64);
    if (seed % 11 == 0) i.architecture.levels[0].size_bits = 0;
    const Question question = certify::random_question(seed);
    const Solution s = solve(i.architecture, i.layer, question);
    CHECK(certify::unproven(i.architecture, i.layer, question, s) == "");
    infeasible += s.status == Status::infeasible ? 1 : 0;
  });
  CHECK((infeasible > 20 || testkit::cases(1500) < 1500));
}

TEST_CASE("optima within limits on goals are proven, and false claims about them refused") {
  std::size_t infeasible = 0;
  for_seeds(300, 80'000'000, [&](std::uint64_t seed) {
    const naive::Instance i = naive::random_instance(seed, 48);
    Question question = certify::random_question(seed);
    const Solution free = solve(i.architecture, i.layer, question);
    if (!free.mapping) return;
    const auto value = [&](const Solution& s, Goal goal) {
      return question.objective.value(goal, s.metrics->latency, s.metrics->energy);
    };
    const Goal goal = static_cast<Goal>(seed % 4);
    question.caps.push_back(
        {goal, value(free, goal) * Rational(80 + static_cast<std::int64_t>(seed % 21), 100)});
    const Solution s = solve(i.architecture, i.layer, question);
    CHECK(certify::unproven(i.architecture, i.layer, question, s) == "");
    infeasible += s.status == Status::infeasible ? 1 : 0;
    if (s.mapping) CHECK(value(s, goal) <= question.caps[0].most);
    if (value(free, goal) <= question.caps[0].most) return;
    // The optimum without the limit exceeds it.
    CHECK(certify::unproven(i.architecture, i.layer, question, free) != "");
    if (!s.mapping) return;
    Solution none;
    none.status = Status::infeasible;
    CHECK(certify::unproven(i.architecture, i.layer, question, none) != "");
    // The optimum within the limit is no optimum without it, unless it is as good.
    question.caps.clear();
    if (s.goals[0].value > free.goals[0].value) {
      CHECK(certify::unproven(i.architecture, i.layer, question, s) != "");
    }
  });
  CHECK((infeasible > 0 || testkit::cases(300) < 300));
}

TEST_CASE("simulated optima that meet their bound are proven") {
  std::size_t optimal = 0;
  for_seeds(1000, 10'000'000, [&](std::uint64_t seed) {
    const naive::Instance i = naive::random_instance(seed, 8);
    const Question question = certify::random_question(seed, true);
    const Solution s = solve(i.architecture, i.layer, question);
    if (s.status != Status::optimal) return;
    CHECK(certify::unproven(i.architecture, i.layer, question, s) == "");
    ++optimal;
  });
  CHECK((optimal > 0 || testkit::cases(1000) < 1000));
}

TEST_CASE("a mapping that is not optimal is refused, and so is 'infeasible'") {
  std::size_t refused = 0;
  std::size_t stride = testkit::cases(100) == 100 ? 499 : 1021;  // of all mappings
  if (testkit::slow_build()) stride *= 10;
  for_seeds(100, 20'000'000, [&](std::uint64_t seed) {
    const naive::Instance i = naive::random_instance(seed, 8);
    Question question;
    question.objective.goals = certify::random_question(seed).objective.goals;
    question.pricing.semantics = static_cast<Semantics>(seed % 2);
    const Solution best = solve(i.architecture, i.layer, question);
    std::size_t each = 0;
    naive::for_each_mapping(i.architecture, i.layer, [&](const Mapping& m) {
      if (each++ % stride != seed % stride) return;
      const Solution other = certify::claim(i.architecture, i.layer, question, m);
      bool equal = true;
      for (std::size_t g = 0; g < best.goals.size(); ++g) {
        equal = equal && best.goals[g].value == other.goals[g].value;
      }
      CHECK((certify::unproven(i.architecture, i.layer, question, other) == "") == equal);
      refused += equal ? 0 : 1;
    });
    Solution none;
    none.status = Status::infeasible;
    if (best.mapping) CHECK(certify::unproven(i.architecture, i.layer, question, none) != "");
  });
  CHECK((refused > 0 || testkit::slow_build()));
}

TEST_CASE("a claim that is one unit better or worse is refused") {
  for_seeds(100, 30'000'000, [](std::uint64_t seed) {
    const Proven p = proven(seed);
    REQUIRE(certify::checked(p.proof).accepted);
    std::vector<std::string> lines = lines_of(p.proof);
    for (std::string& line : lines) {
      if (!line.starts_with("goal ")) continue;
      const std::string before = line;
      const std::size_t at = line.rfind(' ') + 1;
      const Rational value = Rational::parse(line.substr(at));
      for (const Rational& other : {value + 1, value - Rational(1, 1000), value * 2}) {
        if (other == value) continue;
        line = before.substr(0, at) + other.to_string();
        CHECK_FALSE(certify::checked(text_of(lines)).accepted);
      }
      line = before;
    }
  });
}

TEST_CASE("records that are changed, removed, repeated or moved are refused") {
  for_seeds(60, 40'000'000, [](std::uint64_t seed) {
    const Proven p = proven(seed);
    const std::vector<std::string> lines = lines_of(p.proof);
    const auto refuses = [&](const std::vector<std::string>& changed) {
      CAPTURE(text_of(changed));
      CHECK((changed == lines || !certify::checked(text_of(changed)).accepted));
    };
    testkit::for_each_forgery(lines, 1 + lines.size() / 40,
                              {"b", "x", "t", "y 0", "y 1", "end", "infeasible", ""}, refuses);
    refuses({lines.begin() + 1, lines.end()});
    std::vector<std::string> longer = lines;
    longer.push_back("end");
    refuses(longer);
    CHECK_FALSE(certify::checked(p.proof + " ").accepted);
    CHECK_FALSE(certify::checked(p.proof.substr(0, p.proof.size() - 1)).accepted);
  });
}

TEST_CASE("a flipped bit is refused") {
  for_seeds(100, 50'000'000, [](std::uint64_t seed) {
    const Proven p = proven(seed);
    const std::size_t mapping = p.proof.find("\nmapping ");
    const std::size_t goal = p.proof.find("\ngoal ");
    for (std::size_t k = seed % 17; k < p.proof.size(); k += 17) {
      std::string flipped = p.proof;
      flipped[k] = static_cast<char>(flipped[k] ^ (1 << (seed + k) % 8));
      // Another mapping may be optimal as well.
      if (mapping != std::string::npos && k > mapping && k < goal) {
        certify::checked(flipped);
      } else {
        CHECK_FALSE(certify::checked(flipped).accepted);
      }
    }
  });
}

TEST_CASE("another problem has another proof") {
  for_seeds(60, 60'000'000, [](std::uint64_t seed) {
    const Proven p = proven(seed);
    std::vector<std::string> lines = lines_of(p.proof);
    REQUIRE(lines[2].starts_with("instance "));
    const std::string instance = lines[2].substr(9);
    CHECK(lines[1] == "sha256 " + files::sha256(instance));
    std::istringstream same(p.proof);
    CHECK(pimbb_check::check(same, instance).accepted);
    Workload other = p.instance.layer;
    other.stride_h += 1;
    std::istringstream another(p.proof);
    CHECK_FALSE(
        pimbb_check::check(another, canonical_instance(p.instance.architecture, other, p.question))
            .accepted);
    // The same claim about a machine whose matrix-vector products cost energy more.
    Architecture dearer = p.instance.architecture;
    dearer.macro.activation_energy += 1;
    dearer.macro.input_bits_per_cycle = 1;
    if (p.question.objective.goals[0] == Goal::latency) return;
    const std::string changed = canonical_instance(dearer, p.instance.layer, p.question);
    lines[1] = "sha256 " + files::sha256(changed);
    lines[2] = "instance " + changed;
    if (lines[3] != "infeasible") CHECK_FALSE(certify::checked(text_of(lines)).accepted);
  });
}

TEST_CASE("what cannot be proven is said") {
  const naive::Instance i = naive::random_instance(1, 8);
  Solution s = solve(i.architecture, i.layer);
  for (const Status status : {Status::feasible, Status::unknown}) {
    s.status = status;
    CHECK_THROWS_AS(prove(i.architecture, i.layer, {}, {}, s), InputError);
  }
}

TEST_CASE("the proof does not depend on the number of threads") {
  for_seeds(30, 70'000'000, [](std::uint64_t seed) {
    const naive::Instance i = naive::random_instance(seed, 48);
    const Question question = certify::random_question(seed);
    RunLimits limits;
    limits.threads = 1;
    const Solution s = solve(i.architecture, i.layer, question, limits);
    const std::string one = prove(i.architecture, i.layer, question, limits, s).text;
    limits.threads = 3;
    CHECK(prove(i.architecture, i.layer, question, limits, s).text == one);
  });
}
