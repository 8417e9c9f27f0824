// The other tensors of the bank, before and after.
#include "dram_pim/rows/bank_sharing.hpp"

#include <algorithm>

namespace pimbb::dram_pim::rows {

bool has_own_bank(Tensor t, std::size_t banks) {
  return std::ranges::none_of(
      kAllTensors, [&](Tensor u) { return u != t && bank_of(u, banks) == bank_of(t, banks); });
}

Kept kept_seams(Tensor t, const PerTensor<std::size_t>& moving, std::size_t banks) {
  const std::size_t own = moving[index(t)];
  Kept kept;
  for (const Tensor u : kAllTensors) {
    if (u == t || bank_of(u, banks) != bank_of(t, banks)) continue;
    const std::size_t other = moving[index(u)];
    if (other >= own) return {own, std::nullopt};
    if (u < t) {
      kept.from = std::max(kept.from, other);
    } else {
      kept.lost = std::max(kept.lost.value_or(0), other);
    }
  }
  return kept;
}

}  // namespace pimbb::dram_pim::rows
