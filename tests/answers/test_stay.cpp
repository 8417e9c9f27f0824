// Intervals and pieces of made-up problems, whose curves are known, against all points at which
// anything can change.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "answers/size_steps.hpp"
#include "answers/stay.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::answers;

namespace {

class MadeUpProblem final : public VariedProblem {
 public:
  MadeUpProblem(std::uint64_t seed, bool linear) : linear_(linear) {
    std::mt19937_64 random(seed);
    const auto number = [&](int most) { return static_cast<std::int64_t>(random() % (most + 1)); };
    const std::int64_t count = 2 + number(10);
    for (std::int64_t s = 0; s < count; ++s) {
      std::vector<Line> lines;
      const std::int64_t terms = linear ? 1 : 1 + number(3);
      for (std::int64_t t = 0; t < terms; ++t) {
        lines.push_back({Rational(number(12)), Rational(number(6))});
      }
      lines.push_back({Rational(1), Rational(0)});
      if (linear) lines.pop_back();
      curves_.emplace_back(std::move(lines));
    }
  }

  [[nodiscard]] bool is_linear() const override { return linear_; }
  [[nodiscard]] const ValueCurve& curve(std::size_t solution) override { return curves_[solution]; }
  Found cheaper(const Rational& p, const Rational& limit) override {
    for (std::size_t s = 0; s < curves_.size(); ++s) {
      if (curves_[s].at(p) < limit) return {Found::State::found, s};
    }
    return {Found::State::none, 0};
  }
  Found best(const Rational& p) override {
    std::size_t least = 0;
    for (std::size_t s = 1; s < curves_.size(); ++s) {
      if (curves_[s].at(p) < curves_[least].at(p)) least = s;
    }
    return {Found::State::found, least};
  }
  std::optional<std::vector<std::size_t>> all_within(const Rational& p, const Rational& most,
                                                     const Wanted& wanted) override {
    std::vector<std::size_t> all;
    for (std::size_t s = 0; s < curves_.size(); ++s) {
      if (curves_[s].at(p) <= most && wanted(curves_[s])) all.push_back(s);
    }
    return all;
  }

  [[nodiscard]] Rational optimum(const Rational& p) { return curve(best(p).solution).at(p); }

  /// Where any two lines of any curves meet, in order, with the ends: between two of these every
  /// curve and the optimum are lines.
  [[nodiscard]] std::vector<Rational> breaks(const Rational& from, const Rational& to) const {
    std::vector<Rational> all{from, to};
    for (const ValueCurve& a : curves_) {
      for (const ValueCurve& b : curves_) {
        for (const Line& s : a.lines()) {
          for (const Line& t : b.lines()) {
            if (s.slope == t.slope) continue;
            const Rational p = (s.at_zero - t.at_zero) / (t.slope - s.slope);
            if (from < p && p < to) all.push_back(p);
          }
        }
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  bool linear_;
  std::vector<ValueCurve> curves_;
};

/// How far from `at` the solution is optimal, by all breaks.
Rational expected_end(MadeUpProblem& problem, std::size_t solution, const Rational& at,
                      const Rational& end) {
  const bool up = at < end;
  std::vector<Rational> breaks = problem.breaks(up ? at : end, up ? end : at);
  if (!up) std::ranges::reverse(breaks);
  for (std::size_t k = 1; k < breaks.size(); ++k) {
    const Rational middle = (breaks[k - 1] + breaks[k]) / Rational(2);
    if (problem.optimum(middle) < problem.curve(solution).at(middle)) return breaks[k - 1];
  }
  return end;
}

void check_end(MadeUpProblem& problem, std::size_t solution, const Rational& at,
               const Rational& end) {
  const bool up = at < end;
  const StayEnd found =
      up ? stay_up(problem, solution, at, end) : stay_down(problem, solution, at, end);
  CHECK(found.is_exact());
  CHECK(found.proven.to_string() == expected_end(problem, solution, at, end).to_string());
  CHECK((found.reason == StayEnd::Reason::range) == (found.proven == end && !found.next));
}

/// A size of which the optimum falls at made-up steps.
class MadeUpSize final : public SizedProblem {
 public:
  explicit MadeUpSize(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (int k = 0; k < 6; ++k) {
      const auto need = static_cast<std::int64_t>(1 + random() % 40);
      const auto value = static_cast<std::int64_t>(random() % 8);
      solutions_.emplace_back(need, value);
    }
  }
  Optimum best(std::int64_t size, const Known& known) override {
    Optimum least;
    for (std::size_t s = 0; s < solutions_.size(); ++s) {
      const auto& [need, value] = solutions_[s];
      if (need > size) continue;
      CHECK((!known.least || Rational(value) >= *known.least));
      if (known.below && Rational(value) >= *known.below) continue;
      if (!least.value || Rational(value) < *least.value) {
        least = {false, Rational(value), s, need};
      }
    }
    return least;
  }

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> solutions_;  // need and value
};

}  // namespace

TEST_CASE("ends of intervals are those of all breaks") {
  for (const bool linear : {true, false}) {
    for (std::uint64_t seed = 0; seed < testkit::cases(4000); ++seed) {
      CAPTURE(linear);
      CAPTURE(seed);
      MadeUpProblem problem(seed, linear);
      const Rational at(static_cast<std::int64_t>(1 + seed % 7), 2);
      const std::size_t solution = problem.best(at).solution;
      check_end(problem, solution, at, 20);
      check_end(problem, solution, at, seed % 2 == 0 ? Rational(0) : Rational(1, 16));
    }
  }
}

TEST_CASE("pieces of a range have the optimum everywhere") {
  for (const bool linear : {true, false}) {
    for (std::uint64_t seed = 0; seed < testkit::cases(1500); ++seed) {
      CAPTURE(linear);
      CAPTURE(seed);
      MadeUpProblem problem(seed, linear);
      const auto pieces = pieces_between(problem, 0, 20);
      REQUIRE(!pieces.empty());
      CHECK(pieces.front().from == Rational(0));
      CHECK(pieces.back().to == Rational(20));
      for (std::size_t k = 0; k < pieces.size(); ++k) {
        CHECK(pieces[k].proven);
        if (k > 0) CHECK(pieces[k].from == pieces[k - 1].to);
        std::vector<Rational> breaks = problem.breaks(pieces[k].from, pieces[k].to);
        for (std::size_t b = 1; b < breaks.size(); ++b) {
          const Rational middle = (breaks[b - 1] + breaks[b]) / Rational(2);
          CHECK(problem.optimum(middle) == problem.curve(pieces[k].solution).at(middle));
        }
        CHECK(problem.optimum(pieces[k].from) == pieces[k].value_from);
        CHECK(problem.optimum(pieces[k].to) == pieces[k].value_to);
      }
    }
  }
}

TEST_CASE("steps of a size") {
  constexpr std::int64_t kMost = 50;
  for (std::uint64_t seed = 0; seed < testkit::cases(2000); ++seed) {
    CAPTURE(seed);
    MadeUpSize problem(seed);
    const auto value = [&](std::int64_t size) { return problem.best(size, {}).value; };
    std::int64_t next = 1;
    for (const SizeStep& step : steps_between(problem, 1, kMost)) {
      CHECK(step.from == next);
      for (std::int64_t size = step.from; size <= step.to; ++size) CHECK(value(size) == step.value);
      next = step.to + 1;
    }
    CHECK(next == kMost + 1);
    const auto today = static_cast<std::int64_t>(10 + seed % 30);
    const auto now = problem.best(today, {});
    if (!now.value) continue;
    const NextStep up = next_larger(problem, today, *now.value, kMost);
    const NextStep down = next_smaller(problem, *now.value, now.need, 0);
    for (std::int64_t size = today; size < up.at; ++size) CHECK(value(size) == now.value);
    if (up.reason == NextStep::Reason::step) {
      CHECK(value(up.at) == up.value);
      CHECK(*up.value < *now.value);
    } else {
      CHECK(value(kMost) == now.value);
    }
    CHECK(down.reason == NextStep::Reason::step);
    for (std::int64_t size = today; size > down.at; --size) CHECK(value(size) == now.value);
    CHECK(value(down.at) == down.value);
    CHECK(down.value != now.value);
  }
}

TEST_CASE("numbers of few decimals in an interval") {
  const auto shortest = [](const char* from, const char* to) {
    return shortest_between(Rational::parse(from), Rational::parse(to)).to_string();
  };
  CHECK(shortest("0.31", "0.45") == "2/5");
  CHECK(shortest("0.401", "0.449") == "41/100");
  CHECK(shortest("0", "0.001") == "0");
  CHECK(shortest("2.5", "17") == "3");
  CHECK(shortest("7", "8") == "7");
  CHECK(shortest_between(Rational(1, 3), Rational(2, 5)).to_string() == "2/5");
  CHECK(shortest_between(Rational(1, 3), Rational(1001, 3000)).to_string() == "1667/5000");
}
