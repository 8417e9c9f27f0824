// What proofs of crossbar mappings say, line by line.
#include <doctest/doctest.h>

#include <sstream>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/instances.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

/// The lines between the claim and the end.
std::vector<std::string> records_of(const std::string& text, std::string_view claim) {
  std::vector<std::string> records;
  std::istringstream stream(text);
  bool begun = false;
  for (std::string line; std::getline(stream, line);) {
    if (begun && line != "end") records.push_back(line);
    begun = begun || line.starts_with(claim);
  }
  return records;
}

pimbb_check::Report report_on(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream);
}

}  // namespace

TEST_CASE("a canonical instance is one line of bytes as they are") {
  testkit::Row row(3, 8);
  row.graph.name = "Größe";
  const std::string text = canonical_instance(row.a, row.graph, {});
  CHECK(text.find("\"Größe\"") != std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find(": ") == std::string::npos);
}

TEST_CASE("an optimum is claimed without a bound, and its records are counted") {
  testkit::Draw draw(testkit::first_seed(31));
  for (std::size_t k = testkit::cases(60); k > 0; --k) {
    CAPTURE(k);
    const testkit::Instance at = testkit::random_instance(draw);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      CAPTURE(name(goal));
      const Solution solution = solve(at.a, at.p, {goal});
      const Proof proof = prove(at.a, at.graph, {goal}, {}, solution);
      const bool none = solution.status == Status::infeasible;
      CHECK(records_of(proof.text, none ? "infeasible" : "goal").size() == proof.records);
      const pimbb_check::Report report = report_on(proof.text);
      CHECK(report.accepted);
      CHECK(report.bound == "");
    }
  }
}

TEST_CASE("what is slow with the greatest replications needs no mix of cuts") {
  const testkit::Row row(3, 8);
  const Solution solution = solve(row.a, row.p, {Goal::ll});
  REQUIRE(solution.status == Status::optimal);
  const Proof proof = prove(row.a, row.graph, {Goal::ll}, {}, solution);
  CAPTURE(proof.text);
  for (const std::string& record : records_of(proof.text, "goal")) {
    CHECK((record == "slow" || record.starts_with("split ")));
  }
}

TEST_CASE("the bound of the root's own mix closes the root") {
  std::size_t closed = 0;
  testkit::Draw draw(32);
  for (std::size_t k = 0; k < 150; ++k) {
    CAPTURE(k);
    const testkit::Instance at = testkit::random_instance(draw);
    const assign::Problem problem(at.a, at.p);
    assign::LatencyBoxes boxes(problem);
    assign::Box root = boxes.root();
    boxes.tighten(root);
    if (assign::LatencyBoxes::is_empty(root) || !boxes.has_room(root)) continue;
    const Rational bound = boxes.first_bound(root, {}).value;
    if (bound <= boxes.value(root.most)) continue;
    Solution solution = solve(at.a, at.p, {Goal::ll});
    if (!solution.mapping) continue;
    solution.status = Status::feasible;
    solution.result.bound = bound;
    const Proof proof = prove(at.a, at.graph, {Goal::ll}, {}, solution);
    CHECK(report_on(proof.text).accepted);
    const std::vector<std::string> records = records_of(proof.text, "goal");
    CHECK(records.back().starts_with("mix "));
    for (std::size_t r = 0; r + 1 < records.size(); ++r) CHECK(records[r].starts_with("cut "));
    ++closed;
  }
  CHECK(closed > 0);
}

TEST_CASE("a bound above the optimum is not proven") {
  const testkit::Row row(3, 8);
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    CAPTURE(name(goal));
    Solution solution = solve(row.a, row.p, {goal});
    solution.result.bound = solution.result.value + 1000;
    solution.result.value = solution.result.bound;
    CHECK_THROWS_AS(prove(row.a, row.graph, {goal}, {}, solution), std::logic_error);
  }
}

TEST_CASE("a solution without a mapping is infeasible, or no proof") {
  const testkit::Row row(3, 8);
  for (const Status status : {Status::optimal, Status::feasible, Status::unknown}) {
    Solution solution;
    solution.status = status;
    CHECK_THROWS_AS(prove(row.a, row.graph, {}, {}, solution), InputError);
  }
  Solution none;
  none.status = Status::infeasible;  // which it is not
  CHECK_THROWS_AS(prove(row.a, row.graph, {}, {}, none), std::logic_error);
}
