// Least sums of tables, against all assignments one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "search/least_sum.hpp"
#include "support/cases.hpp"

using pimbb::Int128;
using pimbb::Rational;
using pimbb::search::TableView;
using pimbb::search::Value;
namespace search = pimbb::search;

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

struct Table {
  std::vector<std::size_t> variables;
  std::vector<Value> values;  // row-major
};

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

/// Tables of the same numbers in another form.
template <class Number, class Form>
std::vector<std::size_t> least_choice(const SumProblem& p, const Number& zero, const Form& form) {
  std::vector<std::vector<Number>> numbers;
  for (const Table& table : p.tables) {
    std::vector<Number>& row = numbers.emplace_back();
    for (const Value& value : table.values) row.push_back(form(value));
  }
  std::vector<TableView<Number>> views;
  for (std::size_t t = 0; t < numbers.size(); ++t) {
    TableView<Number>& view = views.emplace_back();
    view.variables = p.tables[t].variables;
    view.first = numbers[t].data();
    view.steps.assign(view.variables.size(), 1);
    if (view.steps.size() == 2) view.steps[0] = p.domains[view.variables[1]];
  }
  return pimbb::search::least_sum<Number>(p.domains, views, zero);
}

std::optional<search::Packing> packing_of(const SumProblem& p) {
  search::Packing packing(p.zero.goals().size(), p.tables.size() + 1);
  for (const Table& table : p.tables) {
    for (const Value& value : table.values) {
      if (!packing.admit(value)) return std::nullopt;
    }
  }
  return packing;
}

}  // namespace

TEST_CASE("the least sum is that of all assignments, in values and in their integers") {
  Random random(7);
  int infinite = 0;
  int finite = 0;
  int packed = 0;
  for (const NumberKind kind : {NumberKind::small, NumberKind::fractions, NumberKind::large}) {
    for (const std::size_t goals : {1, 2, 3}) {
      for (std::size_t k = 0; k < testkit::cases(100); ++k) {
        const SumProblem p = problem(random, kind, goals);
        const Value least = exhausted(p);
        ++(least.infinite() ? infinite : finite);
        const auto choice = least_choice(p, p.zero, [](const Value& v) { return v; });
        REQUIRE(choice.size() == p.domains.size());
        REQUIRE(sum(p, choice) == least);
        const std::optional<search::Packing> packing = packing_of(p);
        if (!packing) continue;
        ++packed;
        const auto same = least_choice(p, Int128{0}, [&](const Value& v) {
          const std::optional<Int128> number = packing->integer(v);
          REQUIRE(number);
          return *number;
        });
        if (!least.infinite()) REQUIRE(same == choice);
        REQUIRE(sum(p, same) == least);
      }
    }
  }
  CHECK(infinite > 0);
  CHECK(finite > 0);
  CHECK(packed > finite / 2);
  CHECK(packed < finite + infinite);
}

TEST_CASE("variables without tables take their first value") {
  const std::vector<Int128> numbers{3, 2, 2};
  const TableView<Int128> view{{1}, numbers.data(), {1}};
  const std::vector<std::size_t> expected{0, 1, 0};
  CHECK(pimbb::search::least_sum<Int128>({2, 3, 4}, {view}, 0) == expected);
}
