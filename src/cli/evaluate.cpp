// pimbb evaluate: what a given mapping costs in every term, or the rule that it breaks.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/format.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"
#include "pimbb/error.hpp"
#include "pimbb/feasibility.hpp"
#include "pimbb/io.hpp"

namespace pimbb::cli {
namespace {

void require_feasible(const Settings& settings, const Architecture& architecture,
                      const Workload& workload, const Mapping& mapping) {
  if (const auto violation = find_violation(architecture, workload, mapping)) {
    throw InputError(fmt::format("{}: the mapping breaks the rule '{}': {}", settings.mapping,
                                 violation->rule, violation->message));
  }
}

std::string summary_line(const Metrics& metrics) {
  return fmt::format("\nlatency {}, energy {}, edp {}, row activations {}\n",
                     with_unit(Goal::latency, metrics.latency),
                     with_unit(Goal::energy, metrics.energy), with_unit(Goal::edp, metrics.edp()),
                     with_unit(Goal::activations, metrics.activations()));
}

}  // namespace

int run_evaluate(const Settings& settings) {
  if (settings.layer.empty()) ask_for_layer();
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --json FILE' writes it");
  }
  const Architecture architecture = io::read_architecture(settings.arch);
  const Workload workload = io::read_workload(settings.layer);
  const Mapping mapping = io::read_mapping(settings.mapping, architecture);
  require_feasible(settings, architecture, workload, mapping);
  Output output(settings);
  const Style style = style_of_stdout(settings.ascii);

  const Metrics metrics = evaluate(architecture, workload, mapping, settings.row_model);
  output.report(
      title(style, architecture, workload,
            fmt::format("evaluating the mapping of {}; row activations by the {} model",
                        printable(settings.mapping), row_model_name(settings.row_model))) +
      mapping_report(style, architecture, workload, mapping, metrics, settings.row_model) +
      summary_line(metrics));
  output.json([&] {
    return io::evaluation_json(architecture, workload, settings.row_model, mapping, metrics);
  });
  output.finish();
  return kProven;
}

}  // namespace pimbb::cli
