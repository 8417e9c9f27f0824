// Bounds of goals from the cost-to-go, bracket by bracket; and the bounds that are known at once.
#include <doctest/doctest.h>

#include "dram_pim/mapper/known_bounds.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "dram_pim/mapper/symmetry.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::CostToGo;
using mapper::kInfinity;
using mapper::Target;
using testkit::Choices;

namespace {

/// The least product of latency and energy over the brackets, in which a completion is slower than
/// the threshold before and spends the bracket's energy.
Wide least_product(const mapper::Sums& sums, const CostToGo::Entry& rest,
                   const std::vector<Int128>& thresholds) {
  Int128 latency = std::max(sums.latency, rest.latency());
  for (std::size_t i = 0; i < rest.open_count(); ++i) {
    latency = std::max(latency, sums.open[i] + rest.open(i));
  }
  Wide least = Wide::infinity();
  if (latency >= kInfinity) return least;
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    if (rest.energies()[k] >= kInfinity || thresholds[k] < latency) continue;
    const Int128 from = k == 0 ? latency : std::max(latency, thresholds[k - 1]);
    least = std::min(least, Wide::product(from, sums.energy + rest.energies()[k]));
  }
  return least;
}

}  // namespace

TEST_CASE("the bound of a product is the least over all brackets") {
  std::size_t decided = 0;  // by a bracket that is not the last
  const std::uint64_t first = testkit::first_seed(8'200'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 48});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    const auto all = mapper::storage_choices(i.architecture);
    const mapper::Storage storage(i.architecture, i.workload, instance.scale,
                                  all[choices.pick(all.size())]);
    const mapper::LevelTiles levels(i.architecture, instance.lattice, instance.vectors, storage,
                                    true);
    std::vector<Int128> thresholds{kInfinity};
    for (std::size_t k = 0; k < 4; ++k) {
      thresholds.push_back(instance.scale.most_latency >> choices.pick(16));
    }
    std::sort(thresholds.begin(), thresholds.end());
    const CostToGo cost_to_go(instance.lattice, storage, levels, thresholds);
    const Target target(instance.scale, i.objective, Goal::edp);
    for (mapper::TileIndex tile = 0; tile < instance.lattice.size(); ++tile) {
      mapper::Sums sums;
      sums.latency = instance.scale.most_latency >> choices.pick(20);
      sums.energy = static_cast<Int128>(choices.pick(1000));
      for (std::size_t k = 0; k < storage.open_count(); ++k) {
        sums.open[k] = instance.scale.most_latency >> choices.pick(20);
      }
      const CostToGo::Entry rest = cost_to_go.below_row_buffer(tile);
      const Wide wanted = least_product(sums, rest, thresholds);
      CHECK(target.bound(sums, cost_to_go, rest, 0) == wanted);
      const Int128 last = std::max(sums.latency, thresholds[thresholds.size() - 2]);
      if (wanted != Wide::infinity() &&
          wanted < Wide::product(last, sums.energy + rest.least_energy())) {
        ++decided;
      }
    }
  }
  CHECK((decided > 100 || testkit::cases(300) < 300));
}

TEST_CASE("bounds that are known without a search") {
  Architecture a = texts::small_architecture();  // 8 x 4 PEs, one MAC each
  a.pe_array.mac_energy = Rational(2);
  a.levels[a.dram()].access_cost = Rational(1, 4);
  Workload w;
  w.bounds = {3, 1, 5, 1, 2, 7, 1, 1};  // 210 MACs; 42 weights, 35 outputs, 14 inputs
  const mapper::Scale scale = mapper::make_scale(a, w);
  mapper::KnownBounds known(a, w, RowModel::trace, scale);
  const auto of = [&](Goal goal) {
    const Target target(scale, Objective{}, goal);
    return target.unscaled(known.of(target));
  };
  CHECK(of(Goal::latency) == scale.latency(210 * scale.cycle / 32));
  CHECK(of(Goal::energy) == Rational(420) + Rational(42 + 35, 4));
  CHECK(of(Goal::activations) == Rational(3));
  CHECK(of(Goal::edp) == of(Goal::latency) * of(Goal::energy));
  const Target activations(scale, Objective{}, Goal::activations);
  CHECK(mapper::KnownBounds(a, w, RowModel::none, scale).of(activations) == Wide::from(0));

  const auto raise = [&](Goal goal, const Wide& bound) {
    known.raise(Target(scale, Objective{}, goal), bound);
  };
  raise(Goal::activations, Wide::infinity());
  raise(Goal::activations, Wide::from(4 * Int128{scale.row}));
  raise(Goal::activations, Wide::from(1));  // bounds never fall
  CHECK(of(Goal::activations) == Rational(4));
  raise(Goal::latency, Wide::from(1000 * scale.cycle));
  CHECK(of(Goal::latency) == Rational(1000));
  raise(Goal::energy, Wide::from(scale.scaled_energy(Rational(5000))));
  CHECK(of(Goal::energy) == Rational(5000));
  raise(Goal::edp, Wide::from(1));  // says nothing about either
  CHECK(of(Goal::edp) == Rational(5'000'000));
}

TEST_CASE("a layer turns only if both axes are alike in everything") {
  Architecture a = texts::small_architecture();
  Workload w;
  w.bounds = {3, 3, 8, 8, 4, 4, 1, 1};
  w.stride_w = w.stride_h = 2;
  w.dilation_w = w.dilation_h = 3;
  const auto turns = [&](RowModel model = RowModel::analytic) {
    return mapper::can_turn(a, w, model);
  };
  CHECK(turns());
  CHECK_FALSE(turns(RowModel::hybrid));
  CHECK_FALSE(turns(RowModel::trace));
  const Workload alike = w;
  w.bounds[index(Dim::R)] = 1;
  CHECK_FALSE(turns());
  w = alike;
  w.bounds[index(Dim::Q)] = 4;
  CHECK_FALSE(turns());
  w = alike;
  w.stride_h = 1;
  CHECK_FALSE(turns());
  w = alike;
  w.dilation_w = 1;
  CHECK_FALSE(turns());
  w = alike;
  // Units that know P from Q, or R from S, by the dimension that they reduce.
  a.pe_array.unit_type = UnitType::tensor_core;
  CHECK(turns());
  for (const Dim d : {Dim::R, Dim::S}) {
    a.pe_array.internal_dim = d;
    CHECK_FALSE(turns());
  }
  a.pe_array.internal_dim = Dim::C;
  CHECK(turns());
}
