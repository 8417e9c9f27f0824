// Rows of the shared options, and the checks of their values.
#include "cim/cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pimbb/error.hpp"
#include "terminal/at_most.hpp"
#include "terminal/option_values.hpp"
#include "terminal/warnings.hpp"

namespace pimbb::cim::cli {
namespace {

/// A row whose value is one of `names`, stored as an enumerator.
template <class Enum, class Names>
OptionRow word_row(const char* option, const char* value, const char* group, const Names& names,
                   Enum& target, std::string help) {
  return {option,
          value,
          group,
          names[static_cast<std::size_t>(target)].data(),
          std::move(help),
          [&names, &target](auto row, auto& text) {
            target = static_cast<Enum>(place_among(row, text, names));
          },
          [&names] { return terminal::one_of(names); }};
}

}  // namespace

Question question_of(const QuestionSettings& settings) {
  Question question = settings.question;
  const std::vector<Goal>& goals = question.objective.goals;
  if (!settings.alpha && !settings.beta) return question;
  const bool capped = std::ranges::count(question.caps, Goal::blended, &GoalCap::goal) > 0;
  if (std::ranges::count(goals, Goal::blended) == 0 && !capped) {
    throw InputError(fmt::format("{}: weighs the objective 'blended', but --objective is '{}'",
                                 settings.alpha ? "--alpha" : "--beta",
                                 question.objective.to_string()));
  }
  question.objective.alpha = settings.alpha.value_or(Rational(1));
  question.objective.beta = settings.beta.value_or(Rational(1));
  return question;
}

Architecture read_machine(const MachineSettings& settings, const OutputSettings& output) {
  Architecture architecture = read_architecture(settings.arch, settings.set);
  terminal::warn(architecture.warnings, settings.strict, output.quiet);
  return architecture;
}

OptionRows machine_rows(MachineSettings& s) {
  return terminal::machine_rows(s, "", architecture_presets,
                                "such as leakage=0 or levels.GlobalBuffer.size_bits=4194304");
}

OptionRows layer_rows(LayerSettings& s) {
  return rows_of({machine_rows(s),
                  {layer_row(s.layer), batch_row(s.network_options), dim_row(s.network_options),
                   skip_row(s.network_options)}});
}

OptionRows objective_rows(QuestionSettings& s) {
  return {
      {"--objective", "GOALS", groups::kGoal, "latency", "latency, energy, edp, blended or a list",
       [&](auto, auto& text) { s.question.objective = Objective::parse(text); },
       [] { return terminal::list_of(kGoalNames); }},
      {"--alpha", "X", groups::kGoal, "1",
       "blended = alpha * latency + beta * energy; exact, 0.1 is one tenth",
       [&](auto option, auto& text) { s.alpha = weight(option, text); }},
      {"--beta", "X", groups::kGoal, "1", "See --alpha",
       [&](auto option, auto& text) { s.beta = weight(option, text); }}};
}

OptionRow at_most_row(QuestionSettings& s) {
  return terminal::at_most_row(s.question.caps, kGoalNames);
}

OptionRows pricing_rows(Pricing& p) {
  return {
      word_row("--semantics", "SEMANTICS", groups::kGoal, kSemanticsNames, p.semantics,
               "How latency is computed: recursion (over the loops), table3 (a published table "
               "of cases) or simulator (timers that follow every transfer; the best mapping "
               "found and a proven bound)"),
      word_row("--contention", "PORTS", groups::kGoal, kContentionNames, p.contention,
               "Latency is also at least the occupancy of ports: none (not considered), ports "
               "(a level has one for each tensor) or bus (a level has one)"),
      word_row("--pad", "PADDING", groups::kGoal, kPaddingNames, p.padding,
               "Bounds that factor badly: exact (as they are), even (P, Q and the input's plane "
               "plus 1 where odd and above 15) or ceil (spatial factors need not divide them)")};
}

OptionRows space_rows(Question& q) {
  return {word_row("--method", "METHOD", groups::kMethod, kMethodNames, q.method,
                   "exact, ws (the proven optimum of the weight-stationary space), greedy (a "
                   "heuristic); the report "
                   "states what they cost against the optimum"),
          word_row("--factors", "FACTORS", groups::kMethod, kFactorRuleNames, q.factors,
                   "Factors of the loops: any (every ordered factorization), prime, or flex (the "
                   "flexible factorization of MIREDO); the report compares with the optimum"),
          word_row("--schemes", "SCHEMES", groups::kMethod, kSchemeRuleNames, q.schemes,
                   "Spatial schemes: all, or full (those with the fewest matrix-vector products)"),
          word_row("--double", "BUFFERS", groups::kMethod, kDoubleRuleNames, q.doubling,
                   "Tiles that may be double-buffered: free (chosen for each), on (all of them) or "
                   "off (none)")};
}

}  // namespace pimbb::cim::cli
