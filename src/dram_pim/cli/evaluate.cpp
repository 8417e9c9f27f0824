// pimbb evaluate: what a given mapping costs in every term, or the rule that it breaks.
#include <fmt/format.h>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/device_commands.hpp"
#include "dram_pim/cli/given_mapping.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct EvaluateSettings {
  MappingSettings mapping;
  DeviceSettings device;
  RowModel row_model = Question{}.row_model;
  OutputSettings output;
};

std::string summary_line(const Metrics& metrics) {
  return fmt::format("\nlatency {}, energy {}, edp {}, row activations {}\n",
                     with_unit(Goal::latency, metrics.latency),
                     with_unit(Goal::energy, metrics.energy), with_unit(Goal::edp, metrics.edp()),
                     with_unit(Goal::activations, metrics.activations()));
}

int run(const EvaluateSettings& settings) {
  if (!settings.device.device.empty()) {
    if (settings.mapping.layer.empty()) ask_for_layer();
    return evaluate_on_device(settings.mapping, settings.device, settings.row_model,
                              settings.output);
  }
  const GivenMapping given =
      read_given_mapping(settings.mapping, settings.row_model, settings.output);
  Output output(settings.output);
  const Style style = style_of(settings.output);

  const Metrics metrics =
      evaluate(given.architecture, given.workload, given.mapping, settings.row_model);
  output.report(
      title(style, given.architecture, given.layer,
            fmt::format("evaluating the mapping of {}; {}; row activations by the {} model",
                        printable(settings.mapping.mapping), given.layouts,
                        row_model_name(settings.row_model))) +
      padded_line(given.layer, given.workload.bounds) +
      mapping_report(style, given.architecture, given.workload, given.mapping, metrics,
                     settings.row_model) +
      summary_line(metrics));
  output.json([&] {
    return evaluation_json(given.architecture, given.layer, settings.row_model, given.mapping,
                           metrics);
  });
  output.finish();
  return kProven;
}

OptionRows rows(EvaluateSettings& s) {
  return rows_of({mapping_rows(s.mapping),
                  device_rows(s.device),
                  {row_model_row(s.row_model), json_row(s.output)}});
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "Cost of a given mapping in every term, or the rule that it breaks",
          "Example:\n"
          "  pimbb map --layer resnet18:conv2_x --json best.json\n"
          "  pimbb evaluate --layer resnet18:conv2_x --mapping best.json --row-model hybrid",
          terminal::prepare<EvaluateSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
