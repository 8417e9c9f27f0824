// An adversary of the proof checker: it claims that a worse mapping is optimal, and lets the real
// checker itself say, record by record, which reason it would accept to close the next part of the
// space.
//
// Every record of a proof is fixed by the ones before, but for two decisions: whether a part is
// closed, and for which reason. Whatever can be closed is closed, as soon as possible; so a proof
// of the claim is found if the checker has one. It has none, because a better mapping is known.
#pragma once

#include <optional>
#include <string>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "support/choices.hpp"
#include "support/instances.hpp"

namespace testkit {

struct Forgeries {
  std::size_t claims = 0;   ///< attempted
  std::size_t records = 0;  ///< that the checker accepted of them
  std::string accepted;     ///< the first claim that it accepted as a whole, as JSON; "" if none
};

/// Attempts to prove `count` false claims about `instance`: mappings worse than `known`, near it
/// and far from it, with their true costs and any thresholds, and that no mapping is feasible.
void forge(const Instance& instance, const pimbb::dram_pim::Mapping& known, Choices& choices,
           std::size_t count, Forgeries& forgeries);

/// Whether the same search proves that `mapping` is optimal, or without one that none is feasible.
bool provable(const Instance& instance, const std::optional<pimbb::dram_pim::Mapping>& mapping,
              Choices& choices);

}  // namespace testkit
