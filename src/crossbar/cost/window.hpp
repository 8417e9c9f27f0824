// What the windows of Conv and Pool say about data: new elements per step, and how much of its
// input a node must wait for before it can work at the speed of its provider.
#pragma once

#include <cstdint>

#include "pimbb/crossbar/partition.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::cost {

/// Elements that an array group loads after its first window: rows * min(s, k) / k on each axis.
std::int64_t later_load(const Architecture& architecture, const Node& node);

/// Passes of the vector unit for a pixel of a vector node.
std::int64_t vector_passes(const Partition& partition, std::size_t v);

/// Pixels that a vector node loads for each that it computes, in the high-throughput schedule.
std::int64_t pixels_loaded(const Partition& partition, std::size_t v);

/// The fraction of its input that node `v`, a Conv or Pool, waits for; 0 if it reads the network's
/// input. An axis whose input ends before one output is complete makes it wait for everything.
Rational waiting_fraction(const NodeGraph& graph, std::size_t v);

}  // namespace pimbb::crossbar::cost
