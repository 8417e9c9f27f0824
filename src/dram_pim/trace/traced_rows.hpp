// Row pricing by the exact trace: activations depend on the orders of the loops.
//
// From the DRAM to the tile directly inside the row buffer a node has loop classes only, and the
// floors of dram_floors.hpp replace its activations. Then orders and layouts are decided:
// immediately, if all streams are known at this point (each order that no other order beats in
// activations and traffic becomes a node, and nodes further inside have exact sums), otherwise at
// the leaf.
#pragma once

#include <memory>
#include <mutex>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"
#include "dram_pim/trace/joint_floors.hpp"
#include "dram_pim/trace/seam_tables.hpp"

namespace pimbb::dram_pim::mapper {

class TracedPricing : public RowPricing {
 public:
  /// Keeps a reference to the instance. `room`: available bytes; seam tables use a part of them.
  TracedPricing(const Instance& instance, std::uint64_t room);

  [[nodiscard]] std::unique_ptr<ChainRows> under(const Storage& storage) const override;
  [[nodiscard]] bool wants_first_mapping() const override { return true; }
  [[nodiscard]] TableUse table_use() const override {
    return {seams_.lookups(), seams_.distinct()};
  }

  /// What bounds of all tensors together need; made at the first call, null if there is no room.
  [[nodiscard]] std::shared_ptr<JointSeams> joint_seams(const run::Guard& guard) const;

 private:
  const Instance& instance_;
  std::uint64_t room_;
  mutable SeamTables seams_;  // filled as the search goes on
  mutable std::mutex making_;
  mutable std::shared_ptr<JointSeams> joint_;
};

}  // namespace pimbb::dram_pim::mapper
