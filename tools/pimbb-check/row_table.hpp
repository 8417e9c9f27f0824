// What the row models need of row-buffer tiles, for every goal and storage choice.
#pragma once

#include "order_floor.hpp"
#include "rows.hpp"

namespace pimbb_check {

class RowTable {
 public:
  RowTable(const Problem& p, const Space& space) : p_(p), space_(space), rows_(space.size()) {
    for (std::size_t t = 0; t < 3; ++t) whole_[t] = p.trace ? rows_of_tensor(p, t) : 0;
  }

  /// Rows of each tensor.
  [[nodiscard]] const PerTensor<std::int64_t>& whole() const { return whole_; }

  PerTensor<RowTile>& at(TileIndex i) {
    PerTensor<RowTile>& rows = rows_[i];
    if (rows[kWeight].tiles != 0) return rows;
    const TileIndex alike = without_k(i);  // the input does not see K
    if (rows_[alike][kInput].tiles == 0) {
      rows_[alike][kInput] = row_tile(p_, kInput, space_[alike].c);
    }
    rows[kInput] = rows_[alike][kInput];
    for (const std::size_t t : {kWeight, kOutput}) rows[t] = row_tile(p_, t, space_[i].c);
    return rows;
  }
  /// With the input's micro-traces.
  const PerTensor<RowTile>& in_full(TileIndex i) {
    PerTensor<RowTile>& rows = at(i);
    if (p_.hybrid && rows[kInput].micro == 0) {
      RowTile& alike = rows_[without_k(i)][kInput];
      if (alike.micro == 0) alike.micro = fewest_micro_traces(p_, space_[i].c);
      rows[kInput].micro = alike.micro;
    }
    return rows;
  }

 private:
  [[nodiscard]] TileIndex without_k(TileIndex i) const {
    return space_.divisors(space_[i], space_.mask(kInput))[0];
  }
  const Problem& p_;
  const Space& space_;
  std::vector<PerTensor<RowTile>> rows_;
  PerTensor<std::int64_t> whole_{};
};

}  // namespace pimbb_check
