// Good mappings for `ht` by construction and exchange: cores of equal time.
//
// A start chooses the replication of each family among the options up to a cap of cycles whose
// replicas idle least. Array groups of wide nodes are dealt out evenly, so that as many cores as
// possible have room for narrow ones; the others go, those of most cycles first, to the core of
// least load that has room; if some find none, all are dealt out again, wide ones first. Then array
// groups are exchanged between two cores as long as the time beyond a target does not grow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

struct Start {
  std::int64_t cap = 1;           ///< cycles that no node exceeds
  std::int64_t wide = 1;          ///< width from which array groups are dealt out evenly
  bool varied = false;            ///< families may have fewer cycles, at random
  std::uint64_t seed = 0;         ///< of everything that is drawn
  std::uint64_t steps = 0;        ///< exchanges tried
  const Mapping* from = nullptr;  ///< continues with this mapping instead
  std::int64_t idle = 0;          ///< varied: multiplications that may be idle in addition
  bool levels = false;  ///< by levels (levels.hpp) for the target; `idle` multiplications in all
};

/// By family, of a start that is not varied; nothing if the cap leaves too little room.
std::optional<std::vector<std::int64_t>> usual_replication(const Problem& problem,
                                                           std::int64_t cap);

/// Array groups dealt out for a replication by family; nothing if some find no room.
std::optional<Mapping> dealt_out(const Problem& problem,
                                 const std::vector<std::int64_t>& replication, std::int64_t wide);

struct Balanced {
  std::optional<Mapping> mapping;  ///< nothing if this start finds none
  std::int64_t time = 0;           ///< `ht`, ns
};

/// `target` is the time below which nothing is gained.
Balanced balance(const Problem& problem, const Start& start, std::int64_t target,
                 const std::function<bool()>& stop);

}  // namespace pimbb::crossbar::assign
