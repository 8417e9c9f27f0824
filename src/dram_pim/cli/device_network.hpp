// `pimbb network --device`: a whole network on a whole device.
#pragma once

#include "dram_pim/cli/network_settings.hpp"

namespace pimbb::dram_pim::cli {

/// Maps a network onto a device; the exit code.
int map_network_on_device(const NetworkCommandSettings& settings, Question question);

}  // namespace pimbb::dram_pim::cli
