// Row pricing by the exact trace: activations depend on the orders of the loops.
//
// From the DRAM to the tile right inside the row buffer a node has classes of orders only, and the
// floors of dram_floors.hpp stand in for its activations. Then orders and layouts are decided: at
// once, where all streams are known by then (each order that no other one beats in activations and
// traffic becomes a node, and what is further inside sees exact sums), else in the leaf.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"
#include "dram_pim/trace/seam_tables.hpp"

namespace pimbb::dram_pim::mapper {

class TracedPricing : public RowPricing {
 public:
  /// Keeps a reference to the instance. `room`: bytes that may be used; seams take a part of them.
  TracedPricing(const Instance& instance, std::uint64_t room);

  [[nodiscard]] std::unique_ptr<ChainRows> under(const Storage& storage) const override;
  [[nodiscard]] bool wants_first_mapping() const override { return true; }
  [[nodiscard]] TableUse table_use() const override {
    return {seams_.lookups(), seams_.distinct()};
  }

 private:
  const Instance& instance_;
  mutable SeamTables seams_;  // filled as the search goes on
};

}  // namespace pimbb::dram_pim::mapper
