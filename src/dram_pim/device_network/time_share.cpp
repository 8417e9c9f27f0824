// Shares of time, in seconds.
#include "dram_pim/device_network/time_share.hpp"

#include <algorithm>

namespace pimbb::dram_pim::device_network {

double time_share(double left, std::size_t threads, std::size_t open,
                  std::optional<double> wanted) {
  const double half = left / 2 * static_cast<double>(threads) / static_cast<double>(open);
  return std::min(left, std::max(half, wanted.value_or(0)));
}

std::optional<double> time_again(double left, double seconds) {
  constexpr double kLeast = 0.01;  // seconds that are worth another search
  if (left < std::max(kLeast, 2 * seconds)) return std::nullopt;
  return std::max(2 * seconds, left / 2);
}

}  // namespace pimbb::dram_pim::device_network
