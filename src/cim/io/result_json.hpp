// Results as JSON values, shared by the documents of one layer and of a network.
#pragma once

#include "cim/io/mapping_json.hpp"
#include "files/json_text.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::io {

/// An architecture with the keys of its file, none left out: parse_architecture() reads it back.
files::Json architecture_json(const Architecture& architecture);
files::Json metrics_json(const Architecture& architecture, const Metrics& metrics);
/// Value, bound and gap of a goal, as doubles and exact; value and gap only if `has_value`.
files::Json goal_json(const Objective& objective, const GoalResult& result, bool has_value);
/// What the question is besides its objective: method, semantics, contention, padding, space.
void add_question(files::Json& json, const Question& question);
/// The list `warnings`, if there are any.
void add_warnings(files::Json& json, const Architecture& architecture);
/// Counters, and seconds and threads unless `timeless`.
files::Json stats_json(const SolveStatistics& statistics, double seconds, int threads,
                       bool timeless);
/// The pimbb-cim-mapping/1 document but for workload and architecture.
files::Json solution_document(const Architecture& architecture, const Question& question,
                              const Workload& workload, const RunLimits& limits,
                              const Solution& solution);

}  // namespace pimbb::cim::io
