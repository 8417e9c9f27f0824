// Fronts of sums against all sums.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "answers/front_sum.hpp"
#include "answers/selection.hpp"
#include "support/cases.hpp"
#include "support/choices.hpp"

using namespace pimbb;

namespace {

using Costs = answers::Vector;

/// One to four parts of one to five points. Costs that are integers, fractions, or too large for
/// sums in 128 bits.
std::vector<answers::SumPart> random_parts(testkit::Choices& c, std::size_t axes) {
  const Rational unit = c.pick(4) == 0 ? Rational::parse("1e60/7") : Rational(1, 1 + c.pick(3));
  std::vector<answers::SumPart> parts(1 + c.pick(4));
  for (answers::SumPart& part : parts) {
    part.times = Rational(1 + c.pick(3), 1 + c.pick(2));
    part.points.resize(1 + c.pick(5));
    for (Costs& point : part.points) {
      for (std::size_t k = 0; k < axes; ++k) {
        point.push_back(unit * static_cast<std::int64_t>(c.pick(30)));
      }
    }
  }
  return parts;
}

Costs total(const std::vector<answers::SumPart>& parts, const std::vector<std::uint32_t>& chosen) {
  Costs costs(parts.front().points.front().size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t k = 0; k < costs.size(); ++k) {
      costs[k] += parts[p].times * parts[p].points[chosen[p]][k];
    }
  }
  return costs;
}

std::set<Costs> all_sums(const std::vector<answers::SumPart>& parts) {
  std::set<Costs> all;
  std::vector<std::uint32_t> at(parts.size(), 0);
  while (true) {
    all.insert(total(parts, at));
    std::size_t p = 0;
    while (p < parts.size() && ++at[p] == parts[p].points.size()) at[p++] = 0;
    if (p == parts.size()) return all;
  }
}

bool covers_sum(const std::vector<answers::FrontSum::Point>& points, const Costs& sum,
                const Rational& within) {
  return std::ranges::any_of(points, [&](const auto& point) {
    return answers::no_worse_within(point.costs, sum, within) ||
           answers::no_worse(point.costs, sum);
  });
}

}  // namespace

TEST_CASE("the front of sums is that of all sums") {
  for (std::uint64_t seed = 0; seed < testkit::cases(4000); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(seed);
    const auto parts = random_parts(c, 2 + c.pick(2));
    std::vector<Costs> expected;  // in lexicographic order nothing later dominates
    for (const Costs& sum : all_sums(parts)) {
      const auto covers = [&](const Costs& point) { return answers::no_worse(point, sum); };
      if (std::ranges::none_of(expected, covers)) expected.push_back(sum);
    }
    const answers::FrontSum front = answers::front_of_sums(parts, {});
    CHECK(front.within == 0);
    REQUIRE(front.points.size() == expected.size());
    for (std::size_t p = 0; p < expected.size(); ++p) {
      CHECK(front.points[p].costs == expected[p]);
      CHECK(total(parts, front.points[p].chosen) == expected[p]);
    }
  }
}

TEST_CASE("a thinned front covers all sums within what it says") {
  std::size_t thinner = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(4000); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(100'000 + seed);
    const auto parts = random_parts(c, 2 + c.pick(2));
    const Rational within(static_cast<std::int64_t>(c.pick(200)), 100);
    const answers::FrontSum front = answers::front_of_sums(parts, {.within = within});
    CHECK(front.within <= within);
    for (const Costs& sum : all_sums(parts)) CHECK(covers_sum(front.points, sum, front.within));
    thinner += front.within.sign() > 0 ? 1 : 0;
  }
  CHECK(thinner > testkit::cases(4000) / 10);
}

TEST_CASE("too many sums are thinned, and so are all once time is over") {
  std::vector<answers::SumPart> parts(3);
  for (std::int64_t p = 0; p < 3; ++p) {
    for (std::int64_t k = 0; k < 12; ++k) {
      parts[p].points.push_back({100 + k * (p == 0   ? 1
                                            : p == 1 ? 13
                                                     : 160),
                                 3000 - k * (p == 0   ? 1
                                             : p == 1 ? 13
                                                      : 160)});
    }
  }
  CHECK(answers::front_of_sums(parts, {}).points.size() > 1000);
  for (const answers::SumLimits& limits :
       {answers::SumLimits{.most = 100}, answers::SumLimits{.stop = [] { return true; }}}) {
    const answers::FrontSum front = answers::front_of_sums(parts, limits);
    CHECK(front.points.size() <= 100);
    CHECK(front.within > 0);
    for (const Costs& sum : all_sums(parts)) CHECK(covers_sum(front.points, sum, front.within));
  }
}

TEST_CASE("floors of sums are below all sums") {
  std::size_t coarse = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(1000); ++seed) {
    CAPTURE(seed);
    testkit::Choices c(200'000 + seed);
    const auto parts = random_parts(c, 2 + c.pick(2));
    const std::size_t most = 1 + c.pick(8);
    const std::vector<Costs> floor = answers::floor_of_sums(parts, most);
    CHECK(floor.size() <= most);
    for (const Costs& sum : all_sums(parts)) {
      CHECK(std::ranges::any_of(
          floor, [&](const Costs& corner) { return answers::no_worse(corner, sum); }));
    }
    coarse += answers::front_of_sums(parts, {}).points.size() > most ? 1 : 0;
  }
  CHECK((coarse > 0 || testkit::slow_build()));
}
