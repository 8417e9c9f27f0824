// Charging hops, and the objective.
#include "dram_pim/milp/costs.hpp"

#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::milp {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// unit * column compared with a sum in that unit.
void define(ProgramBuilder& program, const std::string& subject, Column column, Int128 unit,
            const Sum& sum, Sense sense) {
  Sum terms{{column, unit}};
  add(terms, sum, -1);
  program.row(subject, terms, sense, 0);
}

/// The latency is at least the time of every resource (docs/model.md).
Column add_latency(Problem& problem, const Costs& costs) {
  const Column latency = problem.program.continuous("latency");
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
  for (const Tensor t : kAllTensors) {
    Sum cycles = costs.cycles[problem.architecture.row_buffer()][index(t)];
    add(cycles, costs.rows[index(t)], problem.scale.activation_cycles);
    at_least(label("dram", t), cycles);
  }
  return latency;
}

Column add_energy(Problem& problem, const Costs& costs) {
  const Column energy = problem.program.continuous("energy");
  Sum sum = costs.energy;
  add(sum, certainty(), problem.scale.mac_energy);
  for (const Sum& rows : costs.rows) add(sum, rows, problem.scale.activation_energy);
  define(problem.program, "energy", energy, problem.scale.energy_unit, sum, Sense::equal);
  return energy;
}

Column add_activations(Problem& problem, const Costs& costs) {
  const Column activations = problem.program.continuous("activations");
  Sum sum;
  for (const Sum& rows : costs.rows) add(sum, rows);
  define(problem.program, "activations", activations, problem.scale.row, sum, Sense::equal);
  return activations;
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

void minimise(Problem& problem, const Costs& costs, const Objective& objective) {
  const GoalTraits& goal = traits(objective.goals.front());
  const GoalCosts weights = objective.weights(objective.goals.front());
  std::vector<std::pair<Column, cpp_rational>> terms;
  const auto term = [&](Column column, const Rational& weight) {
    terms.emplace_back(column, weight.impl().value);
  };
  if (goal.latency) term(add_latency(problem, costs), weights.latency);
  if (goal.energy) term(add_energy(problem, costs), weights.energy);
  if (goal.activations) term(add_activations(problem, costs), weights.activations);
  cpp_int unit = 1;  // the common denominator of all weights, which scales the objective
  for (const auto& [column, weight] : terms) unit = lcm(unit, denominator(weight));
  Sum sum;
  for (const auto& [column, weight] : terms) {
    const cpp_int scaled = numerator(weight) * (unit / denominator(weight));
    sum.push_back({column, scaled.convert_to<Int128>()});
  }
  problem.program.minimise(std::move(sum), make_rational(cpp_rational(unit)));
}

}  // namespace pimbb::dram_pim::milp
