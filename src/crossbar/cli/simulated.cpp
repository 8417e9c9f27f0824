// A stream is written while it is made, next to its file, and takes its name when it is complete.
#include "crossbar/cli/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crossbar/io/simulation_json.hpp"
#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"
#include "terminal/bars.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"

namespace pimbb::crossbar::cli {
namespace {

std::optional<Simulation> write_to_file(const SimulationSettings& settings, const Problem& problem,
                                        const Mapping& mapping, const RunLimits& limits,
                                        Simulated& result) {
  std::optional<Simulation> simulation;
  write_file(settings.stream, [&](const Sink& sink) {
    simulation = write_stream(
        [&](std::string_view text) {
          result.lines += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
          sink(text);
        },
        problem.architecture, problem.partition, mapping, result.options, settings.simulate,
        limits);
  });
  return simulation;
}

/// The average time in which resources of a kind work.
std::vector<Term> working(const Utilization& used, const Rational& time) {
  return {{"arrays", used.arrays * time},
          {"memory", used.memory * time},
          {"bus", used.bus * time},
          {"link", used.link * time},
          {"vector units", used.vector * time}};
}

}  // namespace

OptionRows simulation_rows(SimulationSettings& s) {
  return {
      {"--simulate", nullptr, groups::kMethod, "",
       "Also simulate the instructions of the mapping, in the schedule of --mode: time, busy "
       "times, "
       "energy, local memory",
       [&](auto, auto&) { s.simulate = true; }},
      {"--policy", "POLICY", groups::kMethod, "add",
       "How blocks of output share local memory in the simulation: naive, add (sums in place), ag "
       "(three blocks in turn, which delays multiplications), live (the most bytes alive at once) "
       "or exact (offsets for all blocks)",
       [&](auto option, auto& text) {
         s.policy = static_cast<Policy>(place_among(option, text, kPolicyNames));
       },
       [] { return one_of(kPolicyNames); }},
      {"--stream", "FILE", groups::kOutput, "",
       "Also write the instructions of all cores as JSON lines; with --simulate each has its start",
       [&](auto option, auto& text) { s.stream = file(option, text); }, any_file}};
}

void check(const SimulationSettings& settings, const OutputSettings& output) {
  if (settings.policy && !settings.wanted()) {
    throw InputError("--policy: found without --simulate, allowed with --simulate or --stream");
  }
  if (settings.stream.empty()) return;
  for (const auto& [option, other] :
       {std::pair{"--json", &output.json}, {"--proof", &output.proof}, {"--log", &output.log}}) {
    if (settings.stream != *other) continue;
    throw InputError(
        fmt::format("--stream: found '{}', which is also the file of {}", settings.stream, option));
  }
  check_writable("--stream", settings.stream);
}

Simulated simulate(const SimulationSettings& settings, const Problem& problem,
                   const Mapping& mapping, Mode mode, const RunLimits& limits) {
  Simulated result;
  result.options = {mode, settings.policy.value_or(Policy::add)};
  if (!settings.wanted()) return result;
  try {
    result.simulation = settings.stream.empty()
                            ? crossbar::simulate(problem.architecture, problem.partition, mapping,
                                                 result.options, limits)
                            : write_to_file(settings, problem, mapping, limits, result);
  } catch (const LimitError& limit) {
    result.stopped = limit.what();
  }
  return result;
}

std::string simulation_section(const Style& style, const Problem& problem,
                               const Simulated& simulated) {
  if (!simulated.simulation) return "";
  const Simulation& s = *simulated.simulation;
  const Rational time(s.time);
  const auto last = std::ranges::max_element(s.core_ends) - s.core_ends.begin();
  return section(style, "Simulation",
                 fmt::format("schedule {}, policy {}; busy times on average",
                             kModeNames[static_cast<std::size_t>(simulated.options.mode)],
                             kPolicyNames[static_cast<std::size_t>(simulated.options.policy)])) +
         bars(style, working(utilization(problem.architecture, problem.partition, s), time), time) +
         fmt::format("  time {} ns, {}; core {} is the last\n", number(s.time),
                     plural(s.instructions, "instruction"), last) +
         fmt::format("  energy {} pJ, edp {} pJ ns\n", number(s.energy.total()),
                     number(s.energy.total() * time));
}

std::string stream_text(const Style& style, const SimulationSettings& settings,
                        const Simulated& simulated) {
  std::string text;
  const bool complete = simulated.stopped.empty();
  if (!complete && settings.simulate) {
    text += style.warning("not simulated") + ": " + simulated.stopped + "\n";
  }
  if (settings.stream.empty()) return text;
  if (!complete) {
    return text + fmt::format("no stream written to {}: {}\n", printable(settings.stream),
                              simulated.stopped);
  }
  return text + fmt::format("stream of {}: {}\n",
                            plural(static_cast<std::int64_t>(simulated.lines), "instruction"),
                            printable(settings.stream));
}

std::string with_simulation(const std::string& document, const Problem& problem,
                            const Simulated& simulated) {
  if (!simulated.simulation) return document;
  files::Json json = files::Json::parse(document);
  io::add_simulation(json, problem.architecture, problem.partition, simulated.options,
                     *simulated.simulation);
  return files::to_text(json);
}

}  // namespace pimbb::crossbar::cli
