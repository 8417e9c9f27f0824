// The instruction stream as text: an object of JSON for each instruction, one a line.
#pragma once

#include "crossbar/schedule/stream.hpp"
#include "pimbb/write_file.hpp"

namespace pimbb::crossbar::schedule {

/// Core by core, in program order. With `starts` (by instruction), these too.
void write_lines(const Sink& sink, const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, const Stream& stream,
                 const std::vector<std::int64_t>* starts, const run::Guard& guard);

}  // namespace pimbb::crossbar::schedule
