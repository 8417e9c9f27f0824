// pimbb audit: a given mapping against the best there is.
#include "pimbb/dram_pim/audit.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/audit_json.hpp"
#include "dram_pim/cli/audit_report.hpp"
#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/output.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/session.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct Audited {
  Audit audit;
  bool interrupted = false;
};

Audited search(const Settings& settings, const GivenMapping& given, Log& log) {
  log.start("audit",
            {{"architecture", given.architecture.name},
             {"layer", given.workload.name},
             {"mapping", settings.mapping},
             {"objective", settings.objective.to_string()},
             {"row_model", row_model_name(settings.row_model)}},
            limits_of(settings));
  Session session(settings, log);
  Audit result = audit(given.architecture, given.workload, given.mapping, session.question(),
                       session.limits());
  return {std::move(result), session.interrupted()};
}

}  // namespace

int run_audit(const Settings& settings) {
  const Question question = question_of(settings);
  const RunLimits limits = limits_of(settings);
  check_proof(settings);
  const GivenMapping given = read_given_mapping(settings);
  Output output(settings);
  Log log(settings);
  const Style style = style_of_stdout(settings.ascii);

  output.report(title(style, given.architecture, given.workload,
                      fmt::format("the mapping of {}, {}, against the best: {}",
                                  printable(settings.mapping), given.layouts, task(question))));
  const auto [audit, interrupted] = search(settings, given, log);
  log.solution("end", audit.solution);
  output.report(audit_report(style, given, audit) + goal_table(style, audit) + "\n" +
                audit_verdict(style, audit, interrupted) + "\n" +
                style.faint(effort(audit.solution, settings.timeless)) + "\n");
  output.report(write_proof(settings, given.architecture, given.workload, audit.solution));
  output.json([&, &found = audit] { return audit_json(given, found, question, limits); });
  output.finish();
  log.finish();
  return audit.certified() ? kProven : kUnproven;
}

}  // namespace pimbb::dram_pim::cli
