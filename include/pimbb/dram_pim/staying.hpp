// Tensors that stay in the banks of a device between two layers of a network.
//
// The output of a layer goes to the host, which sends it to the units again as the next layer's
// input. If both layers are split in the same way, that is not necessary: each unit has just
// computed the part of the tensor that it is going to read.
//
// A tensor may stay if it is the output of one layer and the input of one other and of nothing
// else, directly or behind element-wise operators with this operand only, which units apply in
// place. It stays if every unit reads exactly what it has written. The conditions are those of the
// tensor's elements, unit by unit; for minimal splits (docs/devices.md) they are conditions on the
// factors, because along one dimension the first block and the number of blocks at each level
// determine all of them:
//
//   - Both splits divide the tensor along the same dimensions, with equal factors at each level and
//     blocks of equal size, counted in elements of the tensor. Batch: N and N. Channels: K and C,
//     or G where a layer has one channel a group; if both layers have the same groups of as many
//     channels, G and G, K and C. Columns: P and P, if each output of the reader has columns of its
//     own (R = stride, no dilation, no border, none left over), or P and R if the reader has one
//     output column of the whole width; rows likewise.
//   - Nothing else is split. Halos would be read by two units, parts of K of the reader would need
//     copies of its input, and parts of R, S, C of the writer would leave partial sums, which only
//     the levels and the host add.
//
// A dimension that neither layer splits is whole in each unit that has work. Then the border that
// the reader adds is there as well: zeros, which no link moves.
#pragma once

#include <cstddef>
#include <vector>

#include "pimbb/dram_pim/device_cost.hpp"
#include "pimbb/network.hpp"

namespace pimbb::dram_pim {

/// Dimensions of the writer and the reader of a tensor that divide it in the same way.
struct SharedDim {
  Dim written = Dim::N;
  Dim read = Dim::N;
  std::int64_t scale = 1;  ///< bounds of `written` for one of `read`
  friend bool operator==(const SharedDim&, const SharedDim&) = default;
};

/// A tensor that may stay.
struct StayEdge {
  std::size_t writer = 0, reader = 0;  ///< nodes of the graph
  std::vector<SharedDim> dims;         ///< along which it may be divided
};

/// The tensors of a network that may stay in the units of a device, in the order of their writers;
/// each layer reads one of them at most, and writes one at most. Throws InputError if the network
/// has no graph.
std::vector<StayEdge> stay_edges(const Device& device, const Network& network);

/// Whether every unit reads exactly what it has written. The splits are minimal ones for their
/// slices.
bool parts_agree(const StayEdge& edge, const DeviceMapping& writer, const DeviceMapping& reader);

}  // namespace pimbb::dram_pim
