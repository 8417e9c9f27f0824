// Tensors that share a bank, and the rows that they close for each other (row model trace).
//
// Tensor i is in bank i mod num_banks, in rows of its own. With three banks or more a move of a
// tensor finds its first row open if the move before has ended in it. In a shared bank it does so
// only if no other tensor of the bank has moved in between.
//
// Number all temporal loops with more than one iteration from the outermost on. The tile of tensor
// t moves at every iteration of the first m(t) of them, when those further in are at their first
// iteration; at equal times the input moves before the weight before the output. Two consecutive
// moves of t, at a seam of loop k <= m(t), have no move of u between them
//
//     never, if m(u) >= m(t);
//     iff k > m(u), if u moves before t at equal times: u follows the loops outside the seam;
//     iff the earlier move is not at the first iteration of all loops beyond m(u), if u moves after
//     t: such a move of t is followed by one of u. It is only at seams of loop m(t) that go from
//     its first to its second iteration.
//
// So at most one tensor of a bank, the one with the largest m, keeps a row open, and of its seams
// those of the loops beyond the largest m(u) of the tensors before it, less those that begin at the
// first iteration of all loops beyond the largest m(u) of the tensors after it.
#pragma once

#include <cstdint>
#include <optional>

#include "pimbb/dims.hpp"

namespace pimbb::dram_pim::rows {

constexpr std::size_t bank_of(Tensor t, std::size_t banks) { return index(t) % banks; }
/// Whether t is alone in its bank.
bool has_own_bank(Tensor t, std::size_t banks);

/// The seams at which a row of a tensor can still be open.
struct Kept {
  std::size_t from = 0;  ///< those of the loops from this one on, counted from 0
  /// but, at the innermost loop, not those that begin where all loops from this one on begin.
  std::optional<std::size_t> lost;
};

/// `moving`: m of each tensor.
Kept kept_seams(Tensor t, const PerTensor<std::size_t>& moving, std::size_t banks);

}  // namespace pimbb::dram_pim::rows
