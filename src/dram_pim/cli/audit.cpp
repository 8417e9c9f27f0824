// pimbb audit: a given mapping against the best there is.
#include "pimbb/dram_pim/audit.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/audit_json.hpp"
#include "dram_pim/cli/audit_report.hpp"
#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/device_commands.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct AuditSettings {
  MappingSettings mapping;
  DeviceSettings device;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
};

struct Audited {
  Audit audit;
  bool interrupted = false;
};

Audited search(const AuditSettings& settings, const Question& question, const GivenMapping& given,
               Log& log) {
  log.start("audit",
            {{"architecture", given.architecture.name},
             {"layer", given.layer.name},
             {"mapping", settings.mapping.mapping},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Audit result = audit(given.architecture, given.layer, given.mapping, question, session.limits());
  return {std::move(result), session.interrupted()};
}

int run(const AuditSettings& settings) {
  if (!settings.device.device.empty()) {
    if (settings.mapping.layer.empty()) ask_for_layer();
    return audit_on_device(
        {settings.mapping, settings.device, settings.question, settings.limits, settings.output});
  }
  Question question = question_of(settings.question);
  const RunLimits limits = settings.limits;
  check_proof(settings.output, question.method);
  const GivenMapping given =
      read_given_mapping(settings.mapping, question.row_model, settings.output);
  add_constraints(question, settings.question, given.architecture);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);

  output.report(title(style, given.architecture, given.layer,
                      fmt::format("the mapping of {}, {}, against the best: {}",
                                  printable(settings.mapping.mapping), given.layouts,
                                  task(question, given.layer))));
  const auto [audit, interrupted] = search(settings, question, given, log);
  log_solution(log, "end", audit.solution);
  output.report(audit_report(style, given, audit) + goal_table(style, audit) + "\n" +
                audit_verdict(style, audit, interrupted) + "\n" +
                style.faint(effort(audit.solution, settings.output.timeless)) + "\n");
  output.report(write_proof(settings.output.proof, given.architecture, given.layer, question,
                            limits, audit.solution));
  output.json([&, &found = audit] { return audit_json(given, found, question, limits); });
  output.finish();
  log.finish();
  return audit.certified() ? kProven : kUnproven;
}

OptionRows rows(AuditSettings& s) {
  return rows_of({mapping_rows(s.mapping),
                  {pad_row(s.mapping.padding)},
                  device_rows(s.device),
                  objective_rows(s.question),
                  {constraints_row(s.question), row_model_row(s.question.row_model)},
                  limit_rows(s.limits),
                  rules_rows(s.question.rules),
                  {json_row(s.output), proof_row(s.output), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command audit_command() {
  return {"audit", "How far a given mapping is from the best, term by term, with a proof",
          "The best mapping is found and proven as 'pimbb map' does it, and both are compared in "
          "every\n"
          "term. docs/audit.md explains the report and how Timeloop mappings are read.\n"
          "\n"
          "Examples:\n"
          "  pimbb map --layer resnet18:conv2_x --method ws --json ws.json\n"
          "  pimbb audit --layer resnet18:conv2_x --mapping ws.json\n"
          "  pimbb audit --layer resnet18:conv2_x --mapping timeloop.map.yaml --layout best\n"
          "  pimbb audit --layer resnet18:fc --mapping my.json --objective latency,energy --proof "
          "best.proof\n"
          "  pimbb audit --device hbm_pim_stack --layer resnet50:fc --mapping kernel.json",
          terminal::prepare<AuditSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
