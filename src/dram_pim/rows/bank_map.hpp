// Physical addresses: each tensor has its own bank, and rows are those of the cost model.
//
//     address = | row | bank, 2 bits | column, as many bits as a row needs |
//
// Bank 0 holds the input, 1 the weight, 2 the output; 3 is empty. Row and column are quotient and
// remainder of the tensor's byte address divided by the row size; a packed element is addressed by
// the byte that its first bit is in. If the row size is not a power of two, it is rounded up to one
// and the last columns remain empty, so that the row is a bit field.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "pimbb/dims.hpp"

namespace pimbb::dram_pim::rows {

struct BankMap {
  static constexpr int kBankBits = 2;

  explicit BankMap(std::int64_t row_size)
      : row_bytes(row_size),
        column_bits(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(row_size - 1)))) {}

  static constexpr std::int64_t bank(Tensor t) { return static_cast<std::int64_t>(index(t)); }
  [[nodiscard]] std::int64_t address(Tensor t, std::int64_t row, std::int64_t column) const {
    assert(row >= 0 && column >= 0 && column < row_bytes);
    return ((row << kBankBits | bank(t)) << column_bits) | column;
  }

  std::int64_t row_bytes;
  int column_bits;
};

}  // namespace pimbb::dram_pim::rows
