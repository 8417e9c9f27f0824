// How searches of layers share the time that a limit leaves for all of them.
#pragma once

#include <cstddef>
#include <optional>

namespace pimbb::dram_pim::device_network {

/// Seconds for the next of `open` searches on `threads` threads: half of its even share of what is
/// left, so that layers can be asked about again; at least `wanted` if that is given, and no more
/// than what is left.
[[nodiscard]] double time_share(double left, std::size_t threads, std::size_t open,
                                std::optional<double> wanted);

/// Seconds for another search where one of so many seconds ended too early: twice as many, or half
/// of what is left. Nothing if too little is left for that.
[[nodiscard]] std::optional<double> time_again(double left, double seconds);

}  // namespace pimbb::dram_pim::device_network
