// Row pricing by closed formulas (rows/row_activations.hpp): the models `analytic` and `hybrid`.
//
// The row table has the inputs of the formulas for every tile; a node adds the loops around the
// tile. The storage choice has no influence, because the row buffer stores every tensor.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"

namespace pimbb::dram_pim::mapper {

class ClosedPricing : public RowPricing {
 public:
  /// Refers to the instance.
  explicit ClosedPricing(const Instance& instance) : instance_(instance) {}
  [[nodiscard]] std::unique_ptr<ChainRows> under(const Storage& storage) const override;

 private:
  const Instance& instance_;
};

/// Lower bounds of the activations of a node at the row buffer for all loops of the row buffer;
/// cheap to compute. For any row model (see RowTable).
PerTensor<Int128> least_rows(const Instance& instance, const PartialMapping& row_buffer);

}  // namespace pimbb::dram_pim::mapper
