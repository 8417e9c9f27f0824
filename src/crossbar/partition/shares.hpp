// What one core of a mapping holds.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::partition {

/// Crossbars that a core uses.
std::int64_t crossbars_of(const Partition& partition, const std::vector<Share>& core);
/// Array groups of a node in a core.
std::int64_t groups_of(const std::vector<Share>& core, std::size_t array);
/// More of them, or fewer: at most those that it has. Shares stay in ascending order.
void add_groups(std::vector<Share>& core, std::size_t array, std::int64_t groups);
void take_groups(std::vector<Share>& core, std::size_t array, std::int64_t groups);

}  // namespace pimbb::crossbar::partition
