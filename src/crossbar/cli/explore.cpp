// pimbb explore: a space of accelerators.
#include "pimbb/crossbar/explore.hpp"
#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/options.hpp"
#include "terminal/explore/explore.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct SpaceSettings : ExploreSettings {
  SpaceQuestion question;
};

int run(const SpaceSettings& settings) {
  return run_exploration(settings, [&](const Space& space, const ExploreOptions& options,
                                       const OnExplored& on_progress) {
    return explore(space, options, settings.question, on_progress);
  });
}

OptionRows rows(SpaceSettings& s) {
  return rows_of(
      {space_rows(s), {mode_row(s.question.mode), seed_row(s.question.seed)}, exploration_rows(s)});
}

}  // namespace

Command explore_command() {
  return {"explore", "Explore a space of accelerators: every point proven, the front of cost",
          "With crossbar accelerators the objective is an estimate, such as ht or ll, or a list.",
          terminal::prepare<SpaceSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
