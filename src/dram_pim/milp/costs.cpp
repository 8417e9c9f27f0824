// Charging hops, and the objective.
#include "dram_pim/milp/costs.hpp"

#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::milp {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// The most that a cost with a weight can be in an objective of this value, rounded up; nothing if
/// that is not known, or too large for rows in this unit.
std::optional<Int128> largest(const std::optional<Rational>& value, const Rational& weight,
                              Int128 unit) {
  if (!value || weight.sign() == 0) return std::nullopt;
  const cpp_rational most = value->impl().value / weight.impl().value;
  const cpp_int up = (numerator(most) + denominator(most) - 1) / denominator(most);
  if (up * cpp_int(unit) > cpp_int(1) << 120) return std::nullopt;
  return up.convert_to<Int128>();
}

/// unit * column compared with a sum in that unit.
void define(ProgramBuilder& program, const std::string& subject, Column column, Int128 unit,
            const Sum& sum, Sense sense) {
  Sum terms{{column, unit}};
  add(terms, sum, -1);
  program.row(subject, terms, sense, 0);
}

/// The latency is at least the time of every resource (docs/model.md).
void charge_latency(Problem& problem, const Costs& costs, Column latency) {
  const auto at_least = [&](const std::string& resource, const Sum& cycles) {
    define(problem.program, "latency_" + resource, latency, problem.scale.latency_unit, cycles,
           Sense::at_least);
  };
  at_least("compute", costs.compute);
  at_least("interconnect", costs.interconnect);
  for (std::size_t m = 0; m < problem.architecture.row_buffer(); ++m) {
    Sum together;
    for (const Sum& cycles : costs.cycles[m]) {
      add(together, cycles);
      if (!problem.architecture.levels[m].shared_ports) at_least(label("level", m), cycles);
    }
    if (problem.architecture.levels[m].shared_ports) at_least(label("level", m), together);
  }
  Sum stream;
  for (const Tensor t : kAllTensors) {
    Sum cycles = costs.cycles[problem.architecture.row_buffer()][index(t)];
    add(cycles, costs.rows[index(t)], problem.scale.activation_cycles);
    add(stream, cycles);
    if (!problem.architecture.shared_streams) at_least(label("dram", t), cycles);
  }
  if (problem.architecture.shared_streams) at_least("dram", stream);
}

void charge_energy(Problem& problem, const Costs& costs, Column energy) {
  Sum sum = costs.energy;
  add(sum, certainty(), problem.scale.mac_energy);
  for (const Sum& rows : costs.rows) add(sum, rows, problem.scale.activation_energy);
  define(problem.program, "energy", energy, problem.scale.energy_unit, sum, Sense::equal);
}

void charge_activations(Problem& problem, const Costs& costs, Column activations) {
  Sum sum;
  for (const Sum& rows : costs.rows) add(sum, rows);
  define(problem.program, "activations", activations, problem.scale.row, sum, Sense::equal);
}

}  // namespace

void Costs::hand_over(const Problem& problem, const Hop& hop, Tensor t, const Choice& reads) {
  const std::size_t k = index(t);
  const Sum elements = expectation(reads, [](const Key& key) { return key[0]; });
  if (hop.outer <= problem.architecture.row_buffer()) {
    add(cycles[hop.outer][k], elements, problem.scale.transfer[hop.outer][k]);
  }
  add(energy, elements, problem.scale.access[hop.outer]);
  if (hop.inner <= 0) add(interconnect, elements, problem.scale.interconnect[k]);
}

void minimise(Problem& problem, const Costs& costs, const Objective& objective,
              const Metrics* known) {
  const GoalTraits& goal = traits(objective.goals.front());
  const GoalCosts weights = objective.weights(objective.goals.front());
  std::optional<Rational> value;
  if (known != nullptr) value = objective.value(objective.goals.front(), *known);
  std::vector<std::pair<Column, Rational>> terms;
  const auto term = [&](const char* name, Int128 unit, const Rational& weight, auto&& charge) {
    const Column column = problem.program.cost(name, largest(value, weight, unit));
    charge(problem, costs, column);
    terms.emplace_back(column, weight);
  };
  if (goal.latency) term("latency", problem.scale.latency_unit, weights.latency, charge_latency);
  if (goal.energy) term("energy", problem.scale.energy_unit, weights.energy, charge_energy);
  if (goal.activations) {
    term("activations", problem.scale.row, weights.activations, charge_activations);
  }
  cpp_int unit = 1;  // the common denominator of all weights, which scales the objective
  for (const auto& [column, weight] : terms) unit = lcm(unit, denominator(weight.impl().value));
  const Rational scale = make_rational(cpp_rational(unit));
  for (auto& [column, weight] : terms) weight *= scale;
  problem.program.minimise(std::move(terms), scale);
}

}  // namespace pimbb::dram_pim::milp
