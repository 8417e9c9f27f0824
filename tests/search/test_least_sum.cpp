// Least sums of tables, against all assignments one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "search/least_sum.hpp"
#include "support/cases.hpp"

using pimbb::Rational;
using pimbb::search::LeastSum;
using pimbb::search::Table;
using pimbb::search::Value;

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// Sizes of numbers: small integers with many ties; fractions; more bits than a machine word has.
enum class NumberKind { small, fractions, large };

Rational number(Random& random, NumberKind kind) {
  const auto digit = [&](std::size_t end) { return static_cast<std::int64_t>(below(random, end)); };
  if (kind == NumberKind::small) return digit(4);
  if (kind == NumberKind::fractions) return Rational(digit(1000), digit(12) + 1);
  return Rational::parse("1e30") * digit(3) + digit(3);
}

struct SumProblem {
  std::vector<std::size_t> domains;
  std::vector<Table> tables;
  Value zero;
};

SumProblem problem(Random& random, NumberKind kind, std::size_t goals) {
  SumProblem p{{}, {}, Value(std::vector<Rational>(goals))};
  for (std::size_t v = 0; v < 5; ++v) p.domains.push_back(1 + below(random, 3));
  const std::size_t count = below(random, 8);
  for (std::size_t t = 0; t < count; ++t) {
    Table table;
    const std::size_t first = below(random, p.domains.size());
    const std::size_t second = below(random, p.domains.size());
    const std::size_t arity = below(random, 6);  // mostly two
    if (arity > 0) table.variables.push_back(first);
    if (arity > 1 && second != first) table.variables.push_back(second);
    std::size_t size = 1;
    for (const std::size_t v : table.variables) size *= p.domains[v];
    for (std::size_t k = 0; k < size; ++k) {
      std::vector<Rational> list;
      for (std::size_t g = 0; g < goals; ++g) list.push_back(number(random, kind));
      table.values.push_back(below(random, 6) == 0 ? Value() : Value(std::move(list)));
    }
    p.tables.push_back(std::move(table));
  }
  return p;
}

Value sum(const SumProblem& p, const std::vector<std::size_t>& choice) {
  Value value = p.zero;
  for (const Table& table : p.tables) {
    std::size_t place = 0;
    for (const std::size_t v : table.variables) place = place * p.domains[v] + choice[v];
    value += table.values[place];
  }
  return value;
}

Value exhausted(const SumProblem& p) {
  Value least;
  std::vector<std::size_t> choice(p.domains.size(), 0);
  while (true) {
    least = std::min(least, sum(p, choice));
    std::size_t v = 0;
    while (v < choice.size() && ++choice[v] == p.domains[v]) choice[v++] = 0;
    if (v == choice.size()) return least;
  }
}

}  // namespace

TEST_CASE("the least sum is that of all assignments") {
  Random random(7);
  int infinite = 0;
  int finite = 0;
  for (const NumberKind kind : {NumberKind::small, NumberKind::fractions, NumberKind::large}) {
    for (const std::size_t goals : {1, 2, 3}) {
      for (std::size_t k = 0; k < testkit::cases(100); ++k) {
        const SumProblem p = problem(random, kind, goals);
        const LeastSum least = least_sum(p.domains, p.tables, p.zero);
        REQUIRE(least.value == exhausted(p));
        ++(least.value.infinite() ? infinite : finite);
        if (least.value.infinite()) continue;
        REQUIRE(least.choice.size() == p.domains.size());
        REQUIRE(sum(p, least.choice) == least.value);
      }
    }
  }
  CHECK(infinite > 0);
  CHECK(finite > 0);
}

TEST_CASE("negative numbers, and more than 63 bits in common units") {
  const Value zero(std::vector<Rational>{0, 0});
  const auto value = [](const Rational& first, const Rational& second) {
    return Value(std::vector<Rational>{first, second});
  };
  const std::vector<Table> negative{{{0}, {value(1, -100), value(0, 0), value(0, -7)}}};
  CHECK(least_sum({3}, negative, zero).choice == std::vector<std::size_t>{2});
  const std::vector<Table> all_negative{{{0}, {value(-1, -100), value(-2, -1)}}};
  CHECK(least_sum({2}, all_negative, zero).choice == std::vector<std::size_t>{1});
  const std::int64_t much = std::int64_t{1} << 62;
  const std::vector<Table> large{{{0}, {value(Rational(1, 3), 0), value(1, 0)}},
                                 {{0}, {value(much, 2), value(much - 1, 1)}}};
  const LeastSum least = least_sum({2}, large, zero);
  CHECK(least.choice == std::vector<std::size_t>{1});
  CHECK(least.value == value(much, 1));
}

TEST_CASE("goals do not run into each other") {
  // The second goals add up to more than one unit of the first.
  const Value zero(std::vector<Rational>{0, 0});
  const auto value = [](int first, std::int64_t second) {
    return Value(std::vector<Rational>{first, second});
  };
  const std::int64_t much = std::int64_t{1} << 60;
  const std::vector<Table> tables{{{0}, {value(1, 0), value(0, much)}},
                                  {{0}, {value(0, 0), value(0, much)}}};
  const LeastSum least = least_sum({2}, tables, zero);
  CHECK(least.choice == std::vector<std::size_t>{1});
  CHECK(least.value == Value(std::vector<Rational>{0, Rational(much) * 2}));
}
