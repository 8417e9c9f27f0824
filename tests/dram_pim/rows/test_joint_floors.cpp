// Bounds on the row activations of all tensors together: the seams of boxes on a line against walks
// of nests, and the bounds of arrivals against the counts of random mappings.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "dram_pim/trace/joint_floors.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/choices.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

std::int64_t number(Choices& choices, std::int64_t least, std::int64_t most) {
  return least +
         static_cast<std::int64_t>(choices.pick(static_cast<std::size_t>(most - least + 1)));
}

rows::SeamLine random_line(Choices& choices) {
  rows::SeamLine line{number(choices, 1, 24), number(choices, 0, 40), {}};
  for (const Dim j : {Dim::S, Dim::Q, Dim::C}) {
    line.axes.push_back({j, divisors_of(number(choices, 1, 12)), number(choices, 0, 9)});
  }
  return line;
}

struct PrimeLoop {
  std::size_t axis;  // past the last one: acts on nothing
  std::int64_t trips;
};

/// Positions of the innermost elements, in the order in which the loops (innermost first) visit
/// them.
std::vector<std::int64_t> walk(const rows::SeamLine& line, const std::vector<PrimeLoop>& loops) {
  std::vector<std::int64_t> positions{line.first};
  std::vector<std::int64_t> done(line.axes.size(), 1);
  for (const PrimeLoop& loop : loops) {
    const bool acts = loop.axis < line.axes.size();
    const std::int64_t advance = acts ? line.axes[loop.axis].step * done[loop.axis] : 0;
    if (acts) done[loop.axis] *= loop.trips;
    const std::size_t inside = positions.size();
    for (std::int64_t i = 1; i < loop.trips; ++i) {
      for (std::size_t k = 0; k < inside; ++k) positions.push_back(positions[k] + i * advance);
    }
  }
  return positions;
}

std::int64_t row_changes(const std::vector<std::int64_t>& positions, std::int64_t row) {
  std::int64_t changes = 0;
  for (std::size_t k = 1; k < positions.size(); ++k) {
    changes += positions[k - 1] / row == positions[k] / row ? 0 : 1;
  }
  return changes;
}

/// The same as a sum over the loops, each a step between boxes.
std::int64_t sum_of_steps(const rows::SeamLine& line, const std::vector<PrimeLoop>& loops) {
  const rows::LineSeams seams(line);
  rows::LineSeams::Places at{};
  std::vector<std::int64_t> done(line.axes.size(), 1);
  std::int64_t idle = 1;  // trips of the loops further out that act on nothing
  for (const PrimeLoop& loop : loops) idle *= loop.axis < line.axes.size() ? 1 : loop.trips;
  std::int64_t sum = 0;
  for (const PrimeLoop& loop : loops) {
    const std::size_t box = seams.box(at);
    if (loop.axis == line.axes.size()) {
      sum += (idle - idle / loop.trips) * seams.crosses(box);
      idle /= loop.trips;
      continue;
    }
    const rows::SeamLine::Axis& axis = line.axes[loop.axis];
    const std::size_t k = index(axis.dim);
    done[loop.axis] *= loop.trips;
    at[k] = static_cast<std::uint16_t>(std::ranges::find(axis.sizes, done[loop.axis]) -
                                       axis.sizes.begin());
    sum += idle * (seams.full(box, k) - seams.full(seams.box(at), k));
  }
  return sum;
}

std::vector<PrimeLoop> random_nest(const rows::SeamLine& line, Choices& choices) {
  std::vector<PrimeLoop> loops;
  for (std::size_t a = 0; a < line.axes.size(); ++a) {
    for (const std::int64_t p : prime_factors_of(line.axes[a].sizes.back())) {
      loops.push_back({a, p});
    }
  }
  for (std::size_t n = choices.pick(3); n > 0; --n) {
    loops.push_back({line.axes.size(), number(choices, 2, 3)});
  }
  choices.shuffle(loops);
  return loops;
}

/// The arrival with which a mapping begins.
std::optional<std::size_t> arrival_of(const mapper::Instance& instance, const Mapping& m) {
  const Factors tile = m.tile(instance.architecture.row_buffer());
  const std::vector<Loop>& loops = m.levels.back().loops;
  for (std::size_t i = 0; i < instance.arrivals.size(); ++i) {
    const mapper::Step step = instance.arrivals[i].step;
    if (instance.lattice[step.to.tile].c != tile) continue;
    if (loops.empty() || irrelevant_tensor(loops.back().dim) == step.loops) return i;
  }
  return std::nullopt;
}

struct Seen {
  std::size_t mappings = 0;
  std::size_t attained = 0;
  std::size_t better = 0;  // than the sum of what each tensor opens at least
};

/// The bound of the arrival of a feasible mapping does not exceed its count.
void check_mapping(const mapper::Instance& instance, const Mapping& m, Seen& seen) {
  const mapper::Storage storage(instance.architecture, instance.workload, instance.scale,
                                testkit::stores_of(m));
  const mapper::LevelTiles levels(instance.architecture, instance.lattice, instance.vectors,
                                  storage, false);
  const auto arrival = arrival_of(instance, m);
  REQUIRE(arrival);
  const auto seams = std::make_shared<mapper::JointSeams>(instance, run::kUnguarded);
  mapper::JointFloors floors(instance, storage, levels, seams, run::kUnguarded);
  floors.prepare({*arrival}, run::kUnguarded);
  const Int128 count = instance.scale.scaled_activations(
      evaluate(instance.architecture, instance.workload, m, RowModel::trace).activations());
  const Int128 bound = floors.least(*arrival);
  CHECK((bound <= count));
  ++seen.mappings;
  seen.attained += bound == count ? 1 : 0;
  seen.better += bound > instance.arrivals[*arrival].least.activations ? 1 : 0;
}

}  // namespace

TEST_CASE("seams of boxes add up to the row changes of a nest, in every order of its loops") {
  const std::uint64_t first = testkit::first_seed(9'700'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(1000); ++seed) {
    CAPTURE(seed);
    Choices choices(seed);
    const rows::SeamLine line = random_line(choices);
    const std::vector<PrimeLoop> loops = random_nest(line, choices);
    CHECK(sum_of_steps(line, loops) == row_changes(walk(line, loops), line.row));
  }
}

TEST_CASE("a bound of all tensors together exceeds no mapping's count, and some attain it") {
  Seen seen;
  testkit::by_seed(
      9'800'000, testkit::cases(400), {.macs = 64, .largest_factor = 4}, [&](Instance i) {
        Choices choices(static_cast<std::uint64_t>(i.workload.bounds[0]) +
                        i.architecture.levels.size());
        if (choices.once_in(3)) i.architecture.input_order = InputOrder::free;
        if (!mapper::obstacle(i.architecture, i.workload, Method::exact).empty()) return;
        const mapper::Instance instance(i.architecture, i.workload, RowModel::trace);
        for (int k = 0; k < 20; ++k) {
          const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 2);
          if (oracle::broken_rule(i.architecture, i.workload, m).empty()) {
            check_mapping(instance, m, seen);
          }
        }
      });
  CAPTURE(seen.mappings);
  CHECK((seen.attained > 0 || testkit::slow_build()));
  CHECK((seen.better > 0 || testkit::slow_build()));
}

TEST_CASE("the activations of a 3 x 3 layer are proven at the root" *
          doctest::skip(testkit::slow_build())) {
  const Workload layer = testkit::resnet18_layers()[7];  // conv4_x
  Question question;
  question.objective = Objective::parse("activations");
  question.row_model = RowModel::trace;
  RunLimits limits;
  limits.node_limit = 100;
  CHECK(solve(read_architecture("simple_pim"), layer, question, limits).status == Status::optimal);
}

TEST_CASE("the optima of a large layer are the same without bounds of all tensors together" *
          doctest::skip(testkit::slow_build())) {
  const Workload layer = testkit::resnet18_layers()[5];  // conv4_1
  for (const char* objective : {"activations", "activations,energy"}) {
    CAPTURE(objective);
    Question question;
    question.objective = Objective::parse(objective);
    question.row_model = RowModel::trace;
    const Architecture upmem = read_architecture("upmem");
    const Solution with = solve(upmem, layer, question, {});
    question.rules.set(Rule::joint, false);
    const Solution without = solve(upmem, layer, question, {});
    REQUIRE(with.status == Status::optimal);
    CHECK(with.goals.at(0).value == without.goals.at(0).value);
    CHECK(with.nodes != without.nodes);
  }
}
