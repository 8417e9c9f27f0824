// Results as JSON values, shared by the documents of one layer and of a network.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::io {

/// The same figures as doubles (`numbers`) and as fractions "p/q" (`exact`), under the same keys.
struct Figures {
  files::Json numbers = files::Json::object();
  files::Json exact = files::Json::object();
  void add(const std::string& key, const Rational& value);
  void add(const std::string& key, const Figures& group);
};

/// [[DIMENSION, FACTOR], ...], outermost first.
files::Json loops_json(const std::vector<Loop>& loops);
/// The bounds that are larger than the layer's, as `padded`; nothing for a layer that may not be
/// padded and is not.
void add_padded(files::Json& json, const Workload& workload, const Factors& bounds);
files::Json mapping_json(const Architecture& architecture, const Mapping& mapping);
files::Json metrics_json(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, const Metrics& metrics);
/// An architecture with the keys of its file, none left out: parse_architecture() reads it back.
files::Json architecture_json(const Architecture& architecture);
/// Constraints with the keys of their file.
files::Json constraints_json(const Architecture& architecture, const Constraints& constraints);
/// The data movement of the mapping (pimbb/dram_pim/dataflow.hpp).
files::Json dataflow_json(const Architecture& architecture, const Dataflow& dataflow);
/// The pimbb-mapping/1 document but for the architecture.
files::Json solution_document(const Architecture& architecture, const Workload& workload,
                              const Question& question, const RunLimits& limits,
                              const Solution& solution);
/// Standing, goals and what decides, of an audit.
void add_distance(files::Json& json, const Distance& distance);
/// Goals with value, bound and gap, and limits.
files::Json objective_json(const Question& question, const Solution& solution);
/// Why a solution has no mapping.
std::string reason_of(const Solution& solution);
/// The pimbb-mapping/1 document of a given mapping.
files::Json evaluation_document(const Architecture& architecture, const Workload& workload,
                                RowModel row_model, const Mapping& mapping, const Metrics& metrics);
/// The figures that repeat exactly: counters and accounted memory.
files::Json statistics_json(const SolveStatistics& statistics);
/// The list `warnings`, if there are any.
void add_warnings(files::Json& json, const Architecture& architecture);
/// The same, with seconds and threads unless `timeless`.
files::Json stats_json(const SolveStatistics& statistics, double seconds, int threads,
                       bool timeless);

}  // namespace pimbb::dram_pim::io
