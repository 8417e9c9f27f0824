// Small networks of which tensors may stay in the units, and all that can become of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dram_pim/device/random_device.hpp"
#include "pimbb/network.hpp"
#include "support/fraction.hpp"

namespace testkit {

struct StayNetwork {
  DeviceInstance frame;  ///< device, objective and row model
  pimbb::Network network;
  /// For each layer whether the tensor after it may stay for the next layer.
  std::vector<bool> may_stay;
  std::vector<std::size_t> nodes;  ///< of the layers in the graph
};

/// Up to `layers` layers one after the other, some of them behind operators or read by several.
StayNetwork random_stay_network(std::uint64_t seed, std::size_t layers, std::int64_t macs);

/// The same network twice, reading the same input.
pimbb::Network twice(const pimbb::Network& network);

/// Which elements each unit has of a layer's output, or reads of its input, as a text: equal for
/// two splits if the units of a device can be numbered such that each has the same. None if the
/// split divides the tensor in a way that docs/devices.md does not allow between these layers.
std::optional<std::string> written_family(const pimbb::Workload& writer,
                                          const pimbb::Workload& reader,
                                          const pimbb::dram_pim::Split& split,
                                          const pimbb::Factors& slice);
std::optional<std::string> read_family(const pimbb::Workload& writer, const pimbb::Workload& reader,
                                       std::int64_t pad_left, std::int64_t pad_top,
                                       const pimbb::dram_pim::Split& split,
                                       const pimbb::Factors& slice);

/// The least values of the goals over all splits, mappings and tensors that stay; none if nothing
/// fits.
std::vector<oracle::Fraction> least_of_stay_network(const StayNetwork& n);

}  // namespace testkit
