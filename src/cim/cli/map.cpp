// pimbb map: the best mapping of one layer, the proof status of that claim, and what restrictions
// of the space cost.
#include <fmt/format.h>

#include "cim/cli/certificate.hpp"
#include "cim/cli/commands.hpp"
#include "cim/cli/comparison.hpp"
#include "cim/cli/options.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "pimbb/cim/proof.hpp"
#include "terminal/certificate.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
namespace {

struct MapSettings {
  LayerSettings layer;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
  std::string instance;  ///< where to write the problem, "-" for standard output, empty: solve it
};

struct Searched {
  Solution solution;
  std::optional<Solution> whole;  ///< of the whole space, if that was another one
  bool interrupted = false;
};

Searched search(const MapSettings& settings, const Question& question,
                const Architecture& architecture, const Workload& workload, Log& log) {
  log.start("map",
            {{"architecture", architecture.name},
             {"layer", workload.name},
             {"objective", question.objective.to_string()},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Searched found;
  found.solution = solve(architecture, workload, question, session.limits());
  found.whole =
      solve_whole_space(architecture, workload, question, session.limits(), found.solution);
  found.interrupted = session.interrupted();
  return found;
}

std::string document(const Architecture& architecture, const Workload& workload,
                     const Question& question, const RunLimits& limits, const Searched& found) {
  const std::string text = solution_json(architecture, workload, question, limits, found.solution);
  if (!found.whole) return text;
  files::Json json = files::Json::parse(text);
  json["optimum"] = comparison_json(question.objective, found.solution, *found.whole);
  return files::to_text(json);
}

int run(const MapSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  const Question question = question_of(settings.question);
  const std::string_view method = kMethodNames[static_cast<std::size_t>(question.method)];
  const bool proven = question.method != Method::greedy;
  check_proof(settings.output, method, proven, "exact or ws");
  check_instance(settings.instance, settings.output, method, proven, "exact or ws");
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Workload workload = read_workload(settings.layer.layer, settings.layer.network_options);
  terminal::refuse_padding(workload, "an architecture of kind cim");
  Output output(settings.output);
  if (!settings.instance.empty()) {
    write_instance(settings.instance, canonical_instance(architecture, workload, question), output);
    return kProven;
  }
  Log log(settings.output);
  const Style style = style_of(settings.output);

  output.report(title(style, architecture, workload, task(question)));
  const Searched found = search(settings, question, architecture, workload, log);
  const Solution& solution = found.solution;
  log_solution(log, "end", solution);
  if (solution.mapping && solution.metrics) {
    output.report(
        mapping_report(style, architecture, workload, *solution.mapping, *solution.metrics));
  }
  output.report("\n" + verdict(style, question, solution, found.interrupted) + "\n");
  if (found.whole) output.report(comparison_text(style, solution, *found.whole));
  output.report(style.faint(effort(solution, settings.output.timeless)) + "\n");
  output.report(write_certificate(settings.output.proof, architecture, workload, question,
                                  settings.limits, solution));
  output.json([&] { return document(architecture, workload, question, settings.limits, found); });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

OptionRows rows(MapSettings& s) {
  return rows_of({layer_rows(s.layer),
                  objective_rows(s.question),
                  {at_most_row(s.question)},
                  pricing_rows(s.question.question.pricing),
                  space_rows(s.question.question),
                  limit_rows(s.limits),
                  {json_row(s.output), proof_row(s.output), instance_row(s.instance),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command map_command() {
  return {"map", "Find the best mapping of one layer and prove that it is the best",
          "With SRAM compute-in-memory:\n"
          "  pimbb map --arch miredo_default --layer resnet18:conv2_x --objective edp\n"
          "  pimbb map --arch miredo_default --layer resnet18:conv4_x --factors prime\n"
          "  pimbb map --arch miredo_default --layer resnet18:fc --objective energy --at-most "
          "latency=2e6",
          terminal::prepare<MapSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
