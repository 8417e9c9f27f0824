// Results as JSON values, shared by the documents of one layer and of a network.
#pragma once

#include "io/json_text.hpp"
#include "pimbb/dataflow.hpp"
#include "pimbb/solver.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::io {

/// Doubles and exact fractions side by side: what goes into `numbers` under a key goes into
/// `exact` under the same key as "p/q".
struct Figures {
  Json numbers = Json::object();
  Json exact = Json::object();
  void add(const std::string& key, const Rational& value);
  void add(const std::string& key, const Figures& group);
};

/// [[DIMENSION, FACTOR], ...], outermost first.
Json loops_json(const std::vector<Loop>& loops);
Json mapping_json(const Architecture& architecture, const Mapping& mapping);
Json metrics_json(const Architecture& architecture, const Metrics& metrics);
/// What the mapping does with its data (pimbb/dataflow.hpp).
Json dataflow_json(const Architecture& architecture, const Dataflow& dataflow);
/// The whole pimbb-mapping/1 document.
Json solution_document(const Architecture& architecture, const Workload& workload,
                       const SolveOptions& options, const Solution& solution);
/// What repeats: work and memory by account.
Json statistics_json(const Statistics& statistics);
/// The same, and seconds and threads unless `timeless`.
Json stats_json(const Statistics& statistics, double seconds, int threads, bool timeless);

}  // namespace pimbb::io
