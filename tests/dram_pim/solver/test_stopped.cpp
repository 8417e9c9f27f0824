// Requests to stop in the middle: every part of a solve asks its guard again and again while it
// works, stops where it is told to, and what was begun can be taken up again. How long a part works
// between two questions is measured by bench/limits.py.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/fill_screen.hpp"
#include "dram_pim/solver/choice_floors.hpp"
#include "dram_pim/storage/storage_tree.hpp"
#include "lp/simplex.hpp"
#include "nest/covers.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::SolveOptions;

namespace {

/// Its second buffer is large enough for tiles that the first one cannot hold.
Architecture free_levels() {
  Architecture a = testkit::free_bypass_pim();
  a.levels[2].capacity = 512;
  return a;
}

/// Stops when it is asked for the n-th time.
run::Guard stopping(std::atomic<std::int64_t>& asked, std::int64_t n) {
  return {[&asked, n] { return ++asked >= n; }};
}

constexpr std::int64_t kNever = std::int64_t{1} << 60;

struct Part {
  std::string name;
  std::function<void(const run::Guard&)> work;
};

}  // namespace

TEST_CASE("every part of a solve asks, and stops when it is told to") {
  const Architecture a = free_levels();
  const Workload layer = testkit::resnet18_layer(1);
  const mapper::Instance i(a, layer, RowModel::hybrid);
  std::vector<TensorFlags> stores;
  for (std::size_t m = 0; m < a.levels.size(); ++m) stores.push_back(a.storable(m));
  const mapper::Storage storage(a, layer, i.scale, stores);
  const mapper::LevelTiles levels(a, i.lattice, i.vectors, storage, true);
  const Objective objective = Objective::parse("edp");
  const mapper::Target target(i.scale, objective, Goal::edp);
  mapper::StorageBounds bounds{mapper::FillPoints(i), {}};
  mapper::PartialStorage open;
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    open.emplace_back();
    open.back().fill(m < a.row_buffer() ? mapper::Stored::open : mapper::Stored::yes);
  }
  bounds.points.prepare(open);
  bounds.points.prepare_points(open);
  const std::vector<Part> parts{
      {"lattice", [&](auto& guard) { mapper::row_buffer_lattice(a, layer, guard); }},
      {"spatial vectors", [&](auto& guard) { mapper::SpatialVectors(a, i.lattice, guard); }},
      {"covers", [&](auto& guard) { nest::Covers(i.lattice, guard); }},
      {"fill screen",
       [&](auto& guard) {
         const auto hopeless = [](const mapper::Costs& least) { return least.latency > 1; };
         (void)mapper::fills_are_hopeful(a, layer, storage, {}, hopeless, guard);
       }},
      {"row table",
       [&](auto& guard) { mapper::RowTable(a, layer, i.lattice, i.model, {}, guard); }},
      {"arrivals", [&](auto& guard) { mapper::arrivals(i, i.rows, guard); }},
      {"level tiles",
       [&](auto& guard) { mapper::LevelTiles(a, i.lattice, i.vectors, storage, true, {}, guard); }},
      {"cost-to-go",
       [&](auto& guard) {
         mapper::CostToGo(i.lattice, storage, levels, {mapper::kInfinity}, {}, guard);
       }},
      {"fill points", [&](auto& guard) { mapper::FillPoints(i, guard); }},
      {"relaxation",
       [&](auto& guard) {
         (void)mapper::Relaxation(i, bounds.points, open, guard).least_latency();
       }},
      {"storage tree",
       [&](auto& guard) { (void)mapper::StorageTree(i, &bounds, target, guard).next(nullptr); }},
  };
  for (const Part& part : parts) {
    CAPTURE(part.name);
    std::atomic<std::int64_t> asked = 0;
    part.work(stopping(asked, kNever));
    const std::int64_t in_all = asked;
    CHECK(in_all >= 2);
    for (const std::int64_t n : {std::int64_t{1}, in_all / 2}) {
      asked = 0;
      CHECK_THROWS_AS(part.work(stopping(asked, n)), run::Stopped);
    }
  }
}

TEST_CASE("a search that was stopped looks for a last mapping, unless nobody wants it") {
  const Architecture a = free_levels();
  const Workload layer = testkit::resnet18_layer(1);
  std::stop_source stop;
  stop.request_stop();
  RunLimits limits;
  limits.threads = 1;
  limits.stop = stop.get_token();
  const Solution wanted = mapper::solve_beyond(a, layer, {}, limits, {});
  CHECK(wanted.status == Status::feasible);
  const Solution unwanted =
      mapper::solve_beyond(a, layer, {}, limits, {}, nullptr, stop.get_token());
  CHECK(unwanted.status == Status::unknown);
  CHECK(!unwanted.mapping);
}

TEST_CASE("a tree of storage choices that was stopped goes on where it was") {
  const Architecture a = free_levels();
  const Workload layer = testkit::resnet18_layer(1);
  const mapper::Instance i(a, layer, RowModel::hybrid);
  const Objective objective = Objective::parse("energy");
  const mapper::Target target(i.scale, objective, Goal::energy);
  const auto choices = [&](std::int64_t between_stops) {
    std::atomic<std::int64_t> asked = 0;
    bool stops = between_stops > 0;
    mapper::StorageBounds bounds{mapper::FillPoints(i), {}};
    mapper::StorageTree tree(i, &bounds, target,
                             {[&] { return stops && ++asked % between_stops == 0; }});
    std::vector<std::pair<std::vector<TensorFlags>, Wide>> found;
    int stopped = 0;
    while (found.size() < 20) {
      stops = between_stops > 0 && stopped < 40;
      const Wide before = tree.open_bound();
      try {
        const auto next = tree.next(nullptr);
        if (!next) break;
        found.emplace_back(next->stores, next->bound);
      } catch (const run::Stopped&) {
        ++stopped;
        CHECK(!(tree.open_bound() < before));
      }
    }
    CHECK((stopped > 0) == (between_stops > 0));
    return found;
  };
  const auto undisturbed = choices(0);
  REQUIRE(undisturbed.size() == 20);
  CHECK((choices(3) == undisturbed));
  CHECK((choices(50) == undisturbed));
}

TEST_CASE("the simplex asks in every iteration") {
  lp::LinearProgram program;
  const auto x = program.add_column(Rational(1), {Rational(0), {}});
  const auto row = program.add_row({Rational(3), {}});
  program.add_entry(row, x, Rational(2));
  lp::Simplex simplex(std::move(program));
  lp::SimplexLimits limits;
  limits.stopped = [] { return true; };
  CHECK(simplex.solve(limits) == lp::SimplexStatus::limit);
  CHECK(simplex.solve() == lp::SimplexStatus::optimal);
}

TEST_CASE("a proof ends when it is told to") {
  testkit::Instance i{testkit::simple_pim(), testkit::resnet18_layer(1),
                      Objective::parse("latency"), RowModel::hybrid};
  SolveOptions options = testkit::options_for(i);
  const Solution solution = solve(i.architecture, i.workload, options);
  REQUIRE(solution.status == Status::optimal);
  RunLimits no_time = options;
  no_time.time_limit = 0;
  RunLimits stopped = options;
  std::stop_source source;
  source.request_stop();
  stopped.stop = source.get_token();
  RunLimits no_memory = options;
  no_memory.memory_limit = 1000;
  for (const RunLimits& limits : {no_time, stopped, no_memory}) {
    CHECK_THROWS_AS(prove(i.architecture, i.workload, options, limits, solution), LimitError);
  }
}
