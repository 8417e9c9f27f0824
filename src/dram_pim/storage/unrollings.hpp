// Every unrolling of a layer on the array and inside the PEs, with what the PEs then read.
//
// The reads do not depend on the storage choice, only on whether level 0 stores a tensor, and, for
// the input, on whether the row buffer feeds the PEs (spec 4).
#pragma once

#include <array>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/storage/partial_storage.hpp"
#include "run/guard.hpp"

namespace pimbb::dram_pim::mapper {

struct Unrolling {
  TileIndex array = 0;
  TileIndex inside = 0;               ///< of a PE
  TileIndex tile = 0;                 ///< both together
  std::int64_t pes = 1;               ///< in use
  Int128 compute = 0;                 ///< scaled cycles
  PerTensor<Int128> read{};           ///< elements of all PEs, if level 0 stores the tensor
  PerTensor<Int128> pe_cycles{};      ///< scaled cycles of level 0 then
  PerTensor<Int128> fed{};            ///< elements, if a level inside the row buffer feeds the PEs
  PerTensor<Int128> fed_from_rows{};  ///< elements, if the row buffer does
};

/// Those that the row buffer can hold, by ascending tile of the array.
std::vector<Unrolling> unrollings(const Instance& instance, const run::Guard& guard);

/// A choice that stores `stored` at one level and everything elsewhere: for what fits that level.
Storage storing_at(const Instance& instance, std::size_t level, const TensorFlags& stored);

/// What the PEs take for a tile and a set of tensors that level 0 stores: no unrolling of the tile
/// takes less of each.
struct Feed {
  Int128 time = 0;                    ///< scaled cycles of compute and of level 0
  Int128 energy = 0;                  ///< scaled, of the reads of level 0
  PerTensor<Int128> fed{};            ///< reads of tensors that it does not store
  PerTensor<Int128> fed_from_rows{};  ///< the same at the row buffer
};

/// The undominated feeds of every tile, for some sets of tensors (bits by tensor).
class Feeds {
 public:
  Feeds(const Instance& instance, const std::vector<TensorSet>& sets, const run::Guard& guard);
  [[nodiscard]] const std::vector<Feed>& of(TileIndex tile, TensorSet set) const {
    return feeds_[tile][set];
  }

 private:
  std::vector<std::array<std::vector<Feed>, kTensorSets>> feeds_;
};

}  // namespace pimbb::dram_pim::mapper
