// pimbb evaluate: the cost of a given mapping.
#include <fmt/format.h>

#include "cim/cli/commands.hpp"
#include "cim/cli/given_mapping.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"

namespace pimbb::cim::cli {
namespace {

struct EvaluateSettings {
  MappingSettings mapping;
  Pricing pricing;
  OutputSettings output;
};

std::string totals(const Metrics& metrics) {
  std::string text =
      fmt::format("\nlatency {}, energy {}, edp {}\n", with_unit(Goal::latency, metrics.latency),
                  with_unit(Goal::energy, metrics.energy), with_unit(Goal::edp, metrics.edp()));
  for (std::size_t s = 0; s < kSemantics; ++s) {
    text += fmt::format("{}{} {}", s == 0 ? "without contention: " : ", ", kSemanticsNames[s],
                        number(metrics.latencies[s]));
  }
  return text + "\n";
}

int run(const EvaluateSettings& settings) {
  const GivenMapping given =
      read_given_mapping(settings.mapping, settings.pricing.padding, settings.output);
  Output output(settings.output);
  const Style style = style_of(settings.output);
  const Metrics metrics =
      evaluate(given.architecture, given.workload, given.mapping, settings.pricing);
  output.report(
      title(style, given.architecture, given.workload,
            fmt::format("evaluating the mapping of {}; {}", printable(settings.mapping.mapping),
                        pricing_text(settings.pricing))) +
      mapping_report(style, given.architecture, given.workload, given.mapping, metrics) +
      totals(metrics));
  output.json(
      [&] { return evaluation_json(given.architecture, given.workload, given.mapping, metrics); });
  output.finish();
  return kProven;
}

OptionRows rows(EvaluateSettings& s) {
  return rows_of({mapping_rows(s.mapping), pricing_rows(s.pricing), {json_row(s.output)}});
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "Cost of a given mapping in every term, or the rule that it breaks",
          "With SRAM compute-in-memory:\n"
          "  pimbb map --arch miredo_default --layer resnet18:fc --json best.json\n"
          "  pimbb evaluate --arch miredo_default --layer resnet18:fc --mapping best.json "
          "--semantics simulator",
          terminal::prepare<EvaluateSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
