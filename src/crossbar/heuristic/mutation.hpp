// The steps by which the genetic algorithm of PIMCOMP changes a mapping. A gene is the array groups
// of one node in one core.
#pragma once

#include <optional>

#include "crossbar/heuristic/replication.hpp"
#include "crossbar/partition/filling.hpp"
#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::heuristic {

using partition::Filling;

/// A number 0 .. count - 1.
inline std::size_t draw(SplitMix64& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

/// Puts each array group into a random core that has room for it; false if none has.
bool put_anywhere(Filling& filling, std::size_t array, std::int64_t groups, SplitMix64& random);

/// One of five changes of `parent`, drawn evenly: a replica more or less of a Conv, a gene split,
/// gathered or exchanged. Nothing if the change that was drawn is not possible.
std::optional<Mapping> mutated(const Architecture& architecture, const Partition& partition,
                               const std::vector<Family>& families, const Mapping& parent,
                               SplitMix64& random);

}  // namespace pimbb::crossbar::heuristic
