// A problem that is asked more than once: what this room knows of a wing.
//
// Fronts, conflicts, sensitivities and explorations are found by one question, asked again and
// again with other limits on the costs, or about a changed accelerator: which solution costs least?
// A wing implements Problem with its own exact search, and everything that this room claims follows
// from the statuses and bounds of the wing's answers, in exact arithmetic. The room sees of a
// solution only its costs, one for each goal of the problem; the rest is a Witness, which the wing
// understands.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pimbb/rational.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::answers {

/// What a wing keeps of a solution, for its reports and proofs: a mapping.
class Witness {
 public:
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  virtual ~Witness() = default;
};

/// A feasible solution and its exact costs, by goal of the problem.
struct Point {
  std::vector<Rational> costs;
  std::shared_ptr<const Witness> witness;
};

/// An upper limit on the cost of one goal.
struct Limit {
  std::size_t goal = 0;
  Rational most;
  bool strict = false;  ///< the limit itself is excluded
};

struct Answer {
  Status status = Status::unknown;
  /// The solution, if optimal or feasible.
  std::optional<Point> point;
  /// Proven: no solution within the limits costs less by the first goal of the order. The value of
  /// that goal if optimal; of no meaning if infeasible.
  Rational bound;
};

class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;

  /// The names of the goals: "latency", "energy". The costs of points are in this order.
  [[nodiscard]] virtual std::vector<std::string> goals() const = 0;

  /// The solution within all limits that costs least: by the first goal of `order`, among equal
  /// ones by the second, and so on. `order` has at least one goal and each at most once; a goal may
  /// have several limits. `infeasible` means that no solution is within the limits. The answer does
  /// not depend on the number of threads, nor on timing unless a limit of `run` ends the search.
  [[nodiscard]] virtual Answer least(std::span<const std::size_t> order,
                                     std::span<const Limit> limits, const RunLimits& run) const = 0;
};

}  // namespace pimbb::answers
