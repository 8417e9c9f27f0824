// pimbb explore: a space of accelerators.
#include "pimbb/dram_pim/explore.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "terminal/explore/explore.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct SpaceSettings : ExploreSettings {
  RowModel row_model = RowModel::trace;
};

int run(const SpaceSettings& settings) {
  return run_exploration(settings, [&](const Space& space, const ExploreOptions& options,
                                       const OnExplored& on_progress) {
    return explore(space, options, settings.row_model, on_progress);
  });
}

OptionRows rows(SpaceSettings& s) {
  return rows_of({space_rows(s), {row_model_row(s.row_model)}, exploration_rows(s)});
}

}  // namespace

Command explore_command() {
  return {"explore", "Explore a space of accelerators: every point proven, the front of cost",
          "Examples:\n"
          "  pimbb explore space.yaml\n"
          "  pimbb explore space.yaml --prune --csv points.csv\n"
          "  pimbb explore space.yaml --journal space.journal --resume\n"
          "  mpirun -n 8 pimbb explore space.yaml --json points.json",
          terminal::prepare<SpaceSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
