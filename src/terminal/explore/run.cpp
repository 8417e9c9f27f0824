// Options and run of an exploration.
#include <fmt/format.h>

#include "answers/rank_solvers.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/explore/explore.hpp"
#include "terminal/explore/report.hpp"
#include "terminal/format.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/progress.hpp"

namespace pimbb::terminal {

OpenRanks open_ranks = nullptr;

OptionRows space_rows(ExploreSettings& s) {
  return {
      {kSpaceArgument, "", groups::kProblem, "",
       "Space: a YAML or JSON file with the key explore, which names an architecture, networks, "
       "the objective, and the values to be varied (docs/commands/explore.md)",
       [&](auto option, auto& text) { s.space = not_empty(option, text); },
       [] {
         return Choices{.files = {"yaml", "yml", "json"}};
       }}};
}

OptionRows exploration_rows(ExploreSettings& s) {
  return rows_of(
      {{{"--prune", nullptr, groups::kMethod, "",
         "Skip points that a proven bound shows off the front of cost and objective",
         [&](auto, auto&) { s.options.prune = true; }},
        {"--journal", "FILE", groups::kEffort, "",
         "Keep what is solved in this file, line by line, for a later run",
         [&](auto option, auto& text) { s.options.journal = file(option, text); }, any_file},
        {"--resume", nullptr, groups::kEffort, "", "Go on where the journal ends",
         [&](auto, auto&) { s.options.resume = true; }}},
       limit_rows(s.options.limits),
       {json_row(s.output),
        csv_row(
            s.output,
            "Also write a table with a row for each point, separated by commas; '-' writes only "
            "the table, to standard output"),
        timeless_row(s.output, s.options.limits.timeless)}});
}

namespace {

int report_exploration(const ExploreSettings& settings, const Space& space,
                       const Exploration& exploration, Output& output) {
  const Style style = style_of(settings.output);
  output.report(exploration_report(style, space, exploration, settings.output));
  output.json([&] { return exploration_json(space, exploration, settings.output.timeless); });
  output.csv([&] { return exploration_csv(space, exploration); });
  output.finish();
  return exploration.status == Status::optimal ? kProven : kUnproven;
}

int explore_alone(const ExploreSettings& settings, const ExploreFunction& explore, Ranks* ranks) {
  const Space space = read_space(settings.space);
  Output output(settings.output);
  Caller* caller = settings.output.caller;
  const Interrupt interrupt(caller);
  ExploreOptions options = settings.options;
  options.ranks = ranks;
  options.limits.stop = interrupt.token();
  ProgressLine progress(!settings.output.quiet, settings.output.timeless);
  progress.begin(printable(settings.space));
  const Exploration exploration = explore(space, options, [&](const ExploreProgress& now) {
    progress.begin(fmt::format("{}/{} points{}", now.done, now.points,
                               now.best ? "  best " + number(*now.best) : ""));
    if (caller != nullptr && caller->on_explored) caller->on_explored(now);
  });
  return report_exploration(settings, space, exploration, output);
}

}  // namespace

int run_exploration(const ExploreSettings& settings, const ExploreFunction& explore) {
  if (settings.space.empty()) {
    throw InputError(
        "SPACE: found none; allowed is a file with the key explore (docs/commands/explore.md)");
  }
  const std::unique_ptr<Ranks> ranks = open_ranks == nullptr ? nullptr : open_ranks();
  if (!ranks || ranks->count() == 1) return explore_alone(settings, explore, nullptr);
  ExploreSettings own = settings;
  if (own.options.limits.threads == 0) own.options.limits.threads = 1;  // a process for each core
  if (ranks->rank() > 0) {
    own.output = {};
    own.output.quiet = true;
  }
  int code = kProven;
  answers::on_all_ranks(*ranks, [&] {
    if (ranks->rank() == 0) {
      code = explore_alone(own, explore, ranks.get());
    } else {
      const Interrupt rank_0_ends_all;  // mpirun passes Ctrl-C on to every process
      own.options.ranks = ranks.get();
      explore(read_space(own.space), own.options, {});
    }
  });
  return code;
}

}  // namespace pimbb::terminal
