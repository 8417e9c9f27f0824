// A new row model is one more case.
#include "dram_pim/solver/make_row_pricing.hpp"

#include "dram_pim/mapper/closed_rows.hpp"
#include "dram_pim/trace/traced_rows.hpp"

namespace pimbb::dram_pim::mapper {

std::unique_ptr<RowPricing> make_row_pricing(const Instance& instance, std::uint64_t room) {
  switch (instance.model) {
    case RowModel::trace: return std::make_unique<TracedPricing>(instance, room);
    case RowModel::analytic:
    case RowModel::hybrid:
    case RowModel::none: break;
  }
  return std::make_unique<ClosedPricing>(instance);
}

}  // namespace pimbb::dram_pim::mapper
