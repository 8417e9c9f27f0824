// Putting the parts together, and refusing what is not linear.
#include "dram_pim/milp/build.hpp"

#include "dram_pim/milp/array.hpp"
#include "dram_pim/milp/capacity.hpp"
#include "dram_pim/milp/fills.hpp"
#include "dram_pim/milp/row_costs.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::milp {
namespace {

/// "a, b": the names of those that a condition holds for.
std::string list(const auto& table, const auto& condition) {
  std::string names;
  for (const auto& entry : table) {
    if (condition(entry)) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  return names;
}

void describe(MappingProgram& built, const Problem& problem, const Objective& objective) {
  lp::MixedIntegerProgram& program = built.program;
  program.remarks.push_back("architecture " + problem.architecture.name + ", layer " +
                            problem.workload.name);
  program.remarks.push_back("objective " + objective.to_string() + ", row model " +
                            std::string(name(problem.row_model)));
  if (objective.is_weighted()) {
    program.remarks.push_back("alpha " + objective.alpha.to_string() + ", beta " +
                              objective.beta.to_string());
  }
  program.remarks.push_back("optimum = " + built.scale.to_string() + " * (" +
                            std::string(traits(objective.goals.front()).unit) + ")");
  for (std::size_t m = 0; m < problem.levels(); ++m) {
    program.remarks.push_back("level " + std::to_string(m) + " = " +
                              problem.architecture.levels[m].name);
  }
}

}  // namespace

void require_linear(const Objective& objective, RowModel row_model) {
  if (objective.goals.size() != 1 || !objective.is_linear()) {
    throw InputError("objective: found '" + objective.to_string() +
                     "', allowed in a linear program is one of " +
                     list(kGoals, [](const GoalTraits& goal) { return goal.linear; }) +
                     "; edp is a product, and goals in turn are several programs");
  }
  if (is_traced(row_model)) {
    throw InputError("row model: found '" + std::string(name(row_model)) +
                     "', allowed in a linear program are " +
                     list(kRowModels, [](const RowModelTraits& model) { return !model.traced; }) +
                     ": a trace depends on addresses");
  }
}

MappingProgram build_program(const Architecture& architecture, const Workload& workload,
                             const Objective& objective, RowModel row_model, const Mapping* known) {
  require_linear(objective, row_model);
  validate(architecture);
  validate(workload);
  Problem problem{architecture, workload, row_model, mapper::make_scale(architecture, workload),
                  ReadCount(architecture, workload)};
  const Tiling tiling = decide_tiling(problem);
  const Routes routes = decide_routes(problem);
  const Orders orders = decide_orders(problem, tiling);
  keep_capacities(problem, tiling, routes);
  Costs costs(problem.levels());
  charge_array(problem, tiling, routes, costs);
  charge_fills(problem, tiling, orders, routes, costs);
  charge_rows(problem, tiling, orders, costs);
  std::optional<Metrics> figures;
  if (known != nullptr) figures = evaluate(architecture, workload, *known, row_model);
  minimise(problem, costs, objective, figures ? &*figures : nullptr);
  MappingProgram result = problem.program.finished();
  describe(result, problem, objective);
  return result;
}

}  // namespace pimbb::dram_pim::milp
