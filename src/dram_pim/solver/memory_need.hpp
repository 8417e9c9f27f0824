// The memory that a solve cannot do without, known before anything is built.
//
// A layer's tiles are counted, not stored; from these counts follow the sizes of the lattice, of
// the row table, of the first decisions and of the tables for one storage choice, the fullest. A
// memory limit below their sum is refused at once. The counts bound what is built from above, by a
// few per cent.
#pragma once

#include "dram_pim/mapper/scale.hpp"
#include "pimbb/dram_pim/row_model.hpp"
#include "run/guard.hpp"

namespace pimbb::dram_pim::mapper {

/// In bytes, by the account of the memory limit. If the room of `guard` is enough for as many tiles
/// as there are divisor vectors, they are not counted, and what these need is returned.
std::uint64_t memory_need(const Architecture& architecture, const Workload& workload,
                          RowModel row_model, const Scale& scale, const run::Guard& guard);

}  // namespace pimbb::dram_pim::mapper
