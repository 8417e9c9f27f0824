// Proofs of padded layers: accepted as they are, refused with one thing wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "padded_instance.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/slice_proofs.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::replaced;
using testkit::SliceProofs;
using texts::contains;

namespace {

std::string proof_of(const Instance& i, const testkit::SolveOptions& options) {
  const Solution s = solve_padded(i.architecture, i.workload, options, options);
  std::string text;
  prove_padded(i.architecture, i.workload, options, options, s,
               [&](std::string_view piece) { text += piece; });
  return text;
}

/// The bounds of a layer as a `slice` begins with them; G stands there if its top is above 1.
std::string name_of(const Workload& layer) {
  std::string text;
  for (std::size_t j = 0; j + 1 < kDims; ++j) {
    text += (j == 0 ? "" : ".") + std::to_string(layer.bounds[j]);
  }
  return text;
}

bool is_refused(const std::string& proof) { return !testkit::checked(proof).accepted; }

Instance example(const char* goals) {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.workload =
      parse_workload("{R: 1, S: 1, P: 13, Q: 1, C: 6, K: 7, N: 1, pad: {P: 3, K: 1}}", "layer");
  i.objective = Objective::parse(goals);
  i.row_model = RowModel::trace;
  return i;
}

}  // namespace

TEST_CASE("padded proofs of random problems are accepted") {
  std::size_t proofs = 0;
  std::size_t closed = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(120); ++seed) {
    const Instance i = testkit::padded_instance(testkit::first_seed(64'000'000) + seed);
    if (!i.workload.may_be_padded()) continue;
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const std::string proof = proof_of(i, testkit::options_for(i));
    const auto report = testkit::checked(proof);
    CHECK(report.reason == "");
    const auto least = testkit::least_of_all(i);
    REQUIRE(report.optimum.size() == (least ? least->size() : 0));
    for (std::size_t g = 0; g < report.optimum.size(); ++g) {
      CHECK(report.optimum[g].second == (*least)[g].to_string());
    }
    const SliceProofs parts(proof);
    CHECK(parts.text() == proof);
    proofs += parts.slices.size();
    closed += testkit::all_bounds(i.workload).size() - parts.slices.size();
    const Solution best = solve_padded(i.architecture, i.workload, testkit::options_for(i));
    const std::string attained = best.mapping ? name_of(mapped_layer(i.workload, best)) : "";
    for (std::size_t k = 0; k < parts.slices.size(); ++k) {
      if (parts.slices[k].starts_with("slice " + attained)) continue;  // another may attain it too
      CHECK(is_refused(parts.without(k).text()));  // a vector of bounds that nobody looked at
    }
  }
  CHECK(closed > proofs / 10);
}

TEST_CASE("padded proofs under limits and constraints") {
  const Instance i = example("energy");
  testkit::SolveOptions options = testkit::options_for(i);
  options.caps = {{Goal::latency, 60}, {Goal::energy, 1000}};
  const auto limited = testkit::checked(proof_of(i, options));
  CHECK(limited.reason == "");
  CHECK(contains(limited.problem, "latency at most 60"));
  CHECK(contains(limited.problem, "bounds may grow to P 16 K 8"));
  options.caps = {{Goal::latency, 1}};
  const auto none = testkit::checked(proof_of(i, options));
  CHECK(none.reason == "");
  CHECK(none.optimum.empty());
  options.caps.clear();
  options.constraints = parse_constraints("{spatial: {H: {K: 8}}}", "c.yaml", i.architecture);
  const auto constrained = testkit::checked(proof_of(i, options));
  CHECK(constrained.reason == "");
  CHECK(constrained.optimum.size() == 1);
}

TEST_CASE("forged padded proofs are refused") {
  for (const char* goals : {"latency", "energy", "latency,energy"}) {
    CAPTURE(goals);
    const Instance i = example(goals);
    const std::string proof = proof_of(i, testkit::options_for(i));
    const auto report = testkit::checked(proof);
    REQUIRE(report.reason == "");
    const SliceProofs parts(proof);
    REQUIRE(!parts.slices.empty());
    for (std::size_t k = 0; k < parts.slices.size(); ++k) {
      CAPTURE(k);
      CHECK(is_refused(parts.without(k).text()));
      CHECK(is_refused(parts.twice(k).text()));
      if (parts.slices.size() == 1) continue;
      const std::size_t other = (k + 1) % parts.slices.size();
      CHECK(is_refused(parts.exchanged(k, other).text()));  // the proof of other bounds
      CHECK(is_refused(parts.swapped(k, other).text()));
    }
    const std::string optimum = "optimum " + report.optimum[0].second;
    const Rational value = Rational::parse(report.optimum[0].second);
    for (const Rational& claim : {value * Rational(9, 10), value - 1, value + 1, value * 2}) {
      CHECK(is_refused(replaced(proof, optimum, "optimum " + claim.to_string())));
    }
    CHECK(is_refused(replaced(proof, optimum, "infeasible")));
    CHECK(is_refused(replaced(proof, "\"tops\":[1,1,16,", "\"tops\":[1,1,17,")));
    CHECK(is_refused(proof + "end\n"));
    CHECK(is_refused(parts.head + "end\n"));
    CHECK(is_refused(proof.substr(0, proof.size() - 4)));
    // The instance is named: another one does not pass for it.
    std::istringstream stream(proof);
    CHECK(!pimbb_check::check(stream, "{}").accepted);
    std::istringstream same(proof);
    const std::string instance =
        canonical_padded_instance(i.architecture, i.workload, testkit::options_for(i));
    CHECK(pimbb_check::check(same, instance).accepted);
  }
}
