// Columns that no optimum takes: against all assignments of tiny programs, and the numbers that
// remain in a finished program.
#include <doctest/doctest.h>

#include "dram_pim/milp/one_hot.hpp"
#include "dram_pim/milp/reduce.hpp"
#include "exact/rational_impl.hpp"
#include "support/cases.hpp"
#include "support/choices.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using milp::Column;
using milp::DraftColumn;
using milp::DraftRow;
using milp::Sense;
using testkit::Choices;

namespace {

constexpr std::size_t kBits = 6;          // columns 1 .. 6 are 0 or 1
constexpr std::size_t kCost = kBits + 1;  // and the last one is a cost

struct Draft {
  std::vector<DraftColumn> columns{{"", DraftColumn::Kind::one}};
  std::vector<DraftRow> rows;
};

Draft random_draft(Choices& choices) {
  Draft draft;
  for (std::size_t k = 0; k < kBits; ++k) {
    draft.columns.push_back(
        {"x", choices.one_of({DraftColumn::Kind::binary, DraftColumn::Kind::joint})});
  }
  const auto most = static_cast<Int128>(choices.pick(6));
  draft.columns.push_back({"y", DraftColumn::Kind::cost,
                           choices.once_in(4) ? std::nullopt : std::optional<Int128>(most)});
  const std::size_t rows = 1 + choices.pick(4);
  for (std::size_t i = 0; i < rows; ++i) {
    DraftRow row{"r", {}, choices.one_of({Sense::at_most, Sense::equal, Sense::at_least}), 0};
    row.bound = static_cast<Int128>(choices.pick(7)) - 3;
    for (std::size_t k = 1; k <= kCost; ++k) {
      const Int128 coefficient = static_cast<Int128>(choices.pick(9)) - 4;
      if (coefficient != 0 && choices.once_in(2)) {
        row.terms.push_back({static_cast<Column>(k), coefficient});
      }
    }
    draft.rows.push_back(std::move(row));
  }
  return draft;
}

/// Whether a cost in 0 .. most (or any, if it has no limit) completes a choice to a solution.
bool completes(const Draft& draft, std::size_t taken) {
  const auto most = draft.columns[kCost].most;
  // Coefficients of the cost are at most 4 and sums at most 27: beyond 60 nothing changes.
  for (Int128 quarter = 0; quarter <= 12 * most.value_or(60); ++quarter) {  // in twelfths
    bool all = true;
    for (const DraftRow& row : draft.rows) {
      Int128 sum = -12 * row.bound;
      for (const milp::Term& term : row.terms) {
        const auto k = static_cast<std::size_t>(term.column);
        if (k == kCost) sum += term.coefficient * quarter;
        if (k != kCost && (taken >> (k - 1)) % 2 == 1) sum += 12 * term.coefficient;
      }
      all = all && (row.sense == Sense::equal     ? sum == 0
                    : row.sense == Sense::at_most ? sum <= 0
                                                  : sum >= 0);
    }
    if (all) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a column that is never taken is in no solution within the limit of the cost") {
  std::size_t never_in_all = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(2000); ++seed) {
    Choices choices(seed);
    const Draft draft = random_draft(choices);
    const std::vector<bool> never = milp::never_taken(draft.columns, draft.rows);
    CAPTURE(seed);
    CHECK(!never[kCost]);
    for (std::size_t k = 1; k <= kBits; ++k) {
      if (!never[k]) continue;
      ++never_in_all;
      for (std::size_t taken = 0; taken < (1U << kBits); ++taken) {
        if ((taken >> (k - 1)) % 2 == 1) CHECK(!completes(draft, taken));
      }
    }
  }
  CHECK(never_in_all > testkit::cases(2000) / 4);
}

TEST_CASE("what is dearer than the limit is never taken, nor what consists of it") {
  milp::ProgramBuilder program;
  const Column cheap = program.binary("cheap");
  const Column dear = program.binary("dear");
  const Column part = program.joint("part");
  const Column cost = program.cost("cost", 5'000'000);
  program.row("one", {{cheap, 1}, {dear, 1}}, Sense::equal, 1);
  program.row("part", {{part, 1}, {dear, -1}}, Sense::at_most, 0);
  program.row("cost", {{cost, 3}, {cheap, -15'000'000}, {dear, -15'000'003}}, Sense::at_least, 0);
  program.minimise({{cost, Rational(1)}});
  const milp::MappingProgram built = program.finished();
  const lp::LinearProgram& result = built.program.relaxation;
  REQUIRE(result.columns() == 2);
  CHECK(result.name(lp::ColIndex(0)) == "cheap");
  CHECK(result.rows() == 2);
  // 5,000,000 <= 2^3 * 2^20: the cost is in units of 8. Divided by 24, 15,000,000 is at most 2^20.
  CHECK(built.scale.to_string() == "1/8");
  const auto& entries = result.entries(lp::ColIndex(0));
  REQUIRE(entries.size() == 2);
  CHECK(entries[1].value == Rational(-625'000) / Rational(1024));
}

TEST_CASE("a row is divided by a power of two only if a number is above 2^10") {
  for (const Int128 number : {1023, 1024, 1025}) {
    milp::ProgramBuilder program;
    const Column one = program.binary("one");
    const Column other = program.binary("other");
    program.row("row", {{one, number}, {other, 1}}, Sense::at_most, number);
    const milp::MappingProgram built = program.finished();
    const auto& entries = built.program.relaxation.entries(lp::ColIndex(0));
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].value == to_rational(number) / (number > 1024 ? 2 : 1));
  }
}

TEST_CASE("the product of one choice has the options that are admitted, and no others are taken") {
  milp::ProgramBuilder program;
  const milp::Choice choice =
      milp::decide(program, "choice", {{"one", {1}}, {"two", {2}}, {"three", {3}}});
  const milp::Choice odd =
      milp::product(program, "odd", {choice}, [](const milp::Key& key) { return key[0] % 2 == 1; });
  REQUIRE(odd.size() == 2);
  CHECK(odd[0].key == milp::Key{1});
  CHECK(odd[1].key == milp::Key{3});
  const lp::LinearProgram result = program.finished().program.relaxation;
  CHECK(result.columns() == 2);  // the one of two is never taken
}
