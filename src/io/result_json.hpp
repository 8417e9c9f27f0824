// Results as JSON values, shared by the documents of one layer and of a network.
#pragma once

#include "io/json_text.hpp"
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

Json mapping_json(const Architecture& architecture, const Mapping& mapping);
Json metrics_json(const Architecture& architecture, const Metrics& metrics);
/// The whole pimbb-mapping/1 document.
Json solution_document(const Architecture& architecture, const Workload& workload,
                       const SolveOptions& options, const Solution& solution);
/// `memory` by the account of the memory limit; seconds and threads not if `timeless`.
struct Effort {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint64_t choices = 0;
  std::uint64_t lp_solves = 0;
  std::uint64_t lp_iterations = 0;
  std::uint64_t memory = 0;
  double seconds = 0;
  int threads = 1;
};
Effort effort_of(const Solution& solution);
Json stats_json(const Effort& effort, bool timeless);

}  // namespace pimbb::io
