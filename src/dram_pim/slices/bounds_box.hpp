// The vectors of bounds that padding allows: all between the layer's own and their tops.
#pragma once

#include <cstdint>

#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::slices {

class BoundsBox {
 public:
  /// Throws InputError if there are too many vectors, or the largest is no valid layer.
  explicit BoundsBox(const Workload& layer);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The vectors by number, the layer's own bounds first.
  [[nodiscard]] Factors operator[](std::uint64_t number) const;
  [[nodiscard]] const Factors& least() const { return least_; }
  [[nodiscard]] const Factors& most() const { return most_; }

 private:
  Factors least_, most_;
  std::uint64_t size_ = 1;
};

}  // namespace pimbb::dram_pim::slices
