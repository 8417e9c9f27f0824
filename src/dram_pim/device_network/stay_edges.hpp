// What a tensor that stays asks of the splits of its two layers.
#pragma once

#include <vector>

#include "pimbb/dram_pim/staying.hpp"

namespace pimbb::dram_pim::device_network {

/// For every node of a network's graph the index of its layer in Network::layers; for operators
/// that are not layers, the number of layers. Throws InputError if a node's layer is none of these.
std::vector<std::size_t> layers_of_nodes(const Network& network);

/// How a split divides a tensor: the block, or 0 for the whole, and the factors from level to
/// level, for one dimension of the edge after the other. Splits agree if these are equal.
using Parts = std::vector<std::int64_t>;
Parts written_parts(const StayEdge& edge, const Split& split, const Factors& slice);
Parts read_parts(const StayEdge& edge, const Split& split, const Factors& slice);

/// The dimensions that the writer of a tensor that stays may split, and those of its reader.
DimFlags written_dims(const StayEdge& edge);
DimFlags read_dims(const StayEdge& edge);

}  // namespace pimbb::dram_pim::device_network
