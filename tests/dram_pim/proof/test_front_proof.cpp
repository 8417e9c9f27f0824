// Proofs of fronts: accepted as they are, refused with one point less or one thing wrong, and no
// proof of a false front whatever an adversary writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pimbb-check/front.hpp"
#include "pimbb-check/sha256.hpp"
#include "pimbb/dram_pim.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/grow_trees.hpp"
#include "support/lines.hpp"
#include "support/random_constraints.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;

namespace {

struct ProvenFront {
  Front front;
  std::string text;
  FrontProofSize size;
};

ProvenFront prove_front(const Instance& i, const std::vector<Goal>& axes, const Question& question,
                        int threads = 1) {
  ProvenFront p;
  p.front = solve_front(i.architecture, i.workload, axes, question, {.threads = threads});
  p.size = prove(i.architecture, i.workload, question, {.threads = threads}, p.front,
                 [&](std::string_view piece) { p.text += piece; });
  return p;
}

constexpr std::size_t kPointsLine = 3;  // after format, hash and instance

std::vector<Goal> some_axes(std::size_t n) {
  const std::array<const char*, 5> kAxes{"latency,energy", "latency,energy,activations",
                                         "energy,activations", "activations,latency",
                                         "energy,latency"};
  return parse_axes(kAxes.at(n % kAxes.size()));
}

Question some_question(const Instance& i, const std::vector<Goal>& axes, std::uint64_t n) {
  Question question;
  question.row_model = i.row_model;
  testkit::Choices choices(n);
  if (choices.once_in(4)) question.constraints = testkit::random_constraints(choices, i);
  if (choices.once_in(3)) {
    Question cheapest = question;
    cheapest.objective.goals = {choices.once_in(2) ? Goal::edp : axes.front()};
    const Solution best = solve(i.architecture, i.workload, cheapest);
    const Rational share(static_cast<std::int64_t>(choices.pick(5)) + 7, 8);
    if (best.mapping) {
      question.caps.push_back({cheapest.objective.goals[0], best.goals[0].value * share});
    }
  }
  return question;
}

/// The front without one of its points.
std::string without_point(const ProvenFront& p, std::size_t k) {
  std::vector<std::string> lines = testkit::lines_of(p.text);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(kPointsLine + 1 + k));
  lines[kPointsLine] = "points " + std::to_string(p.front.points.size() - 1);
  return testkit::text_of(lines);
}

/// Whether an adversary finds a proof of a front with this head.
bool is_provable(const std::string& text, std::size_t points) {
  std::vector<std::string> head = testkit::lines_of(text);
  head.resize(kPointsLine + 1 + points);
  std::istringstream stream(testkit::text_of(head));
  pimbb_check::Lines lines(stream);
  lines.next();  // the format
  pimbb_check::Report report;
  try {
    pimbb_check::check_front(lines, std::nullopt, testkit::grow_trees, report);
    return true;
  } catch (const pimbb_check::Refusal&) {
    return false;
  }
}

template <class Check>
void on_fronts(std::uint64_t first, std::size_t count, const Check& check) {
  const std::uint64_t start = testkit::first_seed(first);
  for (std::uint64_t seed = start; seed < start + count; ++seed) {
    CAPTURE(seed);
    const Instance i = testkit::random_instance(seed, {.macs = 16, .levels = 5});
    const std::vector<Goal> axes = some_axes(seed);
    const Question question = some_question(i, axes, seed);
    check(i, axes, question, prove_front(i, axes, question));
  }
}

}  // namespace

TEST_CASE("proofs of random fronts are accepted, and none without one of its points") {
  std::size_t points = 0, infeasible = 0, many = 0;
  const std::size_t count = testkit::cases(600);
  on_fronts(91'000'000, count,
            [&](const Instance&, const std::vector<Goal>&, const Question&, const ProvenFront& p) {
              const auto report = testkit::checked(p.text);
              CHECK(report.reason == "");
              CHECK(report.leaves() == p.size.leaves);
              CHECK(report.bytes == p.size.bytes);
              CHECK(texts::contains(report.claim,
                                    ": " + std::to_string(p.front.points.size()) + " point"));
              points += p.front.points.size();
              infeasible += p.front.points.empty() ? 1U : 0U;
              many += p.front.points.size() > 2 ? 1U : 0U;
              for (std::size_t k = 0; k < std::min<std::size_t>(p.front.points.size(), 5); ++k) {
                CAPTURE(k);
                const std::string fewer = without_point(p, k);
                CHECK(!testkit::checked(fewer).accepted);
                CHECK(!is_provable(fewer, p.front.points.size() - 1));
              }
              CHECK(is_provable(p.text, p.front.points.size()));
            });
  if (count < 600) return;
  CHECK(points > 500);
  CHECK(many > 10);
  CHECK(infeasible > 10);
}

TEST_CASE("forged points of fronts are refused") {
  std::size_t forged = 0;
  on_fronts(92'000'000, testkit::cases(200),
            [&](const Instance& i, const std::vector<Goal>&, const Question& question,
                const ProvenFront& p) {
              const std::vector<std::string> lines = testkit::lines_of(p.text);
              const std::size_t count = p.front.points.size();
              if (count < 2 || p.front.points[0].costs[0] == p.front.points[1].costs[0]) return;
              ++forged;
              const auto refused = [&](const std::vector<std::string>& other) {
                return !testkit::checked(testkit::text_of(other)).accepted;
              };
              std::vector<std::string> other = lines;  // exchanged
              std::swap(other[kPointsLine + 1], other[kPointsLine + 2]);
              CHECK(refused(other));
              other = lines;  // one twice
              other.insert(other.begin() + kPointsLine + 1, other[kPointsLine + 1]);
              other[kPointsLine] = "points " + std::to_string(count + 1);
              CHECK(refused(other));
              other = lines;  // fewer than are said, more than are said
              other[kPointsLine] = "points " + std::to_string(count + 1);
              CHECK(refused(other));
              other[kPointsLine] = "points " + std::to_string(count - 1);
              CHECK(refused(other));
              other = lines;  // a mapping that others dominate
              oracle::for_each_mapping(i.architecture, i.workload, [&](const Mapping& m) {
                if (other != lines) return;
                const Metrics metrics = evaluate(i.architecture, i.workload, m, i.row_model);
                const auto dominates = [&](const FrontPoint& point) {
                  return metrics.latency > point.metrics.latency &&
                         metrics.energy > point.metrics.energy &&
                         metrics.activations() > point.metrics.activations();
                };
                if (!std::ranges::any_of(p.front.points, dominates)) return;
                const auto json = nlohmann::ordered_json::parse(
                    evaluation_json(i.architecture, i.workload, i.row_model, m, metrics));
                other[kPointsLine + count] = "mapping " + json["mapping"].dump();
              });
              if (other != lines) CHECK(refused(other));
              // Beside other limits it is another problem; its hash says so, and so does its text.
              Question tighter = question;
              tighter.caps = {{p.front.axes[0], p.front.points[0].costs[0]}};
              const std::string instance =
                  canonical_instance(i.architecture, i.workload, {p.front.axes, 1, 1}, i.row_model,
                                     tighter.caps, question.constraints);
              other = lines;
              other[2] = "instance " + instance;
              CHECK(refused(other));
              other[1] = "sha256 " + pimbb_check::sha256(instance);
              CHECK(refused(other));  // points beyond the limit
            });
  CHECK(forged > 0);
}

TEST_CASE("proofs of fronts: threads, limits, and fronts without one") {
  const Architecture a = read_architecture("simple_pim");
  Instance i;
  i.architecture = a;
  i.workload = parse_workload("{R: 3, S: 1, P: 12, Q: 1, C: 8, K: 8, N: 1}", "layer");
  const std::vector<Goal> axes = parse_axes("latency,energy,activations");
  const ProvenFront p = prove_front(i, axes, {}, 1);
  CHECK(testkit::checked(p.text).reason == "");
  CHECK(p.text == prove_front(i, axes, {}, 3).text);
  const auto nowhere = [](std::string_view) {};
  CHECK_THROWS_AS(prove(a, i.workload, {}, {.time_limit = 0.0}, p.front, nowhere), LimitError);
  Front partial = p.front;
  partial.status = FrontStatus::partial;
  CHECK_THROWS_AS(prove(a, i.workload, {}, {}, partial, nowhere), InputError);
  Front fewer = p.front;
  fewer.points.pop_back();
  CHECK_THROWS_AS(prove(a, i.workload, {}, {}, fewer, nowhere), InputError);
  Question dataflow;
  dataflow.method = Method::ws;
  CHECK_THROWS_AS(prove(a, i.workload, dataflow, {}, p.front, nowhere), InputError);
}
