// Least sums of tables, against all assignments one by one.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "search/least_sum.hpp"
#include "support/cases.hpp"

using pimbb::Int128;
using pimbb::Rational;
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

template <class Number>
using Sum = search::LeastSum<Number>;

/// The same numbers in another form.
template <class Number, class Form>
Sum<Number> least_sum(const SumProblem& p, const Form& form) {
  std::vector<typename Sum<Number>::Table> tables;
  for (const Table& table : p.tables) {
    auto& same = tables.emplace_back();
    same.variables = table.variables;
    for (const Value& value : table.values) same.numbers.push_back(form(value));
  }
  return {p.domains, std::move(tables), form(p.zero), form(Value())};
}

Value as_it_is(const Value& value) { return value; }

/// Room for these values and for larger ones.
std::optional<search::Packing> packing_of(const SumProblem& p) {
  search::Packing packing(p.zero.goals().size(), 16 * (p.tables.size() + 1));
  for (const Table& table : p.tables) {
    for (const Value& value : table.values) {
      if (!packing.admit(value)) return std::nullopt;
    }
  }
  return packing;
}

/// A value that is not below it.
Value raised(Random& random, const Value& value, NumberKind kind) {
  if (value.infinite() || below(random, 6) == 0) return {};
  std::vector<Rational> goals = value.goals();
  goals[below(random, goals.size())] += number(random, kind);
  return Value(std::move(goals));
}

/// The last value of a variable, like a given one.
void split(SumProblem& p, std::size_t variable, std::size_t value) {
  const std::vector<std::size_t> before = p.domains;
  ++p.domains[variable];
  for (Table& table : p.tables) {
    std::vector<Value> values;
    std::size_t size = 1;
    for (const std::size_t v : table.variables) size *= p.domains[v];
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t rest = k;
      std::size_t place = 0;
      std::size_t step = 1;
      for (std::size_t a = table.variables.size(); a-- > 0;) {
        const std::size_t v = table.variables[a];
        std::size_t own = rest % p.domains[v];
        rest /= p.domains[v];
        if (v == variable && own == before[v]) own = value;
        place += own * step;
        step *= before[v];
      }
      values.push_back(table.values[place]);
    }
    table.values = std::move(values);
  }
}

/// The place of a table where all variables have these values.
std::size_t offset_of(const SumProblem& p, const Table& table,
                      const std::vector<std::size_t>& choice) {
  std::size_t offset = 0;
  for (const std::size_t v : table.variables) offset = offset * p.domains[v] + choice[v];
  return offset;
}

void raise_one(Random& random, SumProblem& p, Sum<Value>& least, NumberKind kind) {
  if (p.tables.empty()) return;
  const std::size_t t = below(random, p.tables.size());
  Table& table = p.tables[t];
  std::vector<std::size_t> choice;
  for (const std::size_t domain : p.domains) choice.push_back(below(random, domain));
  Value& value = table.values[offset_of(p, table, choice)];
  value = raised(random, value, kind);
  std::vector<std::size_t> place;
  for (const std::size_t v : table.variables) place.push_back(choice[v]);
  least.raise(t, place, value);
}

void split_one(Random& random, SumProblem& p, Sum<Value>& least) {
  const std::size_t v = below(random, p.domains.size());
  const std::size_t value = below(random, p.domains[v]);
  split(p, v, value);
  least.split(v, value);
}

/// The least sum and its choice are those of the tables as they are now.
void check_as_anew(const SumProblem& p, Sum<Value>& least) {
  const auto choice = least.choice();
  const auto anew = least_sum<Value>(p, as_it_is).choice();
  const Value value = sum(p, anew);
  REQUIRE(sum(p, choice) == value);
  REQUIRE((value.infinite() || choice == anew));
  for (std::size_t t = 0; t < p.tables.size(); ++t) {
    const Table& table = p.tables[t];
    REQUIRE(least.number(t, choice) == table.values[offset_of(p, table, choice)]);
  }
}

/// Supposes larger numbers, level by level, confirms some of the levels and takes the others back.
/// What is left.
SumProblem after_suppositions(Random& random, const SumProblem& p, Sum<Value>& least,
                              NumberKind kind) {
  std::vector<SumProblem> levels{p};
  for (std::size_t more = below(random, 4); more > 0; --more) {
    least.suppose();
    SumProblem supposed = levels.back();
    for (std::size_t raises = below(random, 4); raises > 0; --raises) {
      raise_one(random, supposed, least, kind);
    }
    check_as_anew(supposed, least);
    levels.push_back(std::move(supposed));
  }
  const std::size_t confirmed = below(random, levels.size());
  for (std::size_t level = 0; level < confirmed; ++level) least.confirm();
  least.retract();
  return levels[confirmed];
}

/// The choice over the integers that stand for the values; nothing if there are none.
std::optional<std::vector<std::size_t>> packed_choice(const SumProblem& p) {
  const std::optional<search::Packing> packing = packing_of(p);
  if (!packing) return std::nullopt;
  return least_sum<Int128>(p, [&](const Value& v) { return *packing->integer(v); }).choice();
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
        const auto choice = least_sum<Value>(p, as_it_is).choice();
        REQUIRE(choice.size() == p.domains.size());
        REQUIRE(sum(p, choice) == least);
        const auto same = packed_choice(p);
        if (!same) continue;
        ++packed;
        REQUIRE((least.infinite() || *same == choice));
        REQUIRE(sum(p, *same) == least);
      }
    }
  }
  CHECK(infinite > 0);
  CHECK(finite > 0);
  CHECK(packed > finite / 2);
  CHECK(packed < finite + infinite);
}

TEST_CASE("after numbers that are raised and values that are split, a sum is as if made anew") {
  Random random(9);
  for (const NumberKind kind : {NumberKind::small, NumberKind::fractions}) {
    for (std::size_t k = 0; k < testkit::cases(200); ++k) {
      SumProblem p = problem(random, kind, 1 + below(random, 2));
      Sum<Value> least = least_sum<Value>(p, as_it_is);
      for (int step = 0; step < 8; ++step) {
        for (std::size_t changes = below(random, 4); changes > 0; --changes) {
          raise_one(random, p, least, kind);
        }
        if (below(random, 2) == 0) split_one(random, p, least);
        check_as_anew(p, least);
      }
    }
  }
}

TEST_CASE("variables without tables take their first value") {
  Sum<Int128> least({2, 3, 4}, {{{1}, {3, 2, 2}}}, 0, search::kInfiniteInteger);
  const std::vector<std::size_t> expected{0, 1, 0};
  CHECK(least.choice() == expected);
}

TEST_CASE("a sum of numbers that are taken back is the one before") {
  Random random(10);
  for (const NumberKind kind : {NumberKind::small, NumberKind::fractions}) {
    for (std::size_t k = 0; k < testkit::cases(100); ++k) {
      SumProblem p = problem(random, kind, 1 + below(random, 2));
      Sum<Value> least = least_sum<Value>(p, as_it_is);
      for (int step = 0; step < 4; ++step) {
        if (below(random, 2) == 0) split_one(random, p, least);
        if (below(random, 2) == 0) check_as_anew(p, least);
        p = after_suppositions(random, p, least, kind);
        check_as_anew(p, least);
      }
    }
  }
}
