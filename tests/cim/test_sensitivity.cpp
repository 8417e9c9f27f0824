// Sensitivity against exhaustion on changed accelerators: intervals of energies, steps of sizes,
// optima of shapes.
#include <doctest/doctest.h>

#include <algorithm>

#include "cim/exhaust.hpp"
#include "cim/random_instance.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

constexpr std::array kAskedGoals{Goal::energy, Goal::edp, Goal::latency, Goal::blended};

Question question_about(std::uint64_t seed) {
  Question question;
  question.objective.goals = {kAskedGoals[seed % kAskedGoals.size()]};
  question.pricing.semantics = seed % 3 == 0 ? Semantics::table3 : Semantics::recursion;
  return question;
}

/// An accelerator's copy with another value of one of its figures, by path.
Architecture with_figure(Architecture a, const std::string& path, const Rational& value) {
  const auto integer = [&] { return *value.in_units(1); };
  const auto is = [&](const std::string& owner, const char* key) {
    return path == owner + "." + key;
  };
  if (path == "leakage") a.leakage = value;
  if (is("macro", "activation_energy")) a.macro.activation_energy = value;
  if (is("macro", "input_bits_per_cycle")) a.macro.input_bits_per_cycle = integer();
  for (Axis& axis : a.axes) {
    if (is("spatial_axes." + axis.name, "size")) axis.size = integer();
  }
  for (Level& level : a.levels) {
    const std::string owner = "levels." + level.name;
    if (is(owner, "size_bits")) level.size_bits = integer();
    if (is(owner, "bandwidth")) level.bandwidth = integer();
    if (is(owner, "read_energy")) level.read_energy = value;
    if (is(owner, "write_energy")) level.write_energy = value;
  }
  return a;
}

class Exhaustion {
 public:
  Exhaustion(const naive::Instance& instance, const Question& question)
      : i_(instance), question_(question) {}

  [[nodiscard]] std::optional<Rational> optimum(const std::string& path,
                                                const Rational& value) const {
    const Architecture a = with_figure(i_.architecture, path, value);
    const auto values = naive::exhausted(naive::all_mappings(a, i_.layer), question_, a, i_.layer);
    return values ? std::optional(values->front()) : std::nullopt;
  }

  [[nodiscard]] Rational value_of(const Mapping& mapping, const std::string& path,
                                  const Rational& value) const {
    const Architecture a = with_figure(i_.architecture, path, value);
    const Metrics metrics = evaluate(a, i_.layer, mapping, question_.pricing);
    return question_.objective.value(question_.objective.goals.front(), metrics.latency,
                                     metrics.energy);
  }

 private:
  const naive::Instance& i_;
  const Question& question_;
};

/// Today's mapping is optimal at the end, and beaten just beyond.
void check_end(const Exhaustion& all, const Sensitivity& answer, const FigureSensitivity& figure,
               const StayEnd& end, const Rational& beyond) {
  const Mapping& today = answer.mappings[0];
  CHECK(all.optimum(figure.path, end.proven) == all.value_of(today, figure.path, end.proven));
  if (end.reason != StayEnd::Reason::beaten) return;
  const Rational value = all.value_of(today, figure.path, beyond);
  CHECK(*all.optimum(figure.path, beyond) < value);
  // the mapping that is named costs the same where it takes over
  CHECK(all.value_of(answer.mappings[*end.next], figure.path, end.proven) ==
        all.value_of(today, figure.path, end.proven));
}

void check_step(const Exhaustion& all, const Rational& today, const FigureSensitivity& figure,
                const NextStep& step, int outwards) {
  if (step.reason == NextStep::Reason::none) {
    CHECK(all.optimum(figure.path, step.at) == today);
    return;
  }
  REQUIRE(step.reason == NextStep::Reason::step);
  CHECK(all.optimum(figure.path, step.at) == step.value);
  CHECK(step.value != std::optional(today));
  CHECK(all.optimum(figure.path, step.at - outwards) == today);
}

}  // namespace

TEST_CASE("intervals, steps and shapes are those of exhaustion on changed accelerators") {
  int beaten = 0, steps = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 4);
    const Question question = question_about(seed);
    const Exhaustion all(i, question);
    const Sensitivity answer = sensitivity(i.architecture, i.layer, question);
    const auto today = all.optimum("", 0);
    CHECK((answer.status == SensitivityStatus::infeasible) == !today);
    if (!today) continue;
    REQUIRE(answer.status == SensitivityStatus::complete);
    CHECK(answer.value == *today);
    CHECK(answer.figures.size() == figure_paths(i.architecture).size());
    for (std::size_t k = seed % 4; k < answer.figures.size(); k += 4) {
      const FigureSensitivity& figure = answer.figures[k];
      CAPTURE(figure.path);
      if (figure.up)
        check_end(all, answer, figure, *figure.up, figure.up->proven + Rational(1, 64));
      if (figure.down) {
        check_end(all, answer, figure, *figure.down, figure.down->proven * Rational(63, 64));
      }
      beaten += figure.up && figure.up->reason == StayEnd::Reason::beaten ? 1 : 0;
      if (figure.smaller) check_step(all, *today, figure, *figure.smaller, -1);
      if (figure.larger) check_step(all, *today, figure, *figure.larger, 1);
      steps += figure.larger && figure.larger->reason == NextStep::Reason::step ? 1 : 0;
      for (const SizeStep& step : figure.steps) {
        CHECK(all.optimum(figure.path, step.from) == step.value);
      }
    }
  }
  if (testkit::cases(40) >= 40) {
    CHECK(beaten > 0);
    CHECK(steps > 0);
  }
}

TEST_CASE("ranges are those of exhaustion at every value") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 6);
    const Question question = question_about(seed);
    const Exhaustion all(i, question);
    if (!all.optimum("", 0)) continue;
    const std::vector<std::string> paths = figure_paths(i.architecture);
    const std::string& path = paths[seed % paths.size()];
    CAPTURE(path);
    const Sensitivity answer = sensitivity(i.architecture, i.layer, question,
                                           {.figures = {path}, .range = FigureRange{1, 7}});
    const FigureSensitivity& figure = answer.figures.at(0);
    CHECK(figure.complete);
    for (int x = 1; x <= 7; ++x) {
      CAPTURE(x);
      const auto expected = all.optimum(path, x);
      for (const SizeStep& step : figure.steps) {
        if (step.from <= x && x <= step.to) CHECK(step.value == expected);
      }
      for (const RangePiece& piece : figure.pieces) {
        if (Rational(x) < piece.from || piece.to < Rational(x)) continue;
        CHECK(all.value_of(answer.mappings[piece.solution], path, x) == *expected);
      }
    }
    if (!figure.pieces.empty()) {
      CHECK(figure.pieces.front().from == Rational(1));
      CHECK(figure.pieces.back().to == Rational(7));
    }
  }
}

TEST_CASE("the same for any number of threads; limits; refusals") {
  const Architecture a = read_architecture("miredo_default");
  Workload layer;
  layer.name = "small";
  for (const auto& [d, bound] : {std::pair{Dim::C, 16}, {Dim::K, 8}, {Dim::P, 4}}) {
    layer.bounds[index(d)] = bound;
  }
  const Question question{.objective = Objective::parse("edp")};
  const Sensitivity one = sensitivity(a, layer, question, {}, {.threads = 1});
  const Sensitivity three = sensitivity(a, layer, question, {}, {.threads = 3});
  CHECK(one.status == SensitivityStatus::complete);
  CHECK(sensitivity_json(a, layer, question, {}, {.timeless = true}, one) ==
        sensitivity_json(a, layer, question, {}, {.timeless = true}, three));

  const Sensitivity none = sensitivity(a, layer, question, {}, {.node_limit = 0});
  CHECK(none.status == SensitivityStatus::partial);
  CHECK(none.figures.empty());
  const Sensitivity part = sensitivity(a, layer, question, {}, {.node_limit = one.labels / 2});
  CHECK(part.status == SensitivityStatus::partial);

  for (const auto& change : {+[](Question& q) { q.doubling = DoubleRule::on; },
                             +[](Question& q) {
                               q.caps = {{Goal::latency, 5}};
                             },
                             +[](Question& q) { q.pricing.semantics = Semantics::simulator; },
                             +[](Question& q) { q.pricing.padding = cim::Padding::ceil; }}) {
    Question other = question;
    change(other);
    CHECK_THROWS_AS(sensitivity(a, layer, other), InputError);
  }
  for (const SensitivityOptions& options :
       {SensitivityOptions{.figures = {"leakge"}}, SensitivityOptions{.reach = 1},
        SensitivityOptions{.range = FigureRange{1, 2}},
        SensitivityOptions{.figures = {"leakage"}, .range = FigureRange{2, 2}}}) {
    CHECK_THROWS_AS(sensitivity(a, layer, question, options), InputError);
  }
}
