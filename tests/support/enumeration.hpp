// The nested choices that make up all mappings, shared by the two exhaustive searches.
#pragma once

#include <functional>
#include <vector>

#include "support/oracle_tiles.hpp"

namespace oracle {

/// Layout of one tensor; the block counts for a row-aligned input only, the order for a sequential
/// one whose architecture leaves it free.
struct LayoutChoice {
  pimbb::dram_pim::Layout layout = pimbb::dram_pim::Layout::sequential;
  pimbb::dram_pim::Block block;
  pimbb::dram_pim::InputOrder order = pimbb::dram_pim::InputOrder::nchw;
};

/// Calls `visit` with every factorization that respects rules 1-4; loops stand in canonical order.
void for_each_factorization(const Architecture& a, const Workload& w,
                            const std::function<void(Mapping&)>& visit);

/// Calls `visit` with every order of the loops at the levels above 0.
void for_each_order(Mapping& m, const std::function<void()>& visit, std::size_t level = 1);

/// The storage bits of one tensor that rule 5 allows, one vector over all levels each.
std::vector<std::vector<bool>> storage_patterns(const Architecture& a, Tensor t);

/// The layouts of one tensor that rule 7 allows for the mapping's row-buffer tile.
std::vector<LayoutChoice> layout_choices(const Architecture& a, const Workload& w, Mapping m,
                                         Tensor t);

void set_storage(Mapping& m, Tensor t, const std::vector<bool>& pattern);
void set_layout(Mapping& m, Tensor t, const LayoutChoice& choice);

}  // namespace oracle
