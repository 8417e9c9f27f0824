// pimbb evaluate: what a given mapping costs in every term, or the rule that it breaks.
#include <fmt/format.h>

#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/given_mapping.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/output.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string summary_line(const Metrics& metrics) {
  return fmt::format("\nlatency {}, energy {}, edp {}, row activations {}\n",
                     with_unit(Goal::latency, metrics.latency),
                     with_unit(Goal::energy, metrics.energy), with_unit(Goal::edp, metrics.edp()),
                     with_unit(Goal::activations, metrics.activations()));
}

}  // namespace

int run_evaluate(const Settings& settings) {
  const GivenMapping given = read_given_mapping(settings);
  Output output(settings);
  const Style style = style_of_stdout(settings.ascii);

  const Metrics metrics =
      evaluate(given.architecture, given.workload, given.mapping, settings.row_model);
  output.report(
      title(style, given.architecture, given.workload,
            fmt::format("evaluating the mapping of {}; {}; row activations by the {} model",
                        printable(settings.mapping), given.layouts,
                        row_model_name(settings.row_model))) +
      mapping_report(style, given.architecture, given.workload, given.mapping, metrics,
                     settings.row_model) +
      summary_line(metrics));
  output.json([&] {
    return evaluation_json(given.architecture, given.workload, settings.row_model, given.mapping,
                           metrics);
  });
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
