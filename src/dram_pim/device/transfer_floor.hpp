// The least that the transfers of any split into slices of some bounds cost.
//
// A link moves at least the blocks of one child; all links of a level together move the whole
// weight and the whole output, if they move at all.
#pragma once

#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::device {

class TransferFloor {
 public:
  /// Keeps references.
  TransferFloor(const Device& device, const Workload& layer, const Moves& moves);

  /// At least what any split into these slices costs that runs `units`.
  [[nodiscard]] SplitCost of(const Factors& slice, std::int64_t units) const;

  /// Cycles on the way of anything, whatever is moved.
  [[nodiscard]] const Rational& way() const { return way_; }
  /// Cycles per byte on the slowest link; 0 where all are unbounded.
  [[nodiscard]] const Rational& write_time() const { return write_time_; }
  [[nodiscard]] const Rational& read_time() const { return read_time_; }
  /// nJ per byte, over the links of all levels.
  [[nodiscard]] const Rational& energy() const { return energy_; }

 private:
  [[nodiscard]] Rational bytes(Tensor t, const Factors& bounds) const;

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  Rational way_, energy_, write_time_, read_time_;
};

}  // namespace pimbb::dram_pim::device
