// pimbb map: the best mapping of one layer, and the proof status of that claim.
#include <fmt/format.h>

#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/output.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/session.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct Solved {
  Solution solution;
  bool interrupted = false;
};

Solved search(const Settings& settings, const Architecture& architecture, const Workload& workload,
              Log& log) {
  log.start("map",
            {{"architecture", architecture.name},
             {"layer", workload.name},
             {"objective", settings.objective.to_string()},
             {"method", name(settings.method)},
             {"row_model", row_model_name(settings.row_model)}},
            limits_of(settings));
  Session session(settings, log);
  Solution solution = solve(architecture, workload, session.question(), session.limits());
  return {std::move(solution), session.interrupted()};
}

}  // namespace

int run_map(const Settings& settings) {
  if (settings.layer.empty()) ask_for_layer();
  const Question question = question_of(settings);
  const RunLimits limits = limits_of(settings);
  check_proof(settings);
  const Architecture architecture = read_architecture(settings.arch);
  const Workload workload = read_workload(settings.layer, settings.network_options);
  Output output(settings);
  Log log(settings);
  const Style style = style_of_stdout(settings.ascii);

  output.report(title(style, architecture, workload, task(question)));
  const auto [solution, interrupted] = search(settings, architecture, workload, log);
  log.solution("end", solution);
  if (solution.mapping && solution.metrics) {
    output.report(mapping_report(style, architecture, workload, *solution.mapping,
                                 *solution.metrics, question.row_model));
  }
  output.report("\n" + verdict(style, solution, interrupted) + "\n" +
                style.faint(effort(solution, settings.timeless)) + "\n");
  output.report(write_proof(settings, architecture, workload, solution));
  output.json([&, &found = solution] {
    return solution_json(architecture, workload, question, limits, found);
  });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

}  // namespace pimbb::dram_pim::cli
