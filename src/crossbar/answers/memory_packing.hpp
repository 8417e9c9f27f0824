// Array groups into cores whose local memory is limited (policy `add`), exactly.
//
// A core keeps two input blocks and an output block for each of its array groups, and the home of a
// replica one more output block for each other core that has a part of it. Which core is the home
// follows from the numbering by ascending core, so that the order of cores matters. Cores are
// filled one after the other with every content that fits; empty ones come last, because taking one
// from between others changes no home.
//
// The last replica of a node can be left out of any mapping: its array groups are the last of their
// node, so every other replica keeps its parts, and no core needs more time, room or memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "crossbar/assign/packing.hpp"

namespace pimbb::crossbar::within {

/// A mapping with this replication, by family, that obeys all rules, local memory included; within
/// the deadline if there is one. Cores of the answer are in order.
assign::Packed pack_with_memory(const assign::Problem& problem,
                                const std::vector<std::int64_t>& replication,
                                std::optional<std::int64_t> deadline, assign::Effort& effort);

/// The same by a rule of thumb, at once also for large problems: each replica in parts of sizes at
/// which none needs much, to the cores with most memory left. May break rules.
std::optional<Mapping> deal_with_memory(const Architecture& architecture,
                                        const Partition& partition,
                                        const std::vector<std::int64_t>& replication);

/// Whether no mapping has enough local memory, by counting: each array group needs its own blocks,
/// and each home those that it receives.
bool lacks_memory(const assign::Problem& problem);

}  // namespace pimbb::crossbar::within
