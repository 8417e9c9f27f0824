// Evaluator and solver against naive evaluation and exhaustion of tiny random problems.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "cim/certify.hpp"
#include "cim/exhaust.hpp"
#include "cim/golden.hpp"
#include "cim/naive.hpp"
#include "cim/random_instance.hpp"
#include "exact/factors.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;
using naive::all_mappings;
using naive::exhausted;
using naive::Priced;

namespace {

constexpr std::array kGoals{Goal::latency, Goal::energy, Goal::edp, Goal::blended};

void check(const Architecture& a, const Workload& layer, const std::vector<Priced>& all,
           const Question& question) {
  const auto best = exhausted(all, question, a, layer);
  const Solution s = solve(a, layer, question);
  CAPTURE(question.objective.to_string());
  CAPTURE(name(question.pricing.semantics));
  CAPTURE(name(question.pricing.contention));
  REQUIRE(s.status == (best ? Status::optimal : Status::infeasible));
  CHECK(certify::unproven(a, layer, question, s) == "");
  if (!best) return;
  for (std::size_t g = 0; g < best->size(); ++g) {
    CHECK(s.goals[g].value.to_string() == (*best)[g].to_string());
    CHECK(s.goals[g].bound == s.goals[g].value);
  }
  const naive::Cost cost = naive::cost(a, layer, *s.mapping);
  CHECK(naive::broken(a, layer, *s.mapping) == "");
  CHECK(Priced{*s.mapping, cost}.latency(question.pricing) == s.metrics->latency);
  CHECK(cost.dynamic == s.metrics->dynamic_energy);
}

Question random_question(std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x51CA);
  const auto pick = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  Question q;
  q.objective.goals = {kGoals[pick(4)]};
  if (pick(3) == 0) {
    const Goal second = kGoals[pick(4)];
    if (second != q.objective.goals[0]) q.objective.goals.push_back(second);
  }
  q.objective.alpha = Rational(static_cast<std::int64_t>(pick(9)), 7);
  q.pricing.semantics = static_cast<Semantics>(pick(2));
  q.pricing.contention = static_cast<Contention>(pick(3));
  q.factors = static_cast<FactorRule>(pick(2));
  q.schemes = static_cast<SchemeRule>(pick(4) == 0);
  q.doubling = static_cast<DoubleRule>(pick(2) * pick(3));
  q.method = static_cast<Method>(pick(5) == 0);
  return q;
}

}  // namespace

TEST_CASE("the evaluator agrees with naive evaluation") {
  const std::size_t count = testkit::cases(66);
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 12);
    const Architecture& a = instance.architecture;
    const Workload& layer = instance.layer;
    std::size_t each = 0;
    naive::for_each_mapping(a, layer, [&](const Mapping& m) {
      if (each++ % 97 != seed % 97) return;
      ++compared;
      const naive::Cost cost = naive::cost(a, layer, m);
      REQUIRE(!find_violation(a, layer, m));
      const Metrics metrics = evaluate(a, layer, m);
      for (std::size_t s = 0; s < kSemantics; ++s) {
        REQUIRE(metrics.latencies[s] == cost.latency[s]);
      }
      REQUIRE(metrics.dynamic_energy == cost.dynamic);
      REQUIRE(evaluate(a, layer, m, {Semantics::recursion, Contention::bus, cim::Padding::exact})
                  .latency == max(cost.latency[0], max(cost.bus[0], cost.ports[0])));
    });
  }
  CHECK(compared > 0);
  MESSAGE(compared << " mappings compared");
}

TEST_CASE("the simulator's steady state is exact for long loops") {
  const std::size_t count = testkit::cases(100);
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    naive::Instance instance = naive::random_instance(seed, 8);
    Architecture& a = instance.architecture;
    Workload& layer = instance.layer;
    for (Level& level : a.levels) level.size_bits.reset();
    std::mt19937_64 random(seed);
    Mapping m;
    m.spatial.assign(a.axes.size(), kOnes);
    m.doubled.assign(a.levels.size(), TensorFlags{});
    layer.bounds = kOnes;
    PerTensor<std::vector<std::size_t>> chain;
    PerTensor<std::size_t> at{};
    for (const Tensor t : kAllTensors) {
      chain[index(t)] = a.chain(t);
      at[index(t)] = chain[index(t)].size() - 1;
    }
    for (int k = 0; k < 4; ++k) {
      Loop loop;
      loop.dim = static_cast<Dim>(random() % 7);
      loop.factor = 2 + static_cast<std::int64_t>(random() % 9);
      layer.bounds[index(loop.dim)] *= loop.factor;
      for (const Tensor t : kAllTensors) {
        at[index(t)] -= std::min<std::size_t>(at[index(t)], random() % 3);
        const std::size_t level = chain[index(t)][at[index(t)]];
        loop.level[index(t)] = static_cast<std::uint8_t>(level);
        m.doubled[level][index(t)] = a.may_double(level, t) && random() % 2 == 0;
      }
      m.loops.push_back(loop);
    }
    for (const Tensor t : kAllTensors) {  // flags of a level: those of its last loop
      for (std::size_t l = 0; l < a.levels.size(); ++l) {
        if (!a.may_double(l, t)) m.doubled[l][index(t)] = false;
      }
    }
    const Metrics metrics = evaluate(a, layer, m);
    const naive::Cost cost = naive::cost(a, layer, m);
    for (std::size_t s = 0; s < kSemantics; ++s) REQUIRE(metrics.latencies[s] == cost.latency[s]);
  }
}

TEST_CASE("exhaustion agrees with golden optima") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<golden::Json> lines = golden::lines(*folder / "optima_tiny.jsonl");
  const std::size_t share = testkit::cases(33);
  std::size_t compared = 0;
  for (const golden::Json& line : lines) {
    if (line.at("evaluated") > 200 * share) continue;  // few: seconds each
    CAPTURE(line.at("id"));
    const Architecture a = golden::architecture(line.at("arch"));
    const Workload layer = golden::layer(line.at("layer"));
    const std::vector<Priced> all = all_mappings(a, layer);
    CHECK(all.size() == line.at("evaluated"));
    for (const auto& semantics_entry : line.at("optima").items()) {
      const std::string semantics = semantics_entry.key();
      const golden::Json& optima = semantics_entry.value();
      for (const auto& goals_entry : optima.items()) {
        const std::string goals = goals_entry.key();
        const golden::Json& optimum = goals_entry.value();
        Question q;
        q.objective = Objective::parse(goals);
        q.pricing.semantics = semantics == "recursion" ? Semantics::recursion
                              : semantics == "table3"  ? Semantics::table3
                                                       : Semantics::simulator;
        const auto best = exhausted(all, q, a, layer);
        REQUIRE(best);
        if (optimum.is_array()) {
          for (std::size_t g = 0; g < best->size(); ++g) {
            CHECK((*best)[g].to_string() == optimum.at(g).get<std::string>());
          }
        } else {
          CHECK((*best)[0].to_string() == optimum.at("value").get<std::string>());
        }
      }
    }
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("the solver agrees with exhaustion of grown layers") {
  const std::size_t count = testkit::cases(33);
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 6);
    const Architecture& a = instance.architecture;
    const Workload& layer = instance.layer;
    const std::vector<Priced> all = all_mappings(a, layer, /*grow=*/true);
    for (const Goal goal : {Goal::latency, Goal::edp}) {
      Question question;
      question.objective.goals = {goal};
      question.pricing.padding = cim::Padding::ceil;
      const auto best = exhausted(all, question, a, layer);
      const Solution s = solve(a, layer, question);
      REQUIRE(best);
      REQUIRE(s.status == Status::optimal);
      CHECK(s.goals[0].value.to_string() == (*best)[0].to_string());
      CHECK(certify::unproven(a, layer, question, s) == "");
    }
  }
}

TEST_CASE("the solver's simulated mapping and bound enclose the optimum") {
  const std::size_t count = testkit::cases(50);
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 8);
    const Architecture& a = instance.architecture;
    const Workload& layer = instance.layer;
    const std::vector<Priced> all = all_mappings(a, layer);
    Question question = random_question(seed);
    question.pricing.semantics = Semantics::simulator;
    if (seed % 3 == 0) {
      const Priced& some = all[seed % all.size()];
      question.caps.push_back(
          {Goal::energy, some.value(question.objective, Goal::energy, a, question.pricing)});
    }
    const auto best = exhausted(all, question, a, layer);
    const Solution s = solve(a, layer, question);
    if (question.caps.empty()) REQUIRE(s.mapping.has_value() == best.has_value());
    if (s.status == Status::infeasible) CHECK(!best);
    if (!best) continue;
    CHECK(s.goals[0].bound <= (*best)[0]);
    if (!s.mapping) continue;  // one within the limits that is not found
    CHECK(s.goals[0].value >= (*best)[0]);
    if (s.status != Status::optimal) continue;  // the bound is seldom met
    for (std::size_t g = 0; g < best->size(); ++g) CHECK(s.goals[g].value == (*best)[g]);
    CHECK(certify::unproven(a, layer, question, s) == "");
  }
}

TEST_CASE("the solver agrees with exhaustion of mappings within limits on goals") {
  const std::size_t count = testkit::cases(50);
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t infeasible = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 8);
    const Architecture& a = instance.architecture;
    const Workload& layer = instance.layer;
    const std::vector<Priced> all = all_mappings(a, layer);
    if (all.empty()) continue;
    std::mt19937_64 random(seed);
    for (std::uint64_t k = 0; k < 6; ++k) {
      Question question = random_question(seed * 100 + k);
      for (const Goal goal : kGoals) {
        if (random() % 3 != 0) continue;
        // The value of some mapping, or a little less: that limit is met, or just missed.
        const Priced& some = all[random() % all.size()];
        const Rational value = some.value(question.objective, goal, a, question.pricing);
        const Rational less = value - Rational(1, 1 << 20);
        question.caps.push_back({goal, random() % 2 == 0 ? value : max(less, Rational(0))});
      }
      infeasible += exhausted(all, question, a, layer) ? 0 : 1;
      check(a, layer, all, question);
    }
  }
  CHECK((infeasible > 0 || count < 50));
}

// The way past the DRAM takes long here. Under table3 and simulator that time does not add to the
// time of the products: a scheme's bound that adds it is too high.
TEST_CASE("the solver agrees with exhaustion where the DRAM cannot hold a tensor") {
  const std::size_t count = testkit::cases(66);
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    naive::Instance instance = naive::random_instance(seed, 6);
    Architecture& a = instance.architecture;
    a.macro.input_bits_per_cycle = 1;
    a.leakage = 1;
    a.levels.back().size_bits = seed % 3 * 32;
    a.levels.back().bandwidth = 1 + static_cast<std::int64_t>(seed % 8);
    a.levels[a.levels.size() - 2].size_bits.reset();
    const Workload& layer = instance.layer;
    const std::vector<Priced> all = all_mappings(a, layer);
    for (const Semantics semantics : {Semantics::table3, Semantics::simulator}) {
      Question question;
      question.pricing.semantics = semantics;
      for (const Goal goal : {Goal::latency, Goal::energy}) {
        question.objective.goals = {goal};
        if (semantics == Semantics::table3) {
          check(a, layer, all, question);
          continue;
        }
        const auto best = exhausted(all, question, a, layer);
        const Solution s = solve(a, layer, question);
        REQUIRE(s.mapping.has_value() == best.has_value());
        if (best) CHECK(s.goals[0].bound <= (*best)[0]);
      }
    }
  }
}

TEST_CASE("the solver agrees with exhaustion, all semantics and options") {
  const std::size_t count = testkit::cases(66);
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const naive::Instance instance = naive::random_instance(seed, 8);
    const Architecture& a = instance.architecture;
    const Workload& layer = instance.layer;
    const std::vector<Priced> all = all_mappings(a, layer);
    check(a, layer, all, {});
    for (std::uint64_t k = 0; k < 6; ++k) check(a, layer, all, random_question(seed * 100 + k));
  }
}

TEST_CASE("the solver agrees with exhaustion where all tensors share the innermost level") {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t feasible = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(5); ++seed) {
    CAPTURE(seed);
    naive::Instance i = naive::random_instance(seed, 8);
    Architecture& a = i.architecture;
    a.levels.erase(a.levels.begin(), a.levels.end() - 2);
    a.levels.insert(a.levels.begin(), a.levels[0]);
    a.levels[0].name = "Register";
    a.levels[0].size_bits = 24 + 8 * static_cast<std::int64_t>(seed % 5);
    for (Axis& axis : a.axes) axis.fan_out = {1, 1, 1};
    const auto all = all_mappings(a, i.layer);
    feasible += all.empty() ? 0 : 1;
    check(a, i.layer, all, {});
    check(a, i.layer, all, random_question(seed));
  }
  CHECK(feasible > 0);
}
