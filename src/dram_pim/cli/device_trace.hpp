// pimbb trace with --device: the accesses of one unit, or the transfers over all links.
#pragma once

#include "dram_pim/cli/trace_settings.hpp"

namespace pimbb::dram_pim::cli {

/// Writes the stream that the settings name; the exit code.
int trace_on_device(const TraceSettings& settings);

}  // namespace pimbb::dram_pim::cli
