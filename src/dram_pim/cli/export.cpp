// pimbb export: the mapping problem as a linear program, for other solvers.
#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/output.hpp"
#include "dram_pim/milp/build.hpp"
#include "dram_pim/milp/write.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string size_of(const milp::Model& model) {
  const auto binaries = std::ranges::count_if(model.columns(), &milp::Model::Variable::binary);
  return fmt::format("{} columns ({} binary), {} rows", model.columns().size(), binaries,
                     model.rows().size());
}

}  // namespace

int run_export(const Settings& settings) {
  if (settings.layer.empty()) ask_for_layer();
  const Question question = question_of(settings);
  const Architecture architecture = read_architecture(settings.arch);
  const Workload workload = read_workload(settings.layer, settings.network_options);
  const milp::Model model =
      milp::build_model(architecture, workload, question.objective, settings.program_row_model);
  const std::string text = settings.format == "lp" ? milp::cplex_lp(model) : milp::free_mps(model);
  Output output(settings);
  if (settings.output == "-") {
    output.content(text);
  } else {
    write_file(settings.output, text);
    output.report(fmt::format("{}: {}; {}\n", printable(settings.output), size_of(model),
                              fmt::join(model.remarks, "; ")));
  }
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
