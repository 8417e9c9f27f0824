// A local search for estimates of any kind: several walks over neighbours, by late acceptance.
//
// A walk goes to a neighbour that is no worse than where it is, or than where it was some steps ago
// (Burke and Bykov, "The late acceptance hill-climbing heuristic", EJOR 2017). Walks take turns of
// as many steps each, so that the answer does not depend on the number of threads; now and then the
// worse half of them continues with the best mapping of all.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "crossbar/assign/problem.hpp"
#include "crossbar/cost/estimator.hpp"

namespace pimbb::crossbar::assign {

using Values = std::vector<Rational>;  ///< of the goals, in turn

/// Goals of which each decides among the mappings that the ones before find equal.
class Goals {
 public:
  Goals(const Problem& problem, const std::vector<Estimate>& goals, Mode mode);

  [[nodiscard]] Values values(const Mapping& mapping) const;
  /// The same, or nothing if they exceed `most`.
  [[nodiscard]] std::optional<Values> values_within(const Mapping& mapping,
                                                    const Values& most) const;

 private:
  std::vector<cost::Estimator> estimators_;
};

struct Walk {
  Mapping mapping;
  Values values;
};

struct WalkLimits {
  std::uint64_t evaluations = 0;  ///< turns begin as long as fewer have been made
  Values enough;                  ///< nothing better is looked for
  std::uint64_t seed = 1;
  std::function<bool()> stop;
  std::function<void(const Walk& best)> on_better;
};

struct WalkResult {
  Walk best;
  std::uint64_t evaluations = 0;
};

/// From the given mappings, of which there is at least one.
WalkResult walk(const Problem& problem, const Goals& goals, std::vector<Walk> from,
                const WalkLimits& limits);

}  // namespace pimbb::crossbar::assign
