// The best mappings found under estimates without an exact search, and their bounds: against golden
// optima, exhaustion, and the fitness that PIMCOMP's genetic algorithm reached.
#include <doctest/doctest.h>

#include <fstream>
#include <iostream>
#include <map>

#include "crossbar/cost/estimator.hpp"
#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "crossbar/instances.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using golden::Json;
using testkit::Instance;

namespace {

RunLimits evaluations(std::uint64_t count, int threads = 1) {
  RunLimits limits;
  limits.node_limit = count;
  limits.threads = threads;
  return limits;
}

/// A found mapping is legal, and as good as claimed.
void check_found(const Instance& at, const EstimateQuestion& question, const BestFound& found) {
  REQUIRE(found.mapping);
  CHECK(!find_violation(at.a, at.p, *found.mapping));
  const Metrics m = evaluate(at.a, at.p, *found.mapping);
  REQUIRE(found.results.size() == question.goals.size());
  bool proven = true;
  for (std::size_t i = 0; i < question.goals.size(); ++i) {
    CHECK(found.results[i].estimate == question.goals[i]);
    CHECK(found.results[i].value == value(m, question.goals[i], question.mode));
    CHECK(found.results[i].bound <= found.results[i].value);
    proven = proven && found.results[i].bound == found.results[i].value;
  }
  CHECK(found.status == (proven ? Status::optimal : Status::feasible));
}

/// The least values of all estimates over all mappings, by estimate; energy and edp in `mode`.
std::map<Estimate, Rational> least_values(const Instance& at, Mode mode) {
  std::map<Estimate, cost::Estimator> estimators;
  for (std::size_t e = 0; e < kEstimateNames.size(); ++e) {
    const auto estimate = static_cast<Estimate>(e);
    estimators.try_emplace(estimate, at.a, at.p, estimate, mode);
  }
  std::map<Estimate, Rational> least;
  for (const auto& replication : testkit::replications(at.a, at.p)) {
    testkit::for_each_mapping(at.a, at.p, replication, [&](const Mapping& mapping) {
      if (find_violation(at.a, at.p, mapping)) return;
      for (const auto& [estimate, estimator] : estimators) {
        const Rational value = estimator.value(mapping);
        const auto [place, is_new] = least.try_emplace(estimate, value);
        if (!is_new && value < place->second) place->second = value;
      }
    });
  }
  return least;
}

}  // namespace

TEST_CASE("golden optima lie between bound and value") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  const std::map<std::string, Estimate> estimates{{"ll_paper", Estimate::ll_paper},
                                                  {"ht_code", Estimate::ht_code},
                                                  {"ll_code", Estimate::ll_code}};
  std::size_t compared = 0;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    if (testkit::slow_build() && !testkit::chosen(i)) continue;
    const Instance at = testkit::golden_instance(all[i], *folder);
    const Json& optimum = all[i].at("optimum");
    for (const auto& pair : estimates) {
      const std::string& key = pair.first;
      const Estimate estimate = pair.second;
      CAPTURE(key);
      const EstimateQuestion question{{estimate}};
      const BestFound found = minimise(at.a, at.p, question, evaluations(400));
      if (optimum.at("status") == "infeasible") {
        CHECK(found.status == Status::infeasible);
        CHECK(!found.reason.empty());
        continue;
      }
      check_found(at, question, found);
      if (!optimum.contains(key)) continue;
      const double wanted = optimum.at(key).at("value").get<double>();
      CHECK(found.results[0].bound.to_double() <= wanted * (1 + 2e-11));
      CHECK(found.results[0].value.to_double() >= wanted * (1 - 2e-11));
      ++compared;
      if (found.results[0].value.to_double() <= wanted * (1 + 2e-11)) ++equal;
    }
  }
  std::cout << "golden/crossbar/optima_tiny.jsonl: " << equal << " of " << compared
            << " optima of ll-paper, ht-code and ll-code found\n";
  CHECK((10 * equal >= 9 * compared || testkit::slow_build()));
}

TEST_CASE("all estimates against exhaustion") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    if (!all[i].at("optimum").contains("ht_code") || !testkit::chosen(i)) continue;
    const Instance at = testkit::golden_instance(all[i], *folder);
    if (testkit::replications(at.a, at.p).size() > 40) continue;
    for (const Mode mode : {Mode::ht, Mode::ll}) {
      for (const auto& pair : least_values(at, mode)) {
        const Estimate estimate = pair.first;
        const Rational& least = pair.second;
        CAPTURE(name(estimate));
        const EstimateQuestion question{{estimate}, mode};
        const BestFound found = minimise(at.a, at.p, question, evaluations(400));
        check_found(at, question, found);
        CHECK(found.results[0].bound <= least);
        CHECK(found.results[0].value >= least);
      }
    }
  }
}

TEST_CASE("a list of goals: the second one decides among equals") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Json line = golden::lines(*folder / "optima_tiny.jsonl").front();
  const Instance at = testkit::golden_instance(line, *folder);
  const EstimateQuestion one{{Estimate::ht_roof}};
  const EstimateQuestion both{{Estimate::ht_roof, Estimate::traffic}};
  const BestFound first = minimise(at.a, at.p, one, evaluations(400));
  const BestFound second = minimise(at.a, at.p, both, evaluations(400));
  check_found(at, both, second);
  CHECK(second.results[0].value <= first.results[0].value);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(minimise(at.a, at.p, {{Estimate::ht_code, Estimate::ht_code}})),
      doctest::Contains("ht-code twice"), InputError);
  CHECK_THROWS_AS(static_cast<void>(minimise(at.a, at.p, {})), InputError);
}

TEST_CASE("whole networks: below the tool's genetic algorithm, the same for any threads" *
          doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  std::map<std::string, double> ga;  // the least fitness of its runs
  std::ifstream stream(*folder / "ga_tool.json");
  const Json runs = Json::parse(stream).at("runs");
  for (const Json& run : runs) {
    const std::string key = run.at("net").get<std::string>() + run.at("mode").get<std::string>();
    const double fitness = run.at("fitness").get<double>();
    const auto place = ga.try_emplace(key, fitness).first;
    place->second = std::min(place->second, fitness);
  }
  const Architecture a = golden::architecture(Json::object());
  struct Case {
    std::string net;
    Estimate estimate;
    std::string key;
    std::uint64_t evaluations = 256;
  };
  for (const Case& each :
       {Case{"squeezenet", Estimate::ht_code, "ht_code", 512},
        Case{"squeezenet", Estimate::ll_code, "ll_code"},
        Case{"vgg16", Estimate::ht_code, "ht_code"}, Case{"vgg16", Estimate::ll_code, "ll_code"}}) {
    CAPTURE(each.net);
    CAPTURE(each.key);
    Instance at{a, golden::graph("networks/" + each.net + ".json", *folder), {}};
    at.p = make_partition(a, at.graph);
    const EstimateQuestion question{{each.estimate}};
    const BestFound found = minimise(a, at.p, question, evaluations(each.evaluations));
    check_found(at, question, found);
    CHECK(found.results[0].value.to_double() < ga.at(each.net + each.key));
    CHECK(minimise(a, at.p, question, evaluations(each.evaluations, 3)).mapping == found.mapping);
  }
}

TEST_CASE("whole networks: transfers and multiplications at most those of known mappings" *
          doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  std::size_t compared = 0;
  for (const Json& known : golden::lines(*folder / "best_known.jsonl")) {
    if (known.at("for") != "ht_roof") continue;
    const Architecture a = golden::architecture(known.at("arch"));
    Instance at{a, golden::graph(known.at("net"), *folder), {}};
    at.p = make_partition(a, at.graph);
    const EstimateQuestion question{{Estimate::ht_roof}};
    const BestFound found = minimise(a, at.p, question, evaluations(64));
    check_found(at, question, found);
    const Metrics m = evaluate(a, at.p, golden::mapping(known, a, at.p));
    CHECK(found.results[0].value <= Rational(m.ht_roof));
    ++compared;
  }
  CHECK(compared > 0);
}
