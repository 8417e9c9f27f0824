// The least choice against all choices of small random groups.
#include <doctest/doctest.h>

#include "search/least_choice.hpp"
#include "support/cases.hpp"
#include "support/choices.hpp"

using namespace pimbb;
using search::ChoiceGroup;
using search::CostList;

namespace {

std::vector<ChoiceGroup> random_groups(testkit::Choices& c, std::size_t goals) {
  std::vector<ChoiceGroup> groups(1 + c.pick(4));
  for (ChoiceGroup& group : groups) {
    const std::size_t options = 1 + c.pick(5);
    for (std::size_t k = 0; k < options; ++k) {
      search::ChoiceOption option{
          static_cast<std::int64_t>(c.pick(12)), static_cast<std::int64_t>(c.pick(6)), {}};
      for (std::size_t g = 0; g < goals; ++g) {
        option.cost.emplace_back(static_cast<std::int64_t>(c.pick(g == 0 ? 7 : 3)), 2);
      }
      group.push_back(std::move(option));
    }
  }
  return groups;
}

struct Exhausted {
  std::optional<CostList> cost;
  std::optional<Int128> room;
};

/// Every combination: the least cost within the room, and the least room.
Exhausted every_choice(const std::vector<ChoiceGroup>& groups, std::int64_t room) {
  Exhausted best;
  std::vector<std::size_t> at(groups.size());
  while (true) {
    Int128 size = 0;
    Int128 peak = 0;
    CostList cost(groups.front().front().cost.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const search::ChoiceOption& option = groups[g][at[g]];
      size += option.size;
      peak = std::max(peak, option.peak);
      for (std::size_t k = 0; k < cost.size(); ++k) cost[k] += option.cost[k];
    }
    if (!best.room || size + peak < *best.room) best.room = size + peak;
    if (size + peak <= room && (!best.cost || cost < *best.cost)) best.cost = cost;
    std::size_t g = 0;
    while (g < groups.size() && ++at[g] == groups[g].size()) at[g++] = 0;
    if (g == groups.size()) return best;
  }
}

Int128 room_of(const std::vector<search::ChoiceGroup>& groups,
               const std::vector<std::size_t>& options) {
  Int128 sizes = 0;
  Int128 peak = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    sizes += groups[g].at(options[g]).size;
    peak = std::max(peak, groups[g].at(options[g]).peak);
  }
  return sizes + peak;
}

}  // namespace

TEST_CASE("the least choice within a room is that of all choices") {
  std::size_t tight = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(2000); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(seed);
    const auto groups = random_groups(c, 1 + c.pick(3));
    const auto room = static_cast<std::int64_t>(c.pick(40));
    const Exhausted expected = every_choice(groups, room);
    const auto found = search::least_choice(groups, room);
    const auto free = search::least_choice(groups, std::nullopt);
    const auto smallest = search::smallest_choice(groups);
    REQUIRE(smallest.has_value() == expected.room.has_value());
    if (smallest) {
      CHECK((smallest->room == *expected.room));
      CHECK((room_of(groups, smallest->options) == smallest->room));
    }
    REQUIRE(found.has_value() == expected.cost.has_value());
    if (!found) continue;
    CHECK(found->cost == *expected.cost);
    CHECK(found->floor == found->cost);
    CHECK_FALSE(found->cost < free->cost);
    if (free->cost < found->cost) ++tight;
    Int128 size = 0;
    Int128 peak = 0;
    CostList cost(found->cost.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const search::ChoiceOption& option = groups[g].at(found->options[g]);
      size += option.size;
      peak = std::max(peak, option.peak);
      for (std::size_t k = 0; k < cost.size(); ++k) cost[k] += option.cost[k];
    }
    CHECK(cost == found->cost);
    CHECK((size + peak <= room));
  }
  CHECK((tight > 0 || testkit::slow_build()));
}

TEST_CASE("a stopped choice has a floor") {
  for (std::uint64_t seed = 0; seed < testkit::cases(200); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(seed);
    const auto groups = random_groups(c, 2);
    const auto room = static_cast<std::int64_t>(c.pick(40));
    const auto best = search::least_choice(groups, room);
    const auto stopped = search::least_choice(groups, room, [] { return true; });
    REQUIRE(best.has_value() == stopped.has_value());
    if (!best) continue;
    CHECK_FALSE(stopped->cost < best->cost);
    CHECK_FALSE(best->cost < stopped->floor);
  }
}

TEST_CASE("choices without options and without groups") {
  CHECK_FALSE(search::least_choice({{}}, 10).has_value());
  CHECK_FALSE(search::least_choice({{}}, std::nullopt).has_value());
  CHECK_FALSE(search::smallest_choice({{}}).has_value());
  CHECK(search::smallest_choice({})->options.empty());
  CHECK(search::least_choice({}, 10)->options.empty());
}
