// Putting the parts together, and refusing what is not linear.
#include "dram_pim/milp/build.hpp"

#include "dram_pim/milp/array.hpp"
#include "dram_pim/milp/capacity.hpp"
#include "dram_pim/milp/fills.hpp"
#include "dram_pim/milp/row_costs.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::milp {
namespace {

void require_linear(const Objective& objective, RowModel row_model) {
  if (objective.goals.size() != 1 || objective.goals.front() == Goal::edp) {
    throw InputError("objective: found '" + objective.to_string() +
                     "', allowed in a linear program is one of latency, energy, activations, "
                     "blended; edp is a product, and goals in turn are several programs");
  }
  if (row_model == RowModel::trace) {
    throw InputError(
        "row model: found 'trace', allowed in a linear program are analytic, hybrid: a trace "
        "depends on addresses");
  }
}

std::string unit_of(Goal goal) {
  switch (goal) {
    case Goal::latency: return "cycles";
    case Goal::energy: return "nJ";
    case Goal::activations: return "activations";
    default: return "alpha * cycles + beta * nJ";
  }
}

void describe(Problem& problem, const Objective& objective) {
  ProgramBuilder& program = problem.program;
  program.remark("architecture " + problem.architecture.name + ", layer " + problem.workload.name);
  program.remark("objective " + objective.to_string() + ", row model " +
                 std::string(kRowModelNames[static_cast<std::size_t>(problem.row_model)]));
  if (objective.goals.front() == Goal::blended) {
    program.remark("alpha " + objective.alpha.to_string() + ", beta " + objective.beta.to_string());
  }
  program.remark("optimum = " + program.result().scale.to_string() + " * (" +
                 unit_of(objective.goals.front()) + ")");
  for (std::size_t m = 0; m < problem.levels(); ++m) {
    program.remark("level " + std::to_string(m) + " = " + problem.architecture.levels[m].name);
  }
}

}  // namespace

MappingProgram build_program(const Architecture& architecture, const Workload& workload,
                             const Objective& objective, RowModel row_model) {
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
  minimise(problem, costs, objective);
  describe(problem, objective);
  return std::move(problem.program).result();
}

}  // namespace pimbb::dram_pim::milp
