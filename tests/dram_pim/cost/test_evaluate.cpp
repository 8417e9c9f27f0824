// evaluate() and find_violation() against the oracle, on random mappings of random tiny problems.
#include <doctest/doctest.h>

#include <map>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"
#include "support/oracle_cost.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

/// The rule that the library says is broken; empty if none.
std::string library_verdict(const Instance& i, const Mapping& m) {
  const auto violation = find_violation(i.architecture, i.workload, m);
  return violation ? violation->rule : "";
}

void check_cost(const Instance& i, const Mapping& m, RowModel model) {
  CAPTURE(kRowModelNames[static_cast<std::size_t>(model)]);
  const oracle::CostOracle oracle(i.architecture, i.workload, model);
  const Metrics metrics = evaluate(i.architecture, i.workload, m, model);
  CHECK(oracle::first_difference(i.architecture, i.workload, m, oracle.evaluate(m), metrics) == "");
}

void check_costs(const Instance& i, const Mapping& m) {
  for (const RowModel model :
       {RowModel::analytic, RowModel::hybrid, RowModel::trace, RowModel::none}) {
    check_cost(i, m, model);
  }
}

}  // namespace

TEST_CASE("random mappings: verdict and every figure are the oracle's") {
  const testkit::Size size{.macs = 96, .levels = 5, .free_levels = 3};
  const std::size_t cases = testkit::cases(20'000);
  std::map<std::string, std::size_t> verdicts;
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 8; ++repeat) {
      Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 4);
      if (repeat % 4 == 3) testkit::damage(m, choices);
      CAPTURE(seed);
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::to_json(m, i.architecture));
      const std::string rule = oracle::broken_rule(i.architecture, i.workload, m);
      CHECK(library_verdict(i, m) == rule);
      if (rule.empty()) check_costs(i, m);
      ++verdicts[rule];
    }
  }
  CHECK(verdicts[""] >= cases);
  for (const char* rule :
       {"factorization", "spatial", "pe_array", "unit_type", "storage", "capacity", "layout"}) {
    CAPTURE(rule);
    CHECK(verdicts[rule] >= cases / 400);
  }
}

TEST_CASE("packed elements of whole bytes cost what unpacked ones do") {
  const std::uint64_t first = testkit::first_seed(70'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(1000); ++seed) {
    Choices choices(seed);
    Instance i = testkit::random_instance(choices, {.macs = 96});
    for (std::int64_t& bits : i.architecture.bits) bits = choices.one_of<std::int64_t>({8, 16, 24});
    const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 4);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    CAPTURE(testkit::to_json(m, i.architecture));
    Architecture packed = i.architecture;
    i.architecture.packing = Packing::byte;
    packed.packing = Packing::bit;
    CHECK(library_verdict(i, m) == library_verdict({packed, i.workload, {}, {}}, m));
    if (!library_verdict(i, m).empty()) continue;
    for (const RowModel model : {RowModel::analytic, RowModel::hybrid, RowModel::trace}) {
      const Metrics one = evaluate(i.architecture, i.workload, m, model);
      const Metrics other = evaluate(packed, i.workload, m, model);
      CHECK(one.latency == other.latency);
      CHECK(one.energy == other.energy);
      CHECK((one.row_activations == other.row_activations));
    }
  }
}

TEST_CASE("packed elements, counted by hand") {
  Architecture a = testkit::simple_pim();
  a.packing = Packing::bit;
  a.bits = {4, 12, 3};
  CHECK(a.tile_bytes(Tensor::output, 10) == 4);
  CHECK(a.tile_bytes(Tensor::output, 8) == 3);
  CHECK(a.tile_bytes(Tensor::weight, 3) == 5);
  CHECK(a.elements_in(Tensor::output, 4) == 10);
  CHECK(a.elements_in(Tensor::input, 4) == 8);
  CHECK(a.moved_bytes(Tensor::weight) == Rational(3, 2));
  CHECK(a.row_units() == 8 * 1024);
  a.packing = Packing::byte;
  CHECK(a.tile_bytes(Tensor::output, 10) == 10);
  CHECK(a.elements_in(Tensor::weight, 5) == 2);
  CHECK(a.moved_bytes(Tensor::weight) == 2);
}

TEST_CASE("larger layers: many tiles, many residues") {
  const testkit::Size size{.macs = 3000, .levels = 5, .free_levels = 3, .largest_factor = 30};
  const std::size_t cases = testkit::cases(6000);
  std::size_t feasible = 0;
  const std::uint64_t first = testkit::first_seed(50'000'000);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, size);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 6);
      CAPTURE(seed);
      CAPTURE(testkit::to_json(i));
      CAPTURE(testkit::to_json(m, i.architecture));
      if (!oracle::broken_rule(i.architecture, i.workload, m).empty()) continue;
      ++feasible;
      check_costs(i, m);
    }
  }
  CHECK(feasible >= cases / 4);
}

TEST_CASE("ResNet-18 on simple_pim: the closed row models" * doctest::skip(testkit::slow_build())) {
  Instance i;
  i.architecture = testkit::simple_pim();
  Choices choices(7);
  const std::vector<Workload> layers = testkit::resnet18_layers();
  for (std::size_t k = 0; k < testkit::cases(layers.size()); ++k) {
    const Workload& layer = layers[k];
    i.workload = layer;
    std::size_t wanted = testkit::cases(15);
    for (int tries = 0; tries < 5000 && wanted > 0; ++tries) {
      const Mapping m = testkit::random_mapping(i.architecture, layer, choices, 12);
      if (!oracle::broken_rule(i.architecture, layer, m).empty()) continue;
      --wanted;
      CAPTURE(layer.name);
      CAPTURE(testkit::to_json(m, i.architecture));
      for (const RowModel model : {RowModel::analytic, RowModel::hybrid}) check_cost(i, m, model);
    }
    CHECK(wanted == 0);
  }
}
