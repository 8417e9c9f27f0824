// Rules 1-7, one after the other.
#include "support/oracle_feasibility.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Direction;
using pimbb::dram_pim::UnitType;

bool exact_factorization(const Workload& w, const Mapping& m) {
  const Factors whole = cumulative(m, m.levels.size() - 1);
  return whole == w.bounds;
}

bool one_direction_each(const Mapping& m) {
  for (std::size_t j = 0; j < kDims; ++j) {
    int unrolled = 0;
    for (const Factors& direction : m.spatial) unrolled += direction[j] > 1 ? 1 : 0;
    if (unrolled > 1) return false;
  }
  return true;
}

bool fits_array(const Architecture& a, const Mapping& m) {
  const std::array<std::int64_t, 3> extent{a.pe_array.height, a.pe_array.width,
                                           a.pe_array.num_macs};
  for (std::size_t d = 0; d < 3; ++d) {
    std::int64_t used = 1;
    for (const std::int64_t factor : m.spatial[d]) used *= factor;
    if (used > extent[d]) return false;
  }
  return true;
}

}  // namespace

bool unit_allows(const Architecture& a, Direction direction, Dim j) {
  if (a.pe_array.lifted[index(direction)]) return true;
  const bool internal = direction == Direction::internal;
  const bool reduction = j == Dim::R || j == Dim::S || j == Dim::C;
  switch (a.pe_array.unit_type) {
    case UnitType::scalar: return !internal;
    case UnitType::simd: return !(internal && reduction);
    case UnitType::reduction_tree: return !(internal && !reduction);
    case UnitType::tensor_core:
      if (internal && a.pe_array.internal_dim && *a.pe_array.internal_dim != j) return false;
      return internal ? reduction : !reduction;
    default:
      if (direction == Direction::H) return j == Dim::K;
      if (direction == Direction::W) return j == Dim::C;
      return false;
  }
}

bool storage_allowed(const Architecture& a, std::size_t level, Tensor t, bool stored) {
  if (level >= a.levels.size() - 2) return stored;
  const bool may = a.levels[level].stores[index(t)];
  return a.levels[level].bypass_free ? may || !stored : stored == may;
}

bool fits(const Architecture& a, const Workload& w, const Mapping& m, std::size_t level) {
  if (!a.levels[level].capacity) return true;
  Factors shape = cumulative(m, level);
  if (level == 0) {  // one PE's share
    for (std::size_t j = 0; j < kDims; ++j) shape[j] /= m.spatial[0][j] * m.spatial[1][j];
  }
  std::int64_t sum = 0;
  std::int64_t largest = 0;
  for (const Tensor t : kAllTensors) {
    if (!m.levels[level].stores[index(t)]) continue;
    const std::int64_t bytes = buffer_bytes(a, t, tile_elements(w, t, shape));
    sum += bytes;
    largest = std::max(largest, bytes);
  }
  const bool own_bank_each = level == a.levels.size() - 2;
  return (own_bank_each ? largest : sum) <= *a.levels[level].capacity;
}

bool layout_fits(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  if (m.layout[index(t)] == pimbb::dram_pim::Layout::sequential) return true;
  const Box tile = tile_box(w, t, Factors{}, cumulative(m, a.levels.size() - 2));
  const std::int64_t row = row_bits(a);
  if (t != Tensor::input) return tile.volume() * element_bits(a, t) <= row;
  const Box plane = tile_box(w, t, Factors{}, w.bounds);
  const auto [h, w_] = m.input_block;
  if (h < 1 || w_ < 1 || plane.size[3] % h != 0 || plane.size[4] % w_ != 0) return false;
  if (h < tile.size[3] || w_ < tile.size[4]) return false;
  return h * w_ * tile.size[0] * tile.size[1] * tile.size[2] * element_bits(a, t) <= row;
}

std::string broken_rule(const Architecture& a, const Workload& w, const Mapping& m) {
  if (m.levels.size() != a.levels.size()) return "factorization";
  if (!exact_factorization(w, m)) return "factorization";
  if (!one_direction_each(m)) return "spatial";
  if (!fits_array(a, m)) return "pe_array";
  for (const Direction d : pimbb::dram_pim::kAllDirections) {
    for (const Dim j : kAllDims) {
      if (m.spatial[index(d)][index(j)] > 1 && !unit_allows(a, d, j)) return "unit_type";
    }
  }
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    for (const Tensor t : kAllTensors) {
      if (!storage_allowed(a, level, t, m.levels[level].stores[index(t)])) return "storage";
    }
  }
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    if (!fits(a, w, m, level)) return "capacity";
  }
  for (const Tensor t : kAllTensors) {
    if (!layout_fits(a, w, m, t)) return "layout";
  }
  return "";
}

}  // namespace oracle
