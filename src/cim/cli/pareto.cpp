// pimbb pareto: the front of a layer or of a network, all trade-offs between latency and energy
// that nothing beats on both.
#include <fmt/format.h>

#include "cim/cli/certificate.hpp"
#include "cim/cli/commands.hpp"
#include "cim/cli/options.hpp"
#include "cim/cli/report.hpp"
#include "pimbb/cim/network_front.hpp"
#include "pimbb/error.hpp"
#include "terminal/certificate.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/front_options.hpp"
#include "terminal/front_report.hpp"
#include "terminal/network_summary.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
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

std::string front_task(const std::vector<Goal>& axes, const Question& question) {
  std::string text = fmt::format("front of {} and {}", name(axes[0]), name(axes[1]));
  for (const GoalCap& cap : question.caps) {
    text += fmt::format(", {} at most {}", name(cap.goal), number(cap.most));
  }
  return text + "; " + pricing_text(question.pricing);
}

/// But for notes on the points.
template <class AnyFront>
FrontSummary summary_of(const AnyFront& front, bool interrupted) {
  std::vector<FrontAxis> axes;
  for (const Goal axis : front.axes) {
    axes.push_back({std::string(name(axis)), axis == Goal::latency ? " cycles" : " nJ"});
  }
  return front_summary(std::move(axes), front, interrupted);
}

template <class AnyFront>
void log_front(Log& log, const AnyFront& front) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = std::string(name(front.status));
  fields["points"] = front.points.size();
  fields["covered"] = front.covered.to_double();
  fields["nodes"] = front.labels;
  fields["solves"] = front.solves;
  fields["memory"] = front.memory;
  log.end(std::move(fields), front.seconds, front.threads);
}

/// The table, the claim and the effort.
template <class AnyFront>
std::string front_text(const Style& style, const FrontSummary& summary, const AnyFront& front,
                       bool timeless) {
  std::string effort = fmt::format("{}, {}",
                                   number(static_cast<std::int64_t>(front.solves)) +
                                       (front.solves == 1 ? " search" : " searches"),
                                   number(static_cast<std::int64_t>(front.labels)) + " labels");
  if (!timeless) {
    effort += fmt::format(", {}, {}", duration(front.seconds), plural(front.threads, "thread"));
  }
  return (front.points.empty() ? "" : front_table(style, summary)) + "\n" +
         front_verdict(style, summary) + "\n" + style.faint(effort) + "\n";
}

int run_network(const ParetoSettings& settings, const Question& question,
                const std::vector<Goal>& axes) {
  if (!settings.layer.layer.empty()) {
    throw InputError("--network: found a layer beside it, allowed is one of them");
  }
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Network network = read_network(settings.network, settings.layer.network_options);
  for (const NetworkLayer& layer : network.layers) {
    terminal::refuse_padding(layer.workload, "an architecture of kind cim");
  }
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const Network merged = merge_equal_layers(network);
  output.report(network_heading(style, network, merged,
                                printable(architecture.name) + ": " + summary(architecture),
                                front_task(axes, question)));
  log.start("pareto",
            {{"architecture", architecture.name},
             {"network", network.name},
             {"axes", settings.axes},
             {"semantics", name(question.pricing.semantics)}},
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
  const Question question = question_of(settings.question);
  check_proof(settings.output, kMethodNames[static_cast<std::size_t>(question.method)],
              question.method != Method::greedy, "exact or ws");
  const std::vector<Goal> axes = parse_axes(settings.axes, "--axes");
  if (!settings.network.empty()) return run_network(settings, question, axes);
  if (settings.layer.layer.empty()) ask_for_layer();
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Workload layer = read_workload(settings.layer.layer, settings.layer.network_options);
  terminal::refuse_padding(layer, "an architecture of kind cim");
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(title(style, architecture, layer, front_task(axes, question)));
  log.start("pareto",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"axes", settings.axes},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  const Front front =
      solve_front(architecture, layer, axes, question, session.limits(), settings.front);
  log_front(log, front);
  const FrontSummary summary = summary_of(front, session.interrupted());
  output.report("\n" + front_text(style, summary, front, settings.output.timeless));
  output.json([&] { return front_json(architecture, layer, question, settings.limits, front); });
  output.csv([&] { return front_csv(summary, layer.name); });
  output.report(style.faint(write_certificate(settings.output.proof, architecture, layer, question,
                                              session.limits(), front)));
  output.finish();
  log.finish();
  return exit_code(front.status);
}

OptionRows rows(ParetoSettings& s) {
  return rows_of(
      {layer_rows(s.layer),
       {front_network_row(s.network)},
       front_rows(s.axes, s.front, "latency and energy, the first one orders the points"),
       {at_most_row(s.question)},
       pricing_rows(s.question.question.pricing),
       space_rows(s.question.question),
       limit_rows(s.limits),
       {json_row(s.output), csv_row(s.output, "a row for each point"),
        terminal::proof_row(s.output), log_row(s.output),
        timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command pareto_command() {
  return {"pareto", "Find all trade-offs of latency and energy that nothing beats",
          "With SRAM compute-in-memory:\n"
          "  pimbb pareto --arch miredo_default --layer resnet18:conv5_x\n"
          "  pimbb pareto --arch miredo_default --layer resnet18:fc --proof front.proof\n"
          "  pimbb pareto --arch miredo_default --network alexnet --points 20",
          terminal::prepare<ParetoSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
