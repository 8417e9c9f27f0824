// The implementation of row pricing for each row model.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"

namespace pimbb::dram_pim::mapper {

/// The pricing of the instance's row model; refers to the instance. `room`: bytes for it and for
/// all later tables.
std::unique_ptr<RowPricing> make_row_pricing(const Instance& instance,
                                             std::uint64_t room = run::kUnlimited);

}  // namespace pimbb::dram_pim::mapper
