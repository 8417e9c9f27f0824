// pimbb network --agree-layouts: one plan for all layers of a graph.
#pragma once

#include "cli/settings.hpp"
#include "pimbb/network.hpp"

namespace pimbb::cli {

/// Plans, reports, writes; returns the exit code.
int run_layout_plan(const Settings& settings, const Architecture& architecture,
                    const Network& network);

}  // namespace pimbb::cli
