// The claim about a solution in words: proven optimal, a proven gap, or infeasible. A goal's claim
// holds given the goals before it: "then".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"
#include "pimbb/run_limits.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

struct GoalClaim {
  std::string value;  ///< with name and unit: "latency 1,806,336 cycles"
  Rational bound;
  Rational gap;
  bool closed = false;  ///< the value is the bound
};

struct Claim {
  Status status = Status::unknown;
  std::vector<GoalClaim> goals;
  std::string reason;   ///< why there is no solution; empty if not known
  std::string within;   ///< the space, where it is not the whole one: " within ws"
  std::string stopped;  ///< what a result without proof is called: "limit hit"
};

/// "optimal, proven: latency 1,806,336 cycles (gap 0)", "limit hit: ...", "infeasible: ...".
std::string verdict(const Style& style, const Claim& claim);

/// A status in one or two words, for a table: "proven", "gap 3.2 %", "infeasible", "no mapping".
std::string proof_cell(const Style& style, const Claim& claim);

struct LayerClaim {
  std::string layer;
  Status status = Status::unknown;
  std::string reason;
};

/// The numbers of distinct layers that are proven and not proven, with the reasons.
std::string network_verdict(const Style& style, const std::vector<LayerClaim>& layers);

/// "1 node", "2 nodes".
std::string plural(std::int64_t count, std::string_view thing);

/// What was done and, unless `timeless`, how long it took: "2 nodes, 0.1 s, 2 threads".
std::string effort_text(const std::string& work, double seconds, int threads, bool timeless);

}  // namespace pimbb::terminal
