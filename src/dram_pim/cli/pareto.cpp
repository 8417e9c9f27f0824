// pimbb pareto: the front of a layer or of a network, all trade-offs that nothing beats on every
// axis.
#include <fmt/format.h>

#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/front.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/front_options.hpp"
#include "terminal/front_report.hpp"
#include "terminal/network_summary.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct ParetoSettings {
  LayerSettings layer;
  std::string network;  // instead of a layer
  std::string axes = "latency,energy";
  FrontOptions front;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
};

/// But for notes on the points.
template <class AnyFront>
FrontSummary summary_of(const AnyFront& front, bool interrupted) {
  std::vector<FrontAxis> axes;
  for (const Goal axis : front.axes) {
    axes.push_back({std::string(name(axis)), std::string(traits(axis).suffix)});
  }
  return front_summary(std::move(axes), front, interrupted);
}

/// "front of latency and energy; row activations by the trace model".
std::string front_task(const std::vector<Goal>& axes, const Question& question) {
  std::string text = "front of ";
  for (std::size_t k = 0; k < axes.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == axes.size() ? " and " : ", ") + std::string(name(axes[k]));
  }
  for (const GoalCap& cap : question.caps) {
    text += fmt::format(", {} at most {}", name(cap.goal), number(cap.most));
  }
  if (is_dataflow(question.method)) text += fmt::format(", within {}", name(question.method));
  return text +
         fmt::format("; row activations by the {} model", row_model_name(question.row_model));
}

template <class AnyFront>
void log_front(Log& log, const AnyFront& front) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(front.status);
  fields["points"] = front.points.size();
  fields["covered"] = front.covered.to_double();
  fields["nodes"] = front.nodes;
  fields["leaves"] = front.leaves;
  fields["memory"] = front.memory;
  log.end(std::move(fields), front.seconds, front.threads);
}

/// The table, the claim and the effort.
template <class AnyFront>
std::string front_text(const Style& style, const FrontSummary& summary, const AnyFront& front,
                       bool timeless) {
  Solution effort_of;
  effort_of += front;
  effort_of.seconds = front.seconds;
  effort_of.threads = front.threads;
  return (front.points.empty() ? "" : front_table(style, summary)) + "\n" +
         front_verdict(style, summary) + "\n" + style.faint(effort(effort_of, timeless)) + "\n";
}

NetworkSettings network_of(const ParetoSettings& settings) {
  NetworkSettings network;
  static_cast<MachineSettings&>(network) = static_cast<const MachineSettings&>(settings.layer);
  network.network = settings.network;
  network.network_options = settings.layer.network_options;
  return network;
}

int run_network(const ParetoSettings& settings) {
  if (!settings.layer.layer.empty()) {
    throw InputError("--network: found a layer beside it, allowed is one of them");
  }
  Question question = question_of(settings.question);
  const std::vector<Goal> axes = parse_axes(settings.axes, "--axes");
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Network network = read_layers(network_of(settings));
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const Network merged = merge_equal_layers(network);
  output.report(
      network_heading(style, network, merged, architecture.name, front_task(axes, question)));
  log.start("pareto",
            {{"architecture", architecture.name},
             {"network", network.name},
             {"axes", settings.axes},
             {"method", name(question.method)},
             {"row_model", row_model_name(question.row_model)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  std::size_t done = 0;
  const auto begin_next = [&] {
    session.progress().begin(done < merged.layers.size()
                                 ? fmt::format("{}/{} {}", done + 1, merged.layers.size(),
                                               printable(merged.layers[done].workload.name))
                                 : "totals");
  };
  begin_next();
  const NetworkFront front =
      solve_network_front(architecture, network, axes, question, session.limits(), settings.front,
                          [&](const LayerFront&) {
                            ++done;
                            begin_next();
                          });
  log_front(log, front);
  const FrontSummary summary = summary_of(front, session.interrupted());
  output.report(front_text(style, summary, front, settings.output.timeless));
  output.json(
      [&] { return network_front_json(architecture, network, question, settings.limits, front); });
  output.csv([&] { return front_csv(summary, network.name); });
  output.finish();
  log.finish();
  return exit_code(front.status);
}

int run(const ParetoSettings& settings) {
  terminal::check_front_proof(settings.output, settings.network, settings.front);
  if (!settings.network.empty()) return run_network(settings);
  if (settings.layer.layer.empty()) ask_for_layer();
  Question question = question_of(settings.question);
  check_proof(settings.output, question.method);
  const std::vector<Goal> axes = parse_axes(settings.axes, "--axes");
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Workload layer = read_layer(settings.layer);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(title(style, architecture, layer, front_task(axes, question)));
  log.start("pareto",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"axes", settings.axes},
             {"method", name(question.method)},
             {"row_model", row_model_name(question.row_model)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  const Front front =
      solve_front(architecture, layer, axes, question, session.limits(), settings.front);
  log_front(log, front);
  FrontSummary summary = summary_of(front, session.interrupted());
  for (const FrontPoint& point : front.points) {
    summary.notes.push_back(analyse_dataflow(architecture, layer, point.mapping).label());
  }
  output.report((front.points.empty() ? "" : "\n") +
                front_text(style, summary, front, settings.output.timeless));
  output.json([&] { return front_json(architecture, layer, question, settings.limits, front); });
  output.csv([&] { return front_csv(summary, layer.name); });
  output.report(style.faint(
      write_proof(settings.output.proof, architecture, layer, question, session.limits(), front)));
  output.finish();
  log.finish();
  return exit_code(front.status);
}

OptionRows rows(ParetoSettings& s) {
  return rows_of(
      {layer_rows(s.layer),
       {front_network_row(s.network)},
       front_rows(s.axes, s.front, "latency, energy, activations: two or three different ones"),
       {at_most_row(s.question), constraints_row(s.question)},
       {row_model_row(s.question.row_model)},
       {dataflow_row(s.question)},
       limit_rows(s.limits),
       rules_rows(s.question.rules),
       {json_row(s.output), csv_row(s.output, "a row for each point"),
        terminal::proof_row(s.output), log_row(s.output),
        timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command pareto_command() {
  return {"pareto", "Find all trade-offs of latency, energy and activations that nothing beats",
          "A point is listed if no mapping is at least as good on all axes and better on one. The\n"
          "list is proven to be complete; docs/answers.md explains what that means, and what a\n"
          "limit leaves open.\n"
          "Examples:\n"
          "  pimbb pareto --layer resnet18:conv1\n"
          "  pimbb pareto --layer resnet18:conv1 --axes latency,energy,activations\n"
          "  pimbb pareto --layer resnet18:conv1 --within 1% --json front.json\n"
          "  pimbb pareto --layer resnet18:conv1 --at-most latency=2e6 --csv front.csv\n"
          "  pimbb pareto --network resnet50 --within 0.1% --points 20",
          terminal::prepare<ParetoSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
