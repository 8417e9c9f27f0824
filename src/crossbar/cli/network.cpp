// pimbb network: the best mapping of a whole network, or that of a heuristic.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "crossbar/cli/answer.hpp"
#include "crossbar/cli/bound.hpp"
#include "crossbar/cli/certificate.hpp"
#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/certificate.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct NetworkSettings {
  ProblemSettings problem;
  Asked asked;
  SimulationSettings simulation;
  RunLimits limits;
  OutputSettings output;
};

struct Searched {
  Answer answer;
  Simulated simulated;
  std::string proof;  ///< a line for the report; empty if none is wanted
};

std::string task(const Asked& asked) {
  if (asked.simulated) {
    return fmt::format("minimise the simulated time in the schedule {}",
                       kModeNames[static_cast<std::size_t>(asked.schedule())]);
  }
  return fmt::format("minimise {}{}", asked.goal(),
                     asked.baseline ? fmt::format(" by {}", name(*asked.baseline)) : "");
}

Searched search(const NetworkSettings& settings, const Problem& problem, Log& log) {
  log.start("network",
            {{"architecture", problem.architecture.name},
             {"network", problem.partition.graph.name},
             {"nodes", problem.partition.arrays.size()},
             {"objective", settings.asked.goal()},
             {"method", settings.asked.method()}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Searched found{answer(problem, settings.asked, session.limits()), {}, ""};
  found.answer.interrupted = session.interrupted();
  found.simulated.options.mode = settings.asked.schedule();
  if (found.answer.mapping) {
    session.progress().begin("simulating");
    found.simulated = simulate(settings.simulation, problem, *found.answer.mapping,
                               settings.asked.schedule(), session.limits());
  }
  if (!settings.output.proof.empty()) {
    session.progress().begin("proving");
    found.proof = write_certificate(settings.output.proof, problem,
                                    {found.answer.best->result.goal, settings.asked.seed},
                                    session.limits(), *found.answer.best);
  }
  return found;
}

/// Whose answers can be proven.
bool has_proof(const Asked& asked) { return !asked.baseline && asked.exact_goal(); }

std::vector<std::string_view> objectives() {
  std::vector<std::string_view> all(kEstimateNames.begin(), kEstimateNames.end());
  all.push_back(kSimulated);
  return all;
}

int run(const NetworkSettings& given) {
  NetworkSettings settings = given;
  if (settings.asked.simulated) settings.simulation.simulate = true;
  check(settings.asked, settings.simulation);
  check(settings.simulation, settings.output);
  check_proof(settings.output, settings.asked.method(), has_proof(settings.asked),
              "exact, for the objectives ht and ll");
  const Problem problem = read_problem(settings.problem, settings.output);
  check_provable(settings.output, problem);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const bool timeless = settings.output.timeless;
  output.report(title(style, problem, task(settings.asked)));
  const auto [found, simulated, proof] = search(settings, problem, log);
  log.result("end", log_fields(settings.asked, found, simulated, timeless));
  if (found.mapping) {
    output.report(mapping_report(style, problem, *found.mapping, *found.metrics, simulated) +
                  bound_section(style, problem, settings.asked, found));
  }
  output.report("\n" + verdict(style, settings.asked, found) +
                style.faint(effort(found, timeless)) + "\n");
  if (found.mapping) output.report(stream_text(style, settings.simulation, simulated));
  output.report(proof);
  output.json([&, &answer = found, &times = simulated] {
    return with_simulation(answer_json(problem, settings.asked, answer, timeless), problem, times);
  });
  output.finish();
  log.finish();
  return simulated.stopped.empty() ? exit_code(found.status) : kUnproven;
}

/// The simulated time, or estimates separated by commas.
void read_goals(std::string_view option, const std::string& text, Asked& asked) {
  std::vector<std::size_t> places;
  std::istringstream list(text + ",");
  for (std::string part; std::getline(list, part, ',');) {
    const std::size_t place = place_among(option, part, objectives());
    if (std::ranges::count(places, place) > 0) refuse(option, text, "each objective once");
    places.push_back(place);
  }
  asked.simulated = places.front() == kEstimateNames.size();
  asked.objective = asked.simulated ? Estimate::ht : static_cast<Estimate>(places.front());
  asked.then.clear();
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (asked.simulated || places[i] == kEstimateNames.size()) {
      refuse(option, text, "lists of estimates, or sim alone");
    }
    asked.then.push_back(static_cast<Estimate>(places[i]));
  }
}

OptionRows asked_rows(Asked& s) {
  return {
      {"--objective", "GOALS", groups::kGoal, "ht",
       "ht, ht-roof, ht-code, ll, ll-paper, ll-code, traffic, energy, edp (ht by default), or a "
       "list of these; or sim, the simulated time in the schedule of --mode; --method exact "
       "proves ht and ll, and looks for good mappings with proven bounds for the others",
       [&](auto option, auto& text) { read_goals(option, text, s); },
       [] { return one_of(objectives()); }},
      mode_row(s.mode),
      {"--method", "METHOD", groups::kMethod, "exact",
       "exact, or a heuristic whose proven gap the report states: puma, w0h0, uniform (rules "
       "of replication) or ga (the genetic algorithm of PIMCOMP)",
       [&](auto option, auto& text) {
         const std::size_t place = place_among(option, text, methods());
         s.baseline = place == 0 ? std::nullopt : std::optional(static_cast<Baseline>(place - 1));
       },
       [] { return one_of(methods()); }},
      seed_row(s.seed)};
}

OptionRows rows(NetworkSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/true),
                  asked_rows(s.asked),
                  simulation_rows(s.simulation),
                  limit_rows(s.limits),
                  {json_row(s.output), proof_row(s.output), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command network_command() {
  return {
      "network", "Map every layer of a network; equal layers are solved once",
      "With crossbar accelerators:\n"
      "  pimbb network --arch pimcomp --network resnet18 --objective ht --time-limit 10 --proof "
      "ht.proof\n"
      "  pimbb network --arch pimcomp --network vgg16 --objective ll --method ga --json ga.json\n"
      "  pimbb network --arch pimcomp --network vgg16 --objective sim --mode ll --time-limit 60\n"
      "  pimbb network --arch pimcomp --network vgg16 --method puma --simulate --stream "
      "puma.jsonl",
      terminal::prepare<NetworkSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
