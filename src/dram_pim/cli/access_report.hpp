// A stream of DRAM accesses as it is written, and what its summary says of it: the same for a unit
// alone and for one of a device.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "dram_pim/cli/trace_settings.hpp"
#include "files/json_text.hpp"
#include "terminal/output.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

/// Writes the accesses where the settings say; false if it was interrupted.
bool write_accesses(const TraceSettings& settings, io::AccessTrace& trace, Output& output);

/// A row for each tensor, and the fields of an address.
std::string access_report(const Style& style, const TraceSettings& settings,
                          const io::AccessTrace& trace);

/// The members of a document about it, from `trace` to `address_map`.
void add_accesses(files::Json& json, const TraceSettings& settings, const io::AccessTrace& trace,
                  bool interrupted);

}  // namespace pimbb::dram_pim::cli
