// Every optimum has a proof that the independent checker accepts, with the solver's very value.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "files/sha256.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

template <class Check>
void by_seed(std::uint64_t first, std::size_t count, const testkit::Size& size,
             const Check& check) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Instance i = testkit::random_instance(seed, size);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    check(i);
  }
}

Instance full_size(const Workload& layer, const char* objective, RowModel row_model) {
  return {testkit::simple_pim(), layer, Objective::parse(objective), row_model};
}

}  // namespace

TEST_CASE("tiny problems of every kind") {
  std::size_t infeasible = 0;
  std::size_t capped = 0;
  std::size_t evaluated = 0;
  by_seed(0, testkit::cases(3000), {.macs = 24, .levels = 5}, [&](const Instance& i) {
    const auto [solution, proof] = testkit::certify(i);
    const auto report = testkit::checked(proof.text);
    CHECK(testkit::objection(i, solution, report) == "");
    CHECK(report.leaves() == proof.leaves);
    CHECK(report.inner_nodes == proof.inner_nodes);
    CHECK(report.bytes == proof.text.size());
    infeasible += solution.status == Status::infeasible ? 1 : 0;
    capped += report.by_cap > 0 ? 1 : 0;
    evaluated += report.evaluated > 0 ? 1 : 0;
  });
  if (testkit::cases(3000) < 3000) return;
  CHECK(infeasible > 100);  // every reason to close a leaf has been seen
  CHECK(evaluated > 0);
  CHECK(capped > 100);
}

TEST_CASE("larger problems with many prime factors") {
  by_seed(1'000'000, testkit::cases(300), {.macs = 2000, .levels = 5, .largest_factor = 16},
          [](const Instance& i) {
            const auto [solution, proof] = testkit::certify(i);
            CHECK(testkit::objection(i, solution, testkit::checked(proof.text)) == "");
          });
}

TEST_CASE("costs beyond 62 bits") {
  by_seed(3'000'000, testkit::cases(200), {.macs = 24, .levels = 5}, [](Instance i) {
    i.architecture.pe_array.mac_energy += Rational::parse("1e18");
    const auto [solution, proof] = testkit::certify(i);
    CHECK(testkit::objection(i, solution, testkit::checked(proof.text)) == "");
  });
}

TEST_CASE("ResNet-18 on simple_pim" * doctest::skip(testkit::slow_build())) {
  const std::vector<Workload> layers = testkit::resnet18_layers();
  for (std::size_t n = 0; n < std::min(testkit::cases(100), layers.size()); ++n) {
    for (const char* objective : {"latency,energy", "edp", "energy,activations"}) {
      const RowModel row_model = n % 2 == 0 ? RowModel::hybrid : RowModel::analytic;
      const Instance i = full_size(layers[n], objective, row_model);
      CAPTURE(layers[n].name);
      CAPTURE(objective);
      const auto [solution, proof] = testkit::certify(i, 0);
      CHECK(testkit::objection(i, solution, testkit::checked(proof.text)) == "");
      CHECK(proof.text.size() < 200 * proof.leaves);
    }
  }
}

TEST_CASE("trace: tiny problems, early and late loop orders") {
  std::size_t late = 0;  // proofs that evaluate orders below a tile that floors leave open
  by_seed(5'000'000, testkit::cases(1000), {.macs = 48, .levels = 5}, [&](Instance i) {
    i.row_model = RowModel::trace;
    const auto [solution, proof] = testkit::certify(i);
    const auto report = testkit::checked(proof.text);
    CHECK(testkit::objection(i, solution, report) == "");
    CHECK(report.leaves() == proof.leaves);
    CHECK(report.inner_nodes == proof.inner_nodes);
    const auto storage = i.architecture.storable(i.architecture.row_buffer() - 1);
    const bool early = storage == TensorFlags{true, true, true};
    late += !early && report.evaluated > 0 ? 1 : 0;
  });
  CHECK((late > 20 || testkit::cases(1000) < 1000));
}

TEST_CASE("trace: deep hierarchies, loop orders in the tree") {
  std::size_t ordered = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    const Instance i = testkit::deep_traced_instance(seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const auto [solution, proof] = testkit::certify(i);
    const auto report = testkit::checked(proof.text);
    CHECK(testkit::objection(i, solution, report) == "");
    CHECK(report.inner_nodes == proof.inner_nodes);
    ordered += proof.text.find("\nl ") != std::string::npos ? 1 : 0;
  }
  CHECK((ordered > 10 || testkit::cases(600) < 600));
}

TEST_CASE("the proof does not depend on the number of threads") {
  const auto check = [](const Instance& i) {
    const std::string one = testkit::certify(i, 1).proof.text;
    for (const int threads : {2, 5}) CHECK(testkit::certify(i, threads).proof.text == one);
  };
  by_seed(2'000'000, testkit::cases(100), {.macs = 48}, check);
  check(full_size(testkit::resnet18_layers()[8], "edp,activations", RowModel::hybrid));
  check(full_size(testkit::resnet18_layers()[8], "latency", RowModel::trace));
}

namespace {

/// Forgets the n-th leaf that a bound closes.
struct Forgetful : testkit::InProcessChecker {
  std::uint64_t left;
  explicit Forgetful(std::uint64_t n) : left(n) {}
  void closed_by_bound(const Factors& tile, char loops) override {
    if (left-- != 0) InProcessChecker::closed_by_bound(tile, loops);
  }
};

}  // namespace

TEST_CASE("a checker that subscribes accepts all events and misses the one left out") {
  by_seed(4'000'000, testkit::cases(100), {.macs = 24}, [](const Instance& i) {
    const auto [solution, proof] = testkit::certify(i);
    CHECK(testkit::unproven(i, solution) == "");
    const std::uint64_t leaves = testkit::checked(proof.text).by_bound;
    if (leaves == 0) return;
    Forgetful checker(leaves / 2);
    const SolveOptions options = testkit::options_for(i);
    CHECK_THROWS(prove(i.architecture, i.workload, options, solution, {&checker}));
    CHECK_FALSE(checker.report().accepted);
  });
}

TEST_CASE("what cannot be proven is said") {
  Instance i = testkit::random_instance(1, {.macs = 12});
  SolveOptions options = testkit::options_for(i);
  Solution solution = solve(i.architecture, i.workload, options);
  for (const Status status : {Status::feasible, Status::unknown}) {
    solution.status = status;
    CHECK_THROWS_AS(prove(i.architecture, i.workload, options, solution), InputError);
  }
}

TEST_CASE("the canonical instance names the problem, not how it was written") {
  const auto text = [](const Architecture& a, const Workload& w) {
    return canonical_instance(a, w, Objective{}, RowModel::hybrid);
  };
  const Workload layer = testkit::resnet18_layers()[0];
  const Architecture given = testkit::simple_pim();
  const std::string one = text(given, layer);
  Architecture same = given;  // defaults written out, another spelling of a figure
  same.pe_array.mac_energy = Rational::parse("56e-5");
  same.levels[2].read_bandwidth = given.levels[2].bandwidth(Tensor::input);
  same.dram_timings.activation_latency = given.activation_cycles();
  same.levels.back().bypass_free = true;  // means nothing at the DRAM
  CHECK(text(same, layer) == one);
  CHECK(one.find('\n') == std::string::npos);

  std::vector<Architecture> others(6, given);
  others[0].pe_array.mac_energy += 1;
  others[1].levels[1].num_write_ports = 2;
  others[2].levels[1].bypass_free = true;
  others[3].levels[0].capacity = {};
  others[4].dram_timings.tRP = 15;
  others[5].psum_rereads = true;
  for (const Architecture& other : others) CHECK(text(other, layer) != one);
}

TEST_CASE("an instance names its groups only where there are any") {
  Instance i = testkit::random_instance(1, {.macs = 12});
  i.workload.bounds = {3, 1, 4, 1, 1, 2, 1, 1};
  const auto text = [&] {
    return canonical_instance(i.architecture, i.workload, i.objective, i.row_model);
  };
  CHECK(text().find("\"bounds\":[3,1,4,1,1,2,1],") != std::string::npos);
  i.workload.bounds[index(Dim::G)] = 5;
  CHECK(text().find("\"bounds\":[3,1,4,1,1,2,1,5],") != std::string::npos);
}

TEST_CASE("a proof can be held against a given instance") {
  const Instance i = testkit::random_instance(5, {.macs = 12});
  const std::string proof = testkit::certify(i).proof.text;
  const std::string instance =
      canonical_instance(i.architecture, i.workload, i.objective, i.row_model);
  CHECK(proof.find("\nsha256 " + files::sha256(instance) + "\n") != std::string::npos);
  std::istringstream same(proof);
  CHECK(pimbb_check::check(same, instance).accepted);
  Workload other = i.workload;
  other.stride_h += 1;
  std::istringstream another(proof);
  CHECK_FALSE(pimbb_check::check(
                  another, canonical_instance(i.architecture, other, i.objective, i.row_model))
                  .accepted);
}
