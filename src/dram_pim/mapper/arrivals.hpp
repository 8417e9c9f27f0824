// The first decision of a chain, from the DRAM to the row buffer: a tile and a loop class.
//
// Its cost does not depend on the storage choice, because the row buffer stores every tensor, and
// not on the goal. The list of all arrivals with their costs is therefore computed once for a
// layer. The row activations are lower bounds: the row buffer's own loops are assumed to cause
// none.
#pragma once

#include <vector>

#include "dram_pim/mapper/allowed_steps.hpp"
#include "dram_pim/mapper/arrival_screen.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

struct Arrival {
  Step step;
  Int128 energy = 0;  ///< of the MACs and of the reads that fill the row buffer
  Costs least;        ///< with the least activations: slowest bank, energy, activations
};

/// A list of arrivals by what tells them apart. Those of a large layer are millions: numbers take
/// 64 bits if all fills fit them, and activations that all arrivals share are stored once.
class Arrivals {
 public:
  /// `rows_alike`: whether all arrivals have the same activations.
  Arrivals(const Scale& scale, bool rows_alike)
      : activation_energy_(scale.activation_energy),
        mac_energy_(scale.mac_energy),
        energy_step_(scale.energy_step),
        narrow_(scale.fills_fit_64_bits),
        rows_alike_(rows_alike) {}

  [[nodiscard]] std::size_t size() const { return steps_.size(); }
  [[nodiscard]] bool empty() const { return steps_.empty(); }
  [[nodiscard]] Arrival operator[](std::size_t i) const {
    const Key& key = steps_[i];
    const Rows& rows = rows_[rows_alike_ ? 0 : i];
    Arrival arrival{{{key.tile, key.stationary, key.anchor}, loops_of(key), key.orders},
                    narrow_ ? mac_energy_ + narrow_energy_[i] * energy_step_ : wide_energy_[i],
                    {rows.slowest, 0, rows.activations}};
    arrival.least.energy = arrival.energy + rows.activations * activation_energy_;
    return arrival;
  }
  void push_back(const Arrival& arrival);
  /// All of them, one part after another; of the same scale. The parts are empty then.
  [[nodiscard]] static Arrivals joined(std::vector<Arrivals>& parts, const Arrivals& none);

  [[nodiscard]] std::uint64_t bytes() const { return size() * bytes_of_one(narrow_, rows_alike_); }
  [[nodiscard]] static std::uint64_t bytes_of_one(bool narrow, bool rows_alike) {
    return sizeof(Key) + (narrow ? sizeof(std::int64_t) : sizeof(Int128)) +
           (rows_alike ? 0 : sizeof(Rows));
  }

 private:
  static constexpr std::uint8_t kNoClass = 0xFF;
  struct Key {
    TileIndex tile;
    std::uint32_t anchor;
    std::uint32_t orders;  // of at most eight loops
    Tensor stationary;
    std::uint8_t loops;
  };
  struct Rows {
    Int128 slowest;  // time of the slowest bank
    Int128 activations;
  };
  [[nodiscard]] static LoopClass loops_of(const Key& key) {
    return key.loops == kNoClass ? LoopClass{} : LoopClass(kAllTensors[key.loops]);
  }

  Int128 activation_energy_;
  Int128 mac_energy_;
  Int128 energy_step_;
  bool narrow_;
  bool rows_alike_;
  run::RawTable<Key> steps_;
  run::RawTable<std::int64_t> narrow_energy_;  // of the reads, in steps
  run::RawTable<Int128> wide_energy_;
  run::RawTable<Rows> rows_;
};

/// The reuse factors of the loops at the DRAM and at the row buffer. `sweeps`: the outer
/// repetitions of the tensor `at_dram`, if not all of its irrelevant loops may be innermost.
PerTensor<rows::RowReuse> row_reuse(const Lattice& lattice, const Tile& rb, LoopClass at_dram,
                                    const LoopSplit* below, std::int64_t sweeps = 1);

/// Lower bounds of the activations after an arrival by `step`.
PerTensor<Int128> least_rows(const Lattice& lattice, const RowTable& rows, const Step& step);

/// All arrivals that a dataflow, a precedence and constraints allow, by ascending tile; with a
/// screen: those that are hopeful.
Arrivals arrivals(const TileSpace& space, const RowTable& rows, const run::Guard& guard = {},
                  const ArrivalScreen* screen = nullptr);

}  // namespace pimbb::dram_pim::mapper
