// Row activations of the `trace` model, by walking the stream of moved tiles (spec 6).
//
// Each tensor has one bank with one open row. Every time a tile moves, its elements arrive in
// ascending address order, so each of its rows is opened once, except that the first may still be
// open. A move is therefore described by (first row, last row, number of distinct rows), and the
// walk goes tile by tile, never element by element; the number of rows of a dense tile comes from
// its start address modulo the row by table. The walk can be given a limit above which the count no
// longer matters.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "pimbb/architecture.hpp"
#include "pimbb/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram {

struct WalkLimit {
  std::int64_t activations = std::numeric_limits<std::int64_t>::max();
  std::function<bool()> stop;  ///< polled now and then; true ends the walk
};

/// N_act of tensor `t`; a count above `limit.activations` is a lower bound of the true one. Nothing
/// if the walk was stopped.
std::optional<std::int64_t> walk_activations(const Architecture& architecture,
                                             const Workload& workload, const Mapping& mapping,
                                             Tensor t, const WalkLimit& limit = {});

}  // namespace pimbb::dram
