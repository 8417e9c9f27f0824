// Full-size layers cannot be exhausted, but a claimed optimum can be attacked: by thousands of
// random mappings, and by simulated annealing that starts from the best of them.
#include <doctest/doctest.h>

#include <cmath>

#include "pimbb/feasibility.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using testkit::Choices;
using testkit::Instance;

namespace {

/// The cheapest mapping that random choices or small steps come across.
class Attack {
 public:
  Attack(const Instance& instance, std::uint64_t seed) : i_(instance), choices_(seed) {}

  void random(std::size_t tries) {
    for (std::size_t n = 0; n < tries; ++n) {
      const Mapping m = testkit::random_mapping(i_.architecture, i_.workload, choices_, 12);
      if (const auto value = value_if_feasible(m)) consider(m, *value);
    }
  }

  /// Accepts a step that costs a fraction d more with probability exp(-d / temperature).
  void anneal(std::size_t steps) {
    if (!best_) return;
    Mapping current = best_->first;
    double cost = best_->second.to_double();
    for (std::size_t n = 0; n < steps; ++n) {
      const double temperature = 0.3 * std::pow(1e-3, double(n) / double(steps));
      Mapping next = current;
      testkit::step(next, i_.architecture, i_.workload, choices_);
      const auto value = value_if_feasible(next);
      if (!value) continue;
      consider(next, *value);
      const double worse = value->to_double() / cost - 1;
      const double chance = std::exp(-worse / temperature) * Choices::kRange;
      if (chance < double(choices_.pick(Choices::kRange))) continue;
      current = std::move(next);
      cost = value->to_double();
    }
  }

  [[nodiscard]] const std::optional<std::pair<Mapping, Rational>>& best() const { return best_; }
  [[nodiscard]] std::size_t feasible() const { return feasible_; }

 private:
  std::optional<Rational> value_if_feasible(const Mapping& m) {
    if (!oracle::broken_rule(i_.architecture, i_.workload, m).empty()) return std::nullopt;
    ++feasible_;
    const Metrics metrics = evaluate(i_.architecture, i_.workload, m, i_.row_model);
    return i_.objective.value(i_.objective.goals[0], metrics);
  }

  void consider(const Mapping& m, const Rational& value) {
    if (!best_ || value < best_->second) best_ = {m, value};
  }

  const Instance& i_;
  Choices choices_;
  std::optional<std::pair<Mapping, Rational>> best_;
  std::size_t feasible_ = 0;
};

void attack_optimum(const Workload& layer, RowModel model, Goal goal) {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.workload = layer;
  i.objective.goals = {goal};
  i.row_model = model;
  CAPTURE(testkit::to_json(i));
  const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
  REQUIRE(s.status == Status::optimal);
  CHECK(testkit::false_claim(i, s) == "");
  Attack attack(i, 42);
  attack.random(testkit::cases(20'000));
  attack.anneal(testkit::cases(20'000));
  REQUIRE(attack.best());
  CAPTURE(testkit::write(attack.best()->first, i.architecture).dump());
  CHECK(s.goals[0].value <= attack.best()->second);
  MESSAGE(layer.name << ": annealing ends "
                     << 100 * (attack.best()->second / s.goals[0].value - 1).to_double()
                     << " % above, " << attack.feasible() << " feasible mappings tried");
}

}  // namespace

TEST_CASE("no random or annealed mapping beats a claimed optimum") {
  for (const Workload& layer : testkit::resnet18_layers()) {
    for (const RowModel model : {RowModel::analytic, RowModel::hybrid}) {
      for (const Goal goal : {Goal::latency, Goal::energy, Goal::edp}) {
        attack_optimum(layer, model, goal);
      }
    }
  }
}
