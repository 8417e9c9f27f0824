// The first decision of a search: its bounds, its children, and the dive below it.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dram_pim/mapper/closed_rows.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "support/full_size.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::MappingProblem;
using mapper::RootBounds;

namespace {

/// The search of a layer's latency with all tensors stored, closed row formulas.
struct RootSearch {
  Architecture architecture;
  Workload workload;
  mapper::Instance instance;
  mapper::Storage storage;
  mapper::LevelTiles levels;
  mapper::ClosedPricing pricing;
  std::unique_ptr<mapper::ChainRows> rows;
  mapper::CostToGo cost_to_go;
  mapper::Target target;
  MappingProblem problem;

  RootSearch(const Factors& bounds, const Rules& rules)
      : architecture(any_row_buffer()),
        workload(layer(bounds)),
        instance(architecture, workload, RowModel::analytic),
        storage(architecture, workload, instance.scale,
                mapper::storage_choices(architecture).front()),
        levels(architecture, instance.lattice, instance.vectors, storage, true),
        pricing(instance),
        rows(pricing.under(storage)),
        cost_to_go(instance.lattice, storage, levels, {mapper::kInfinity}),
        target(instance.scale, Objective{}, Goal::latency),
        problem(instance, storage, levels, *rows, cost_to_go, target, {rules, {}}) {}

 private:
  static Architecture any_row_buffer() {
    Architecture a = texts::small_architecture();
    a.levels[a.row_buffer()].capacity.reset();
    return a;
  }
  static Workload layer(const Factors& bounds) {
    Workload w;
    w.bounds = bounds;
    return w;
  }
};

/// Whether each part ends where the next one begins, has the arrivals that all of them have there
/// when sorted, and, unless it is the first, begins with its least.
void check_parts(RootBounds root) {
  auto sorted = root.arrivals;
  std::ranges::sort(sorted);
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < sorted.size(); begin = end) {
    end = root.end_of_part(begin);
    REQUIRE(end > begin);
    CHECK(end - begin <= RootBounds::kAtATime);
    std::vector<RootBounds::Hopeful> part = root.part(begin, [] {});
    CHECK((begin == 0 || root.arrivals[begin] == sorted[begin]));
    CHECK((end == sorted.size() || root.arrivals[end] == sorted[end]));
    CHECK(std::ranges::is_sorted(part, {}, &RootBounds::Hopeful::second));
    std::ranges::sort(part);
    CHECK(std::ranges::equal(part, std::span(sorted).subspan(begin, end - begin)));
  }
  CHECK(end == sorted.size());
}

}  // namespace

TEST_CASE("few children of the root are taken at once, in the order of the list") {
  const RootSearch search({3, 1, 4, 1, 6, 8, 1, 1}, {});
  const RootBounds& root = search.problem.root_bounds();
  REQUIRE(root.arrivals.size() == search.instance.arrivals.size());
  REQUIRE(root.arrivals.size() <= RootBounds::kAtFirst);
  CHECK_FALSE(std::ranges::is_sorted(root.arrivals));
  MappingProblem::Found found;
  CHECK(search.problem.expand(search.problem.root(), nullptr, found));
  REQUIRE(found.children.size() == root.arrivals.size());
  CHECK(std::ranges::is_sorted(found.children, {}, &mapper::MappingNode::arrival));
}

TEST_CASE("many children of the root are taken in parts, those of least bound first") {
  const RootSearch search({1, 1, 12, 6, 360, 360, 1, 1}, {});
  const RootBounds& root = search.problem.root_bounds();
  const std::size_t all = search.instance.arrivals.size();
  REQUIRE(all > RootBounds::kAtATime);
  REQUIRE(root.arrivals.size() == all);
  check_parts(root);
  CHECK(root.bound == std::ranges::min(root.arrivals).first);

  std::size_t seen = 0;
  std::size_t parts = 0;
  Wide most{};
  std::optional<mapper::MappingNode> next = search.problem.root();
  while (next) {
    MappingProblem::Found found;
    CHECK(search.problem.expand(*next, nullptr, found));
    const std::size_t begin = next->arrival;
    const std::size_t end = root.end_of_part(begin);
    REQUIRE(found.children.size() == end - begin + (end < all ? 1 : 0));
    next.reset();
    if (end < all) {
      next = std::move(found.children[1]);  // the root once more
      CHECK(next->kind == mapper::MappingNode::Kind::root);
      CHECK(next->bound() == root.arrivals[end].first);
      found.children.erase(found.children.begin() + 1);
    }
    for (const mapper::MappingNode& child : found.children) CHECK(child.bound() >= most);
    most = std::ranges::max_element(found.children, {}, &mapper::MappingNode::bound)->bound();
    seen += found.children.size();
    ++parts;
  }
  CHECK(seen == all);
  CHECK(parts >= 5);
}

TEST_CASE("a dive returns only what is below the cutoff") {
  for (const bool prunes : {true, false}) {
    Rules rules;
    rules.set(Rule::lattice, prunes);
    const RootSearch search({3, 1, 4, 1, 6, 8, 1, 1}, rules);
    const auto found = search.problem.descend(nullptr);
    REQUIRE(found);
    const Wide above = found->first + Wide::from(1);
    const auto again = search.problem.descend(&above);
    REQUIRE(again);
    CHECK(again->first == found->first);
    CHECK_FALSE(search.problem.descend(&found->first));
  }
}

TEST_CASE("what no completion attains is infinite, in tables of 64 bits as well") {
  const RootSearch search({3, 1, 4, 1, 6, 8, 1, 1}, {});
  const mapper::CostToGo tight(search.instance.lattice, search.storage, search.levels,
                               {1, mapper::kInfinity});
  REQUIRE(tight.is_narrow());
  const auto whole = static_cast<mapper::TileIndex>(search.instance.lattice.size() - 1);
  const auto entry = tight.below_row_buffer(whole);
  CHECK((entry.energies()[0] == mapper::kInfinity));  // not within a unit of time
  CHECK((entry.least_energy() < mapper::kInfinity));
}

// Against the scan of the whole menu for every tile.
TEST_CASE("options of many tiles are those that each tile has by itself") {
  Architecture a = testkit::simple_pim();
  for (std::size_t m = 1; m < a.levels.size(); ++m) a.levels[m].capacity.reset();
  Workload w;
  w.bounds = {1, 1, 12, 12, 60, 120, 4, 1};
  const mapper::Instance instance(a, w, RowModel::analytic);
  REQUIRE(instance.lattice.size() >= mapper::LevelTiles::kManyTiles);
  const mapper::DataflowRule any_dataflow;
  const mapper::ConstraintRule unconstrained;
  for (const bool outputs_only : {false, true}) {
    std::vector<TensorFlags> stores = mapper::storage_choices(a).front();
    if (outputs_only) stores[0] = {false, false, true};
    const mapper::Storage storage(a, w, instance.scale, stores);
    const mapper::LevelTiles levels(a, instance.lattice, instance.vectors, storage, true);
    const mapper::SpatialMenu menu(instance.lattice, instance.vectors, storage, any_dataflow,
                                   unconstrained, {});
    bool same = true;
    std::size_t without = 0;
    for (mapper::TileIndex c = 0; c < instance.lattice.size(); ++c) {
      const auto alone = menu.options(instance.lattice[c], true, run::kUnguarded);
      same = same && levels.has(0, c) == !alone.empty();
      if (alone.empty()) ++without;
      if (alone.empty() || !levels.has(0, c)) continue;
      const auto together = levels.options(levels.slot[0][c]);
      same = same && std::ranges::equal(together, alone, [&](const auto& option, std::uint32_t k) {
               return option.array == menu[k].array && option.internal == menu[k].internal &&
                      option.splits == menu[k].splits;
             });
    }
    CHECK(same);
    CHECK(without > 0);
    CHECK(without < instance.lattice.size());
  }
}
