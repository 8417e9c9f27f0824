// Physical addresses: tensors in their banks, and rows that are those of the cost model.
//
//     address = | row | bank, 2 bits | column, as many bits as a row needs |
//
// Bank 0 holds the input, 1 the weight, 2 the output; 3 is empty. With fewer than three banks
// tensor i is in bank i mod banks, its rows after those of the tensors before it. Row and column
// are quotient and remainder of the tensor's byte address divided by the row size; a packed element
// is addressed by the byte that its first bit is in. If the row size is not a power of two, it is
// rounded up to one and the last columns remain empty, so that the row is a bit field.
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "dram_pim/rows/bank_sharing.hpp"
#include "pimbb/dims.hpp"

namespace pimbb::dram_pim::rows {

struct BankMap {
  static constexpr int kBankBits = 2;

  /// `rows`: those that each tensor occupies.
  BankMap(std::int64_t row_size, std::size_t number_of_banks, const PerTensor<std::int64_t>& rows)
      : row_bytes(row_size),
        banks(number_of_banks),
        column_bits(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(row_size - 1)))) {
    PerTensor<std::int64_t> used{};  // by bank
    for (const Tensor t : kAllTensors) {
      first_row[index(t)] = used[bank(t)];
      end_row[index(t)] = used[bank(t)] += rows[index(t)];
    }
  }

  [[nodiscard]] std::size_t bank(Tensor t) const { return bank_of(t, banks); }
  [[nodiscard]] std::int64_t address(Tensor t, std::int64_t row, std::int64_t column) const {
    assert(row >= 0 && column >= 0 && column < row_bytes);
    return ((row << kBankBits | static_cast<std::int64_t>(bank(t))) << column_bits) | column;
  }

  std::int64_t row_bytes;
  std::size_t banks;
  int column_bits;
  PerTensor<std::int64_t> first_row{};
  PerTensor<std::int64_t> end_row{};  ///< behind the last one
};

}  // namespace pimbb::dram_pim::rows
