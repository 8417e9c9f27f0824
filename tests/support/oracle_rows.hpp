// The oracle's row activations: each of the three row models as literally as it can be written.
//
// `analytic` and `hybrid` walk every row-buffer tile instead of using periodicity; `trace` walks
// every element of the access stream. All of them are slow and meant to be.
#pragma once

#include <functional>

#include "pimbb/dram_pim/cost.hpp"
#include "support/fraction.hpp"
#include "support/oracle_tiles.hpp"

namespace oracle {

using pimbb::dram_pim::RowModel;

/// N_act of tensor `t`. Depends on the loops, its own layout and storage and, where tensors share a
/// bank, on the storage of the others of its bank.
Fraction row_activations(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                         RowModel model);

/// One element read or written in DRAM.
struct Access {
  std::int64_t iteration;  ///< of all temporal loops, from 0, at which its tile moves
  Axes element;
  std::int64_t bit;  ///< its first one, in the tensor's own bank
};
/// The stream of `trace`, access by access.
void for_each_access(const Architecture& a, const Workload& w, const Mapping& m, Tensor t,
                     const std::function<void(const Access&)>& visit);

/// The bank that tensor `t` is in.
std::size_t bank_of(const Architecture& a, Tensor t);
bool shares_bank(const Architecture& a, Tensor t);

/// The level that the row buffer fills for `t`: the next one inwards that stores it; -1 if none.
int fed_level(const Architecture& a, const Mapping& m, Tensor t);

}  // namespace oracle
