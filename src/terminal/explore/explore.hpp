// `pimbb explore` for any kind: its options, the run, and its report.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "pimbb/explore.hpp"
#include "terminal/option_row.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::terminal {

/// The argument that names the space; the kind of its architecture is that of the command.
inline constexpr const char* kSpaceArgument = "SPACE";

struct ExploreSettings {
  std::string space;
  ExploreOptions options;
  OutputSettings output;
};

/// SPACE, --prune, --journal, --resume.
OptionRows space_rows(ExploreSettings& settings);
/// Limits and outputs.
OptionRows exploration_rows(ExploreSettings& settings);

using ExploreFunction =
    std::function<Exploration(const Space&, const ExploreOptions&, const OnExplored&)>;

/// Returns the exit code: 0 if every point is proven, 3 if not.
int run_exploration(const ExploreSettings& settings, const ExploreFunction& explore);

/// How the processes of this run are joined, if there are several. Set by the executable; null
/// where it cannot.
using OpenRanks = std::unique_ptr<Ranks> (*)();
extern OpenRanks open_ranks;

}  // namespace pimbb::terminal
