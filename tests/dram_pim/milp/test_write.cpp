// The text of both formats, letter by letter, the simplification of rows, and reading programs
// again.
#include <doctest/doctest.h>

#include "dram_pim/milp/build.hpp"
#include "dram_pim/milp/fixed_instances.hpp"
#include "dram_pim/milp/linear_instance.hpp"
#include "lp/format/program_file.hpp"
#include "lp/programs.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using milp::Column;
using milp::Sense;

namespace {

lp::MixedIntegerProgram small_program() {
  milp::ProgramBuilder program;
  const Column x = program.binary("x");
  const Column y = program.cost("y", {});
  program.binary("idle");
  program.row("most", {{x, 4}, {y, 2}, {x, 2}}, Sense::at_most, 8);
  program.row("least", {{y, 1}, {Column::one, -3}}, Sense::at_least, 0);
  program.row("same", {{x, 1}, {y, -1}, {x, -1}}, Sense::equal, -5);
  program.row("holds", {{x, 1}, {x, -1}}, Sense::equal, 0);
  program.row("never", {}, Sense::at_least, 1);
  program.minimise({{y, 3}});
  lp::MixedIntegerProgram result = program.finished().program;
  result.remarks.emplace_back("layer 'a\nb'");
  return result;
}

}  // namespace

TEST_CASE("free MPS") {
  CHECK(lp::write_program(small_program(), lp::ProgramFormat::mps) ==
        "* layer 'a?b'\n"
        "NAME pimbb\n"
        "ROWS\n"
        " N objective\n"
        " L most.r0\n"
        " G least.r1\n"
        " E same.r2\n"
        " E never.r3\n"
        "COLUMNS\n"
        " y most.r0 1\n"
        " y least.r1 1\n"
        " y same.r2 -1\n"
        " y objective 3\n"
        " impossible_3 never.r3 1\n"
        " MARKER1 'MARKER' 'INTORG'\n"
        " x most.r0 3\n"
        " idle objective 0\n"
        " MARKER2 'MARKER' 'INTEND'\n"
        "RHS\n"
        " rhs most.r0 4\n"
        " rhs least.r1 3\n"
        " rhs same.r2 -5\n"
        " rhs never.r3 1\n"
        "BOUNDS\n"
        " BV bound x\n"
        " BV bound idle\n"
        " FX bound impossible_3 0\n"
        "ENDATA\n");
}

TEST_CASE("CPLEX LP") {
  CHECK(lp::write_program(small_program(), lp::ProgramFormat::lp) ==
        "\\ layer 'a?b'\n"
        "Minimize\n"
        " objective: + 3 y + 0 idle\n"
        "Subject To\n"
        " most.r0: + 3 x + 1 y <= 4\n"
        " least.r1: + 1 y >= 3\n"
        " same.r2: - 1 y = -5\n"
        " never.r3: + 1 impossible_3 = 1\n"
        "Bounds\n"
        " impossible_3 = 0\n"
        "Binary\n"
        " x\n"
        " idle\n"
        "End\n");
}

namespace {

/// Writes a program, reads the text and compares.
void check_round_trip(const lp::MixedIntegerProgram& program) {
  for (const auto format : {lp::ProgramFormat::mps, lp::ProgramFormat::lp}) {
    lp::MixedIntegerProgram expected = program;
    if (format == lp::ProgramFormat::lp) expected.name.clear();  // has no place in that format
    const std::string text = lp::write_program(program, format);
    CHECK(testkit::difference(expected, lp::parse_program(text, "text", format)) == "");
  }
}

}  // namespace

TEST_CASE("the exported programs are read as what they were") {
  check_round_trip(small_program());
  std::size_t turn = 0;
  for (const auto& [label, i] : testkit::fixed_instances()) {
    const std::string& name = label;  // clang 14 captures no structured binding
    CAPTURE(name);
    const Goal goal = testkit::kLinearGoals[turn++ % std::size(testkit::kLinearGoals)];
    Objective objective = i.objective;
    objective.goals = {goal};
    check_round_trip(
        milp::build_program(i.architecture, i.workload, objective, RowModel::hybrid).program);
  }
  check_round_trip(milp::build_program(read_architecture("simple_pim"),
                                       read_workload("resnet18:fc"), Objective::parse("energy"),
                                       RowModel::analytic)
                       .program);
}

TEST_CASE("what is not linear is refused") {
  const testkit::Instance i = testkit::fixed_instances().front().second;
  const auto build = [&](const char* objective, RowModel row_model) {
    return milp::build_program(i.architecture, i.workload, Objective::parse(objective), row_model);
  };
  CHECK_THROWS_AS(build("edp", RowModel::hybrid), InputError);
  CHECK_THROWS_AS(build("latency,energy", RowModel::hybrid), InputError);
  CHECK_THROWS_AS(build("latency", RowModel::trace), InputError);
  Workload nothing = i.workload;
  nothing.bounds[0] = 0;
  CHECK_THROWS_AS(milp::build_program(i.architecture, nothing, {}, RowModel::hybrid), InputError);
  CHECK(build("latency", RowModel::hybrid).program.remarks.size() >= 3);
}
