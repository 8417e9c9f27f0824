// The text of both formats, letter by letter, and the simplification of rows.
#include <doctest/doctest.h>

#include "dram_pim/milp/build.hpp"
#include "dram_pim/milp/write.hpp"
#include "milp/fixed_instances.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;

using namespace pimbb::dram_pim;
using milp::Column;
using milp::Model;
using milp::Sense;

namespace {

Model small() {
  Model model;
  const Column x = model.binary("x");
  const Column y = model.continuous("y");
  model.binary("idle");
  model.row("most", {{x, 4}, {y, 2}, {x, 2}}, Sense::at_most, 8);
  model.row("least", {{y, 1}, {Column::one, -3}}, Sense::at_least, 0);
  model.row("same", {{x, 1}, {y, -1}, {x, -1}}, Sense::equal, -5);
  model.row("holds", {{x, 1}, {x, -1}}, Sense::equal, 0);
  model.row("never", {}, Sense::at_least, 1);
  model.minimise({{y, 3}, {x, -1}}, 2);
  model.remarks = {"layer 'a\nb'"};
  return model;
}

}  // namespace

TEST_CASE("free MPS") {
  CHECK(milp::free_mps(small()) ==
        "* layer 'a?b'\n"
        "NAME pimbb\n"
        "ROWS\n"
        " N objective\n"
        " L most.r0\n"
        " G least.r1\n"
        " E same.r2\n"
        " E never.r3\n"
        "COLUMNS\n"
        " one least.r1 -3\n"
        " one never.r3 1\n"
        " y most.r0 1\n"
        " y least.r1 1\n"
        " y same.r2 -1\n"
        " y objective 3\n"
        " MARKER1 'MARKER' 'INTORG'\n"
        " x most.r0 3\n"
        " x objective -1\n"
        " idle objective 0\n"
        " MARKER2 'MARKER' 'INTEND'\n"
        "RHS\n"
        " rhs most.r0 4\n"
        " rhs same.r2 -5\n"
        "BOUNDS\n"
        " FX bound one 1\n"
        " BV bound x\n"
        " BV bound idle\n"
        "ENDATA\n");
}

TEST_CASE("CPLEX LP") {
  CHECK(milp::cplex_lp(small()) ==
        "\\ layer 'a?b'\n"
        "Minimize\n"
        " objective: - 1 x + 3 y + 0 idle\n"
        "Subject To\n"
        " most.r0: + 3 x + 1 y <= 4\n"
        " least.r1: - 3 one + 1 y >= 0\n"
        " same.r2: - 1 y = -5\n"
        " never.r3: + 1 one = 0\n"
        "Bounds\n"
        " one = 1\n"
        "Binary\n"
        " x\n"
        " idle\n"
        "End\n");
}

TEST_CASE("what is not linear is refused") {
  const testkit::Instance i = testkit::fixed_instances().front().second;
  const auto build = [&](const char* objective, RowModel row_model) {
    return milp::build_model(i.architecture, i.workload, Objective::parse(objective), row_model);
  };
  CHECK_THROWS_AS(build("edp", RowModel::hybrid), InputError);
  CHECK_THROWS_AS(build("latency,energy", RowModel::hybrid), InputError);
  CHECK_THROWS_AS(build("latency", RowModel::trace), InputError);
  Workload nothing = i.workload;
  nothing.bounds[0] = 0;
  CHECK_THROWS_AS(milp::build_model(i.architecture, nothing, {}, RowModel::hybrid), InputError);
  CHECK(build("latency", RowModel::hybrid).remarks.size() >= 3);
}
