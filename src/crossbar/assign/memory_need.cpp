// An account of mappings.
#include "crossbar/assign/memory_need.hpp"

#include <algorithm>

#include "pimbb/error.hpp"

namespace pimbb::crossbar::assign {

void check_memory(const Problem& problem, const RunLimits& limits, std::int64_t mappings) {
  const std::int64_t most_shares = std::min(problem.a.core.max_nodes, problem.crossbars);
  const Rational mapping = Rational(problem.cores) * (Rational(64) + Rational(32) * most_shares);
  const Rational needed = Rational(mappings) * mapping;
  const auto room = static_cast<std::int64_t>(
      std::min<std::uint64_t>(limits.memory_limit, std::uint64_t{1} << 62));
  if (needed <= Rational(room)) return;
  throw LimitError("memory limit: found " + std::to_string(limits.memory_limit) +
                   " bytes; the mappings of '" + problem.p.graph.name + "' on '" + problem.a.name +
                   "' need more than " + needed.to_string());
}

}  // namespace pimbb::crossbar::assign
