// Parts of the plane of what slices need of a bank: bytes for good, and bytes while a layer runs.
#pragma once

#include <limits>

#include "pimbb/dram_pim/device_network.hpp"

namespace pimbb::dram_pim::device_network {

/// Needs above one corner, up to another one.
struct BankShare {
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
  BankNeed above{-1, -1};  ///< excluded
  BankNeed most{kAll, kAll};

  [[nodiscard]] bool admits(const BankNeed& need) const {
    return need.weight > above.weight && need.io > above.io && need.weight <= most.weight &&
           need.io <= most.io;
  }
  [[nodiscard]] bool whole() const { return *this == BankShare{}; }
  friend bool operator==(const BankShare&, const BankShare&) = default;
};

}  // namespace pimbb::dram_pim::device_network
