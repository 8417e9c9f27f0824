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

/// The records that refute `bound`, box by box: the first one's bound takes more rounds than all
/// others. A packing, whose records are its own, ends them.
std::vector<std::string> records_by_boxes(const testkit::Instance& at, const Rational& bound) {
  const assign::Problem problem(at.a, at.p);
  assign::LatencyBoxes boxes(problem);
  std::vector<assign::Box> open{boxes.root()};
  std::vector<std::string> records;
  while (!open.empty()) {
    assign::Box box = open.back();
    open.pop_back();
    boxes.tighten(box);
    if (assign::LatencyBoxes::is_empty(box)) {
      records.emplace_back("empty");
    } else if (!boxes.has_room(box)) {
      records.emplace_back("room");
    } else if (boxes.value(box.most) >= bound) {
      records.emplace_back("slow");
    } else if ((records.empty() ? boxes.first_bound(box, {}) : boxes.bound(box, {})).value >=
               bound) {
      records.emplace_back("mix");
    } else if (box.least == box.most) {
      break;
    } else {
      const assign::LatencyBoxes::Halving at_most = boxes.halving(box);
      records.push_back("split " + std::to_string(at_most.family) + " " +
                        std::to_string(at_most.most));
      open.push_back(assign::LatencyBoxes::high_half(box, at_most));
      open.push_back(assign::LatencyBoxes::low_half(box, at_most));
    }
  }
  return records;
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

TEST_CASE("a lower bound is refuted box by box, the first one with the most rounds") {
  for (const std::int64_t cores : {8, 12}) {
    CAPTURE(cores);
    const testkit::Instance at = testkit::modules(2, cores);
    Solution solution = solve(at.a, at.p, {Goal::ll}, {.threads = 1, .node_limit = 400});
    REQUIRE(solution.mapping);
    const assign::Problem problem(at.a, at.p);
    assign::LatencyBoxes boxes(problem);
    assign::Box root = boxes.root();
    boxes.tighten(root);
    const Rational fewer = boxes.bound(root, {}).value;
    const Rational first = assign::LatencyBoxes(problem).first_bound(root, {}).value;
    CHECK(first > fewer);
    solution.status = Status::feasible;
    for (const Rational& bound : {first, solution.result.bound}) {
      solution.result.bound = bound;
      const Proof proof = prove(at.a, at.graph, {Goal::ll}, {}, solution);
      std::vector<std::string> records;
      for (const std::string& record : records_of(proof.text, "goal")) {
        if (record == "pack") break;
        if (!record.starts_with("cut "))
          records.push_back(record.starts_with("mix ") ? "mix" : record);
      }
      CHECK(records == records_by_boxes(at, bound));
    }
  }
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
