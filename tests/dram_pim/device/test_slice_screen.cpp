// The screen of slices against the mappings that they lead to.
#include <doctest/doctest.h>

#include "dram_pim/device/random_device.hpp"
#include "dram_pim/device/slice_screen.hpp"
#include "dram_pim/device/split_space.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::DeviceInstance;

TEST_CASE("a slice passes if one of its mappings is as good as the known one") {
  constexpr std::array<Goal, 5> kScreenedGoals{Goal::latency, Goal::energy, Goal::edp,
                                               Goal::activations, Goal::blended};
  std::size_t refused = 0;
  std::size_t mappings = 0;
  for (std::uint64_t seed = 73000; seed < 73000 + testkit::cases(150); ++seed) {
    CAPTURE(seed);
    DeviceInstance i = testkit::random_device_instance(seed, {.macs = 24});
    const Goal goal = kScreenedGoals.at(seed % kScreenedGoals.size());
    if (seed % 2 == 0) i.device.phases = Phases::overlapped;
    if (seed % 3 == 0) i.device.static_power = Rational(1, 7);
    const slices::CostFloor floor(i.device.unit, slice_of(i.layer, i.layer.bounds), i.row_model);
    const device::TransferFloor transfers(i.device, i.layer, i.moves);
    const device::SplitSpace space(i.device, i.layer, i.moves);
    // Lower bounds of all mappings: a tenth of what each of these costs.
    GoalCosts whole;
    struct Mapped {
      Factors bounds;
      std::int64_t units = 1;
      GoalCosts costs;
    };
    std::vector<Mapped> all;
    space.for_each_slice([&](const Factors& bounds, std::int64_t units) {
      Question question;
      question.row_model = i.row_model;
      question.objective = Objective::parse(seed % 4 < 2 ? "latency" : "energy");
      const Solution s = solve(i.device.unit, slice_of(i.layer, bounds), question, {.threads = 1});
      if (!s.mapping) return true;
      for (const Split& split : space.splits(bounds)) {
        const SplitCost cost = split_cost(i.device, i.layer, i.moves, split, bounds);
        const Metrics& m = *s.metrics;
        all.push_back(
            {bounds, units, device_costs(i.device, cost, {m.latency, m.energy, m.activations()})});
        const GoalCosts& costs = all.back().costs;
        const auto lower = [](Rational& least, const Rational& value) {
          if (least.sign() == 0 || value < least) least = value;
        };
        lower(whole.latency, costs.latency);
        lower(whole.energy, costs.energy);
      }
      return true;
    });
    whole.latency /= 10;
    whole.energy /= 10;
    mappings += all.size();
    const device::SliceScreen::Setting setting{i.device,  i.layer,       i.moves,
                                               transfers, floor.scale(), whole};
    for (const Mapped& known : all) {
      const Rational value = i.objective.value(goal, known.costs);
      const device::SliceScreen screen(setting, i.objective, goal, value);
      for (const Mapped& other : all) {
        const mapper::Costs least = floor.scaled(other.bounds);
        const bool passes = screen.passes(other.bounds, other.units, least);
        if (!passes) ++refused;
        if (i.objective.value(goal, other.costs) > value) continue;
        CHECK(passes);
        CHECK(least.latency <= screen.most_latency());
      }
    }
  }
  CHECK(mappings > 0);
  CHECK(refused > 0);
}
