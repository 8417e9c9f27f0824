// pimbb explore: a space of accelerators.
#include "pimbb/cim/explore.hpp"
#include "cim/cli/commands.hpp"
#include "cim/cli/options.hpp"
#include "terminal/explore/explore.hpp"

namespace pimbb::cim::cli {
namespace {

struct SpaceSettings : ExploreSettings {
  Question question;
};

int run(const SpaceSettings& settings) {
  return run_exploration(settings, [&](const Space& space, const ExploreOptions& options,
                                       const OnExplored& on_progress) {
    return explore(space, options, settings.question, on_progress);
  });
}

OptionRows rows(SpaceSettings& s) {
  return rows_of({terminal::space_rows(s), pricing_rows(s.question.pricing), space_rows(s.question),
                  exploration_rows(s)});
}

}  // namespace

Command explore_command() {
  return {"explore", "Explore a space of accelerators: every point proven, the front of cost",
          "With SRAM compute-in-memory, if 'arch' in the space is one, likewise.",
          terminal::prepare<SpaceSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
