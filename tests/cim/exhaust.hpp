// The optimum of a tiny problem by exhaustion: every mapping, priced by the naive evaluator.
#pragma once

#include <optional>
#include <vector>

#include "cim/naive.hpp"

namespace naive {

struct Priced {
  pimbb::cim::Mapping mapping;
  Cost cost;

  [[nodiscard]] pimbb::Rational latency(const pimbb::cim::Pricing& pricing) const;
  [[nodiscard]] pimbb::Rational value(const pimbb::cim::Objective& objective, pimbb::cim::Goal goal,
                                      const pimbb::cim::Architecture& a,
                                      const pimbb::cim::Pricing& pricing) const;
};

/// Every feasible mapping of the layer; of the grown ones, if `grow`.
std::vector<Priced> all_mappings(const pimbb::cim::Architecture& a, const pimbb::Workload& layer,
                                 bool grow = false);

/// Those that the question admits and that keep its limits. Not for the factors `flex`.
std::vector<const Priced*> admitted(const std::vector<Priced>& all,
                                    const pimbb::cim::Question& question,
                                    const pimbb::cim::Architecture& a,
                                    const pimbb::Workload& layer);

/// The least values of the goals, in turn, among the mappings that the question admits; nothing if
/// it admits none. Not for the factors `flex`.
std::optional<std::vector<pimbb::Rational>> exhausted(const std::vector<Priced>& all,
                                                      const pimbb::cim::Question& question,
                                                      const pimbb::cim::Architecture& a,
                                                      const pimbb::Workload& layer);

}  // namespace naive
