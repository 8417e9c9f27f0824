// The checker against an adversary who may ask it which reasons it grants (support/forge.hpp): no
// claim about a worse mapping is accepted, and every true claim is.
#include <doctest/doctest.h>

#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/forge.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using pimbb_check::Record;
using testkit::Choices;
using testkit::Forgeries;
using testkit::Instance;

namespace {

Instance drawn_instance(std::uint64_t seed) {
  Choices choices(seed);
  switch (choices.pick(8)) {
    case 0: return testkit::deep_traced_instance(seed);
    case 1: return testkit::random_instance(choices, {.macs = 200, .largest_factor = 12});
    case 2: return testkit::random_instance(choices, {.macs = 24, .free_levels = 3});
    default: return testkit::random_instance(choices, {.macs = 36});
  }
}

/// A proof before a checker that is asked about every record first.
struct Asking : testkit::InProcessChecker {
  std::size_t opened = 0;

  void inner(const Factors& tile, char loops) override {
    ++opened;
    for (const Record reason : {Record::bound, Record::cap, Record::evaluated, Record::inner}) {
      CHECK_FALSE(checker_.grants(reason));
    }
    InProcessChecker::inner(tile, loops);
  }
  void closed_by_bound(const Factors& tile, char loops) override {
    CHECK(checker_.grants(Record::bound));
    InProcessChecker::closed_by_bound(tile, loops);
  }
  void closed_by_cap(const Factors& tile, char loops) override {
    CHECK(checker_.grants(Record::bound));  // it claims less
    CHECK(checker_.grants(Record::cap));
    InProcessChecker::closed_by_cap(tile, loops);
  }
  void evaluated(const Factors& tile, char loops) override {
    CHECK(checker_.grants(Record::evaluated));
    InProcessChecker::evaluated(tile, loops);
  }
};

}  // namespace

// Bounds of solver and checker are the same: what one opens, the other does not close.
TEST_CASE("every part that a proof opens is one that no reason closes") {
  std::size_t opened = 0;
  const std::uint64_t first = testkit::first_seed(40'000'000);
  // Where a bound that counts crossings below a row-buffer tile would close what is opened.
  std::vector<std::uint64_t> seeds{4334967592, 4334967982, 8629934819, 8629934894, 17219869395};
  for (std::uint64_t k = 0; k < testkit::cases(1000); ++k) seeds.push_back(first + k);
  for (const std::uint64_t seed : seeds) {
    const Instance i = drawn_instance(seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Solution solution = solve(i.architecture, i.workload, testkit::options_for(i));
    Asking checker;
    prove(i.architecture, i.workload, testkit::options_for(i), solution, {&checker});
    CHECK(checker.report().accepted);
    opened += checker.opened;
  }
  CHECK((opened > 1000 || testkit::cases(1000) < 1000));
}

TEST_CASE("forged claims: none is accepted") {
  const std::size_t wanted = testkit::cases(10'000);
  Forgeries forgeries;
  for (std::uint64_t seed = testkit::first_seed(41'000'000); forgeries.claims < wanted; ++seed) {
    const Instance i = drawn_instance(seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Solution solution = solve(i.architecture, i.workload, testkit::options_for(i));
    if (!solution.mapping) continue;
    Choices choices(seed);
    forge(i, *solution.mapping, choices, 10, forgeries);
    REQUIRE(forgeries.accepted == "");
  }
  CHECK(forgeries.records > 10 * forgeries.claims);  // it comes far before it is stopped
}

// The adversary finds the proof of a claim that is true: it lacks nothing but the truth.
TEST_CASE("true claims: the same search proves them") {
  for (std::uint64_t seed = 42'000'000; seed < 42'000'000 + testkit::cases(300); ++seed) {
    const Instance i = drawn_instance(seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Solution solution = solve(i.architecture, i.workload, testkit::options_for(i));
    Choices choices(seed);
    CHECK(testkit::provable(i, solution.mapping, choices));
  }
}
