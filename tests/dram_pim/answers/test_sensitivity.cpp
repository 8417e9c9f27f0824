// Sensitivities against exhaustion: every mapping of a small problem is tried at values inside an
// interval, at its ends and just beyond, and at every size of a range.
#include <doctest/doctest.h>

#include <algorithm>

#include "answers/stay.hpp"
#include "dram_pim/answers/figures.hpp"
#include "dram_pim/cost/latency_terms.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/sensitivity.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::by_seed;
using testkit::Instance;

namespace {

const std::uint64_t kMostVariedMappings = testkit::slow_build() ? 2'500 : 4'000;

Question asked(const Instance& i) {
  Question question;
  question.objective = i.objective;
  question.row_model = i.row_model;
  return question;
}

template <class Check>
void on_small_layers(std::uint64_t seed, std::size_t count, const Check& check) {
  std::size_t looked_at = 0;
  by_seed(seed, count, {.macs = 8}, [&](const Instance& i) {
    const auto optimum =
        oracle::brute_force(i.architecture, i.workload, i.objective, RowModel::none);
    if (optimum.mappings == 0 || optimum.mappings > kMostVariedMappings) return;
    ++looked_at;
    check(i, looked_at);
  });
  CHECK(looked_at > 0);
}

dram_pim::answers::Figure figure_at(const Instance& i, const std::string& path) {
  const auto figures = dram_pim::answers::figures_of(i.architecture);
  return *std::ranges::find(figures, path, &dram_pim::answers::Figure::path);
}

/// The optimum with another value of a figure, of all mappings; nothing if there is none. The
/// oracle's fractions have few digits: `skipped` if they do not suffice.
std::optional<oracle::Fraction> exhausted(const Instance& i, const std::string& path,
                                          const Rational& x, bool& skipped) {
  const Architecture a = figure_at(i, path).changed(i.architecture, x);
  skipped = false;
  try {
    const auto optimum = oracle::brute_force(
        a, i.workload, Objective{{i.objective.goals[0]}, i.objective.alpha, i.objective.beta},
        i.row_model);
    if (optimum.values.empty()) return std::nullopt;
    return optimum.values[0];
  } catch (const std::exception&) {
    skipped = true;
    return std::nullopt;
  }
}

Rational value_at(const Instance& i, const std::string& path, const Rational& x,
                  const Mapping& mapping) {
  const Architecture a = figure_at(i, path).changed(i.architecture, x);
  return i.objective.value(i.objective.goals[0], evaluate(a, i.workload, mapping, i.row_model));
}

bool same_value(const Rational& value, const std::optional<oracle::Fraction>& expected) {
  return expected && *expected == oracle::Fraction(value);
}

/// Whether today's mapping is the best between today's value and the end, as far as samples say.
void check_inside(const Instance& i, const FigureSensitivity& figure, const StayEnd& end,
                  const Mapping& mapping) {
  const int kParts = testkit::slow_build() ? 2 : 6;
  for (int k = 0; k <= kParts; ++k) {
    const Rational x = figure.today + (end.proven - figure.today) * Rational(k, kParts);
    bool skipped = false;
    const auto expected = exhausted(i, figure.path, x, skipped);
    if (skipped) continue;
    CAPTURE(x.to_string());
    CHECK(same_value(value_at(i, figure.path, x, mapping), expected));
  }
}

void check_beyond(const Instance& i, const FigureSensitivity& figure, const StayEnd& end, bool up,
                  const Sensitivity& answer) {
  if (end.reason != StayEnd::Reason::beaten) return;
  REQUIRE(end.beyond);
  REQUIRE(end.next);
  const Rational tiny = (*end.beyond + Rational(1)) / Rational(std::int64_t{1} << 40);
  const Rational x = up ? *end.beyond + tiny : *end.beyond - tiny;
  const Mapping& next = answer.mappings[*end.next];
  CHECK(value_at(i, figure.path, *end.beyond, next) ==
        value_at(i, figure.path, *end.beyond, answer.mappings[0]));
  CHECK(value_at(i, figure.path, x, next) < value_at(i, figure.path, x, answer.mappings[0]));
}

void check_step(const Instance& i, const FigureSensitivity& figure, const NextStep& step, bool up,
                const Rational& value) {
  constexpr std::int64_t kMostTried = 24;
  const std::int64_t today = *figure.today.in_units(1);
  CHECK(step.reason != NextStep::Reason::open);
  bool skipped = false;
  const std::int64_t last = step.reason == NextStep::Reason::step ? step.at : step.at;
  for (std::int64_t x = today, tried = 0; tried < kMostTried && (up ? x <= last : x >= last);
       x += up ? 1 : -1, ++tried) {
    CAPTURE(x);
    const auto expected = exhausted(i, figure.path, x, skipped);
    const bool is_step = step.reason == NextStep::Reason::step && x == step.at;
    if (is_step) {
      CHECK(expected.has_value() == step.value.has_value());
      if (step.value) CHECK(same_value(*step.value, expected));
      if (step.value) CHECK((up ? *step.value < value : *step.value > value));
    } else {
      CHECK(same_value(value, expected));
    }
  }
}

}  // namespace

TEST_CASE("latency is the greatest of its terms") {
  on_small_layers(71'000'000, testkit::cases(200), [](const Instance& i, std::size_t) {
    const Solution solution = solve(i.architecture, i.workload, asked(i));
    REQUIRE(solution.mapping);
    const std::vector<Rational> terms =
        latency_terms(i.architecture, *solution.mapping, *solution.metrics);
    CHECK(*std::ranges::max_element(terms) == solution.metrics->latency);
  });
}

TEST_CASE("intervals and steps of every figure are those of exhaustion") {
  on_small_layers(72'000'000, testkit::cases(120), [](const Instance& i, std::size_t) {
    const Sensitivity answer = sensitivity(i.architecture, i.workload, asked(i));
    REQUIRE(answer.metrics);
    CHECK(answer.figures.size() == figure_paths(i.architecture).size());
    for (const FigureSensitivity& figure : answer.figures) {
      CAPTURE(figure.path);
      if (figure.down) {
        check_inside(i, figure, *figure.down, answer.mappings[0]);
        check_beyond(i, figure, *figure.down, false, answer);
      }
      if (figure.up) {
        check_inside(i, figure, *figure.up, answer.mappings[0]);
        check_beyond(i, figure, *figure.up, true, answer);
      }
      if (figure.smaller) check_step(i, figure, *figure.smaller, false, answer.value);
      if (figure.larger) check_step(i, figure, *figure.larger, true, answer.value);
      for (const SizeStep& step : figure.steps) {
        bool skipped = false;
        const auto expected = exhausted(i, figure.path, step.from, skipped);
        CHECK(expected.has_value() == step.value.has_value());
        if (step.value) CHECK(same_value(*step.value, expected));
      }
    }
  });
}

TEST_CASE("what has no effect on a goal says so") {
  on_small_layers(73'000'000, testkit::cases(40), [](Instance i, std::size_t) {
    i.objective = Objective::parse("energy");
    for (const FigureSensitivity& f : sensitivity(i.architecture, i.workload, asked(i)).figures) {
      if (f.kind == FigureKind::time || f.kind == FigureKind::rate) {
        CHECK(!f.matters);
        CHECK(f.complete);
        CHECK(f.elasticity == Rational(0));
      }
    }
  });
}

TEST_CASE("ranges of energies, times and rates") {
  on_small_layers(74'000'000, testkit::cases(60), [](const Instance& i, std::size_t n) {
    const std::vector<std::string> paths = figure_paths(i.architecture);
    std::vector<std::string> wanted;
    for (const std::string& path : paths) {
      const FigureKind kind = figure_at(i, path).kind;
      if (kind != FigureKind::size && kind != FigureKind::shape) wanted.push_back(path);
    }
    const std::string& path = wanted[n % wanted.size()];
    CAPTURE(path);
    SensitivityOptions options;
    options.figures = {path};
    options.range = FigureRange{Rational(1, 8), 40};
    const Sensitivity answer = sensitivity(i.architecture, i.workload, asked(i), options);
    REQUIRE(answer.figures.size() == 1);
    const FigureSensitivity& figure = answer.figures[0];
    if (!figure.matters) return;
    REQUIRE(!figure.pieces.empty());
    CHECK(figure.pieces.front().from == Rational(1, 8));
    CHECK(figure.pieces.back().to == Rational(40));
    for (std::size_t k = 0; k < figure.pieces.size(); ++k) {
      const RangePiece& piece = figure.pieces[k];
      CHECK(piece.from < piece.to);
      if (k > 0) CHECK(figure.pieces[k - 1].to == piece.from);
      if (!piece.proven) continue;
      for (int part = 0; part <= 3; ++part) {
        const Rational x = piece.from + (piece.to - piece.from) * Rational(part, 3);
        bool skipped = false;
        const auto expected = exhausted(i, path, x, skipped);
        if (skipped) continue;
        CAPTURE(x.to_string());
        CHECK(same_value(value_at(i, path, x, answer.mappings[piece.solution]), expected));
        if (part == 0) CHECK(same_value(piece.value_from, expected));
        if (part == 3) CHECK(same_value(piece.value_to, expected));
      }
    }
  });
}

TEST_CASE("ranges of sizes and shapes have every step") {
  on_small_layers(75'000'000, std::max<std::size_t>(testkit::cases(60), 8),
                  [](const Instance& i, std::size_t n) {
                    std::vector<std::string> sizes;
                    for (const std::string& path : figure_paths(i.architecture)) {
                      const FigureKind kind = figure_at(i, path).kind;
                      if (kind == FigureKind::size || kind == FigureKind::shape)
                        sizes.push_back(path);
                    }
                    const std::string& path = sizes[n % sizes.size()];
                    CAPTURE(path);
                    constexpr std::int64_t kMost = 20;
                    SensitivityOptions options;
                    options.figures = {path};
                    options.range = FigureRange{1, kMost};
                    const Sensitivity answer =
                        sensitivity(i.architecture, i.workload, asked(i), options);
                    REQUIRE(answer.figures.size() == 1);
                    const std::vector<SizeStep>& steps = answer.figures[0].steps;
                    REQUIRE(!steps.empty());
                    CHECK(answer.figures[0].complete);
                    CHECK(steps.front().from == 1);
                    CHECK(steps.back().to == kMost);
                    for (std::size_t k = 0; k < steps.size(); ++k) {
                      if (k > 0) CHECK(steps[k].from == steps[k - 1].to + 1);
                      for (std::int64_t x = steps[k].from; x <= steps[k].to; ++x) {
                        CAPTURE(x);
                        bool skipped = false;
                        const auto expected = exhausted(i, path, x, skipped);
                        CHECK(expected.has_value() == steps[k].value.has_value());
                        if (steps[k].value) CHECK(same_value(*steps[k].value, expected));
                      }
                    }
                  });
}

TEST_CASE("limits, threads and refusals of sensitivities") {
  const Architecture a = read_architecture("simple_pim");
  Workload w;
  w.name = "small";
  w.bounds[index(Dim::K)] = 2;
  w.bounds[index(Dim::C)] = 6;
  Question question;
  question.objective = Objective::parse("edp");
  const SensitivityOptions some_figures{.figures = {"pe_array.dim_h", "levels.GlobalBuffer.entries",
                                                    "levels.GlobalBuffer.access_cost",
                                                    "levels.RowBuffer.read_bandwidth"}};
  const Sensitivity whole = sensitivity(a, w, question, some_figures, {.threads = 1});
  CHECK(!whole.figures.empty());
  const Sensitivity other = sensitivity(a, w, question, some_figures, {.threads = 3});
  CHECK(sensitivity_json(a, w, question, some_figures, {.timeless = true}, whole) ==
        sensitivity_json(a, w, question, some_figures, {.timeless = true}, other));

  const Sensitivity none = sensitivity(a, w, question, some_figures, {.node_limit = 0});
  CHECK(none.status == SensitivityStatus::partial);
  CHECK(none.figures.empty());
  RunLimits some;
  some.node_limit = whole.first_nodes + (whole.nodes - whole.first_nodes) / 2;
  const Sensitivity part = sensitivity(a, w, question, some_figures, some);
  CHECK(part.status == SensitivityStatus::partial);
  REQUIRE(part.figures.size() == whole.figures.size());
  for (std::size_t k = 0; k < part.figures.size(); ++k) {
    CAPTURE(part.figures[k].path);
    if (!part.figures[k].up) continue;
    CHECK(part.figures[k].up->proven <= whole.figures[k].up->proven);
    CHECK(part.figures[k].down->proven >= whole.figures[k].down->proven);
  }

  const auto refuses = [&](const SensitivityOptions& options) {
    CHECK_THROWS_AS(sensitivity(a, w, question, options), InputError);
  };
  refuses({.figures = {"levels.GlobalBufer.entries"}});
  refuses({.range = FigureRange{1, 2}});
  refuses({.figures = {"pe_array.dim_h"}, .range = FigureRange{2, 1}});
  refuses({.figures = {"pe_array.dim_h"}, .range = FigureRange{Rational(1, 2), 3}});
  refuses({.figures = {"levels.RowBuffer.read_bandwidth"}, .range = FigureRange{0, 3}});
  refuses({.reach = 1});
  question.at_most = Rational(1);
  refuses({});
}
