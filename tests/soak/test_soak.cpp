// The soak's own parts, a few of its problems, and every problem that it once found to fail.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "soak/any_problem.hpp"
#include "soak/apart.hpp"
#include "soak/shrink.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using soak::Problem;
using testkit::Json;

TEST_CASE("problems by seed") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(200); ++seed) {
    const Problem problem = soak::random_problem(seed);
    CAPTURE(seed);
    CAPTURE(soak::write(problem).dump());
    CHECK(soak::valid(problem));
    CHECK(soak::complaint(problem) == "");
  }
}

TEST_CASE("problems of SRAM compute-in-memory by seed") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(200); ++seed) {
    const soak_cim::Problem problem = soak_cim::random_problem(seed);
    CAPTURE(seed);
    CAPTURE(soak_cim::write(problem).dump());
    CHECK(soak_cim::valid(problem));
    CHECK(soak_cim::complaint(problem) == "");
  }
}

TEST_CASE("problems that failed once") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PIMBB_REGRESSIONS)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    CAPTURE(entry.path().string());
    std::ifstream stream(entry.path());
    CHECK(soak::complaint_about(soak::read_any(Json::parse(stream).at("problem"))) == "");
  }
  CHECK(files > 0);
}

TEST_CASE("a problem is the same after it was written and read") {
  std::size_t cim = 0;
  const std::uint64_t problems = 3 * std::max<std::uint64_t>(30, testkit::cases(250));
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const soak::AnyProblem problem = soak::any_problem(seed);
    const Json json = soak::write_any(problem);
    const soak::AnyProblem again = soak::read_any(Json::parse(json.dump()));
    CHECK(soak::write_any(again) == json);
    CHECK(again.index() == problem.index());
    cim += problem.index();
  }
  CHECK(cim == problems / 3);
}

TEST_CASE("a seed alone decides the problem, and problems differ") {
  CHECK(soak::write(soak::random_problem(7)) == soak::write(soak::random_problem(7)));
  CHECK(soak::write(soak::random_problem(7)) != soak::write(soak::random_problem(8)));
}

TEST_CASE("shrinking leaves what the failure needs and nothing else" *
          doctest::skip(testkit::slow_build())) {
  // A mistake that shows with K even, S at least 3, a free level, and the goal EDP.
  const auto fails = [](const Problem& p) {
    const Factors& bounds = p.instance.workload.bounds;
    bool free = false;
    for (const MemoryLevel& level : p.instance.architecture.levels) free |= level.bypass_free;
    bool edp = false;
    for (const Goal goal : p.instance.objective.goals) edp |= goal == Goal::edp;
    return bounds[index(Dim::K)] % 2 == 0 && bounds[index(Dim::S)] >= 3 && free && edp;
  };
  std::size_t failing = 0;
  const std::uint64_t problems = std::max<std::uint64_t>(450, testkit::cases(3000));
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const Problem problem = soak::random_problem(seed);
    if (!fails(problem)) continue;
    ++failing;
    const Problem simple = soak::shrink(problem, fails);
    CAPTURE(soak::write(simple).dump());
    CHECK(fails(simple));
    Factors needed = kOnes;
    needed[index(Dim::K)] = 2;
    needed[index(Dim::S)] = 3;
    CHECK(simple.instance.workload.bounds == needed);
    CHECK(simple.instance.objective.goals == std::vector{Goal::edp});
    CHECK(simple.instance.architecture.levels.size() == 4);
    CHECK(simple.method == Method::exact);
    CHECK((simple.rules == Rules{}));
    CHECK(simple.threads == 1);
    CHECK(!simple.node_limit);
    std::size_t free = 0;
    for (const MemoryLevel& level : simple.instance.architecture.levels) {
      free += level.bypass_free ? 1 : 0;
      CHECK(!level.capacity);
      CHECK(!level.read_bandwidth);
    }
    CHECK(free == 1);
  }
  CHECK(failing > 3);
}

TEST_CASE("shrinking keeps what matters of the options") {
  Problem problem = soak::random_problem(1);
  problem.rules.set(Rule::dominance, false);
  problem.rules.set(Rule::lp, false);
  problem.threads = 4;
  const auto fails = [](const Problem& p) { return p.threads > 1 && !p.rules.has(Rule::lp); };
  const Problem simple = soak::shrink(problem, fails);
  CHECK(simple.threads == 4);
  CHECK((simple.rules == Rules{}.without(Rule::lp)));
  CHECK(simple.instance.workload.macs() == 1);
}

TEST_CASE("shrinking leaves what a failure of SRAM compute-in-memory needs") {
  // A mistake that shows with K even, a buffer that inputs and outputs share, and a limit on a
  // goal.
  namespace cim = pimbb::cim;
  const auto fails = [](const soak_cim::Problem& p) {
    bool buffer = false;
    for (const cim::Level& level : p.instance.architecture.levels) buffer |= level.name == "Shared";
    return p.instance.layer.bounds[index(Dim::K)] % 2 == 0 && buffer && !p.question.caps.empty();
  };
  std::size_t failing = 0;
  const std::uint64_t problems = std::max<std::uint64_t>(600, testkit::cases(1500));
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const soak_cim::Problem problem = soak_cim::random_problem(seed);
    if (!fails(problem)) continue;
    ++failing;
    const soak_cim::Problem simple = soak::shrink(problem, fails);
    CAPTURE(soak_cim::write(simple).dump());
    CHECK(fails(simple));
    Factors needed = kOnes;
    needed[index(Dim::K)] = 2;
    CHECK(simple.instance.layer.bounds == needed);
    CHECK(simple.instance.architecture.levels.size() == 2);
    CHECK(simple.question.objective.goals == std::vector{cim::Goal::latency});
    CHECK(simple.question.method == cim::Method::exact);
    CHECK(simple.question.pricing.contention == cim::Contention::none);
    CHECK(simple.threads == 1);
    CHECK(!simple.node_limit);
    CHECK(soak_cim::valid(simple));
    CHECK(soak_cim::complaint(simple) == "");
  }
  CHECK(failing > 3);
}

TEST_CASE("a shrunk problem is one that solve() accepts") {
  const Problem simple = soak::shrink(soak::random_problem(3), [](const Problem&) { return true; });
  CHECK(soak::valid(simple));
  CHECK(soak::complaint(simple) == "");
}

TEST_CASE("a judge in a process of its own: answers, exceptions, crashes, endless loops") {
  CHECK(soak::apart([] { return std::string(); }, 10) == "");
  const std::string late(100'000, 'x');  // longer than a pipe holds
  CHECK(soak::apart([&] { return late; }, 10) == late);
  CHECK(soak::apart([]() -> std::string { throw std::runtime_error("so"); }, 10) ==
        "exception: so");
  CHECK(soak::apart([]() -> std::string { std::abort(); }, 10).find("signal") != std::string::npos);
  CHECK(soak::apart([]() -> std::string { std::_Exit(3); }, 10) == "ended with exit code 3");
  const auto endless = []() -> std::string {
    for (volatile bool go_on = true; go_on;) {
    }
    return "";
  };
  CHECK(soak::apart(endless, 1) == "no answer in 1 s");
}
