// Least paths against all paths of small random sequences.
#include "search/least_paths.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/cases.hpp"
#include "support/choices.hpp"

using namespace pimbb;
using search::Path;
using search::PathOption;

namespace {

using Layers = std::vector<std::vector<PathOption>>;

Layers random_layers(testkit::Choices& c, std::size_t goals) {
  Layers layers(1 + c.pick(4));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::size_t options = c.pick(6);
    for (std::size_t k = 0; k <= options; ++k) {
      PathOption option;
      option.from = static_cast<std::int64_t>(c.pick(3));
      option.to = static_cast<std::int64_t>(c.pick(3));
      option.size = static_cast<std::int64_t>(c.pick(6));
      option.peak = static_cast<std::int64_t>(c.pick(4));
      for (std::size_t g = 0; g < goals; ++g) {
        option.cost.emplace_back(static_cast<std::int64_t>(c.pick(5)), 2);
      }
      layers[i].push_back(std::move(option));
    }
  }
  return layers;
}

Path sum_of(const Layers& layers, const std::vector<std::size_t>& options) {
  Path path{options, 0, 0, search::CostList(layers[0][0].cost.size())};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const PathOption& option = layers[i][options[i]];
    path.size += option.size;
    path.peak = std::max(path.peak, option.peak);
    for (std::size_t g = 0; g < path.cost.size(); ++g) path.cost[g] += option.cost[g];
  }
  return path;
}

bool connected(const Layers& layers, const std::vector<std::size_t>& options) {
  std::int64_t state = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i][options[i]].from != state) return false;
    state = layers[i][options[i]].to;
  }
  return state == 0;
}

std::vector<Path> every_path(const Layers& layers) {
  std::vector<Path> all;
  std::vector<std::size_t> at(layers.size());
  while (true) {
    if (connected(layers, at)) all.push_back(sum_of(layers, at));
    std::size_t i = 0;
    while (i < layers.size() && ++at[i] == layers[i].size()) at[i++] = 0;
    if (i == layers.size()) return all;
  }
}

bool beats(const Path& a, const Path& b, bool bounded) {
  return (!bounded || (a.size <= b.size && a.peak <= b.peak)) && a.cost <= b.cost;
}

}  // namespace

TEST_CASE("the paths that are kept are those that no other path beats") {
  for (std::uint64_t seed = 0; seed < testkit::cases(2000); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(seed);
    const Layers layers = random_layers(c, 1 + c.pick(2));
    const bool bounded = c.once_in(2);
    const search::LeastPaths found = search::least_paths(layers, bounded);
    const std::vector<Path> all = every_path(layers);
    CHECK(found.complete);
    if (!bounded) CHECK(found.paths.size() == (all.empty() ? 0 : 1));
    for (const Path& path : found.paths) {
      REQUIRE(connected(layers, path.options));
      const Path sum = sum_of(layers, path.options);
      CHECK(path.size == sum.size);
      CHECK(path.peak == sum.peak);
      CHECK(path.cost == sum.cost);
    }
    for (const Path& path : all) {
      CHECK(std::ranges::any_of(found.paths,
                                [&](const Path& kept) { return beats(kept, path, bounded); }));
    }
    for (const Path& a : found.paths) {
      CHECK(std::ranges::count_if(found.paths,
                                  [&](const Path& b) { return beats(b, a, bounded); }) == 1);
    }
  }
}

TEST_CASE("paths: a search that is stopped keeps some of them, and says so") {
  std::vector<PathOption> many;
  for (std::int64_t k = 0; k < 40; ++k) many.push_back({0, 0, k, 0, {Rational(40 - k)}});
  const Layers layers(6, many);
  const search::LeastPaths cut = search::least_paths(layers, true, [] { return true; });
  CHECK(!cut.complete);
  REQUIRE(!cut.paths.empty());
  for (const Path& path : cut.paths) CHECK(path.cost == sum_of(layers, path.options).cost);
}
