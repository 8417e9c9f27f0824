// What documents about many searches of one network have in common.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::io {

/// The list `warnings`, if there are any.
void add_warnings(files::Json& json, const Architecture& architecture);

/// Adds "mapping" (replication and cores) and "metrics" (all estimates; energy in high throughput).
void add_mapping(files::Json& json, const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, const Metrics& metrics);

/// Counters and the number of searches, and seconds and threads unless `timeless`.
files::Json stats_json(const SolveStatistics& statistics, std::uint64_t solves, double seconds,
                       int threads, bool timeless);

}  // namespace pimbb::crossbar::io
