// pimbb map: the best mapping of one layer, and the proof status of that claim.
#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"
#include "cli/verdict.hpp"
#include "pimbb/io.hpp"

namespace pimbb::cli {
namespace {

struct Solved {
  Solution solution;
  bool interrupted = false;
};

Solved search(const Settings& settings, const Architecture& architecture,
              const Workload& workload) {
  Session session(settings);
  Solution solution = solve(architecture, workload, session.options());
  return {std::move(solution), session.interrupted()};
}

}  // namespace

int run_map(const Settings& settings) {
  if (settings.layer.empty()) ask_for_layer();
  const SolveOptions options = solve_options(settings);
  const Architecture architecture = io::read_architecture(settings.arch);
  const Workload workload = io::read_workload(settings.layer);
  Output output(settings);
  const Style style = style_of_stdout(settings.ascii);

  output.report(title(style, architecture, workload, task(options)));
  const auto [solution, interrupted] = search(settings, architecture, workload);
  if (solution.mapping && solution.metrics) {
    output.report(mapping_report(style, architecture, workload, *solution.mapping,
                                 *solution.metrics, options.row_model));
  }
  output.report("\n" + verdict(style, solution, interrupted) + "\n" +
                style.faint(effort(solution)) + "\n");
  output.json([&] { return io::solution_json(architecture, workload, options, solution); });
  output.finish();
  return exit_code(solution.status);
}

}  // namespace pimbb::cli
