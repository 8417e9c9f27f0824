// Under a storage choice (which tensors each level holds): what every movement of data costs, on
// the scale on which all latencies and all energies are integers.
//
// A resource is *closed* if all of its time becomes known in one step of the tree, and *open* if it
// collects: a level with shared ports, the interconnect, and the DRAM bank of a tensor that the
// level inside the row buffer does not store. Open resources are summed along a branch.
#pragma once

#include "space.hpp"

namespace pimbb_check {

inline constexpr std::size_t kMostOpen = 3 + 1 + 12;

/// The slowest closed resource, the energy and the share of the open resources of one step.
struct Terms {
  Int latency = 0, energy = 0;
  std::array<Int, kMostOpen> open{};
};

struct Units {
  cpp_int latency = 1, energy = 1;
  explicit Units(const Problem& p);
};

class Storage {
 public:
  Storage(const Problem& p, const Units& units, std::vector<Flags> stores);

  std::size_t open_count() const { return open_count_; }
  /// Whether the tensors stored at level m fit with these tiles; at level 0: of one PE.
  bool fits(std::size_t m, const Factors& c) const;

  /// Moving all tiles of level m (< row buffer) inwards; s stays put since an anchor with `outer`
  /// sweeps. `rows`: row activations in 1/Row, paid together with the fills of level rb-1.
  Terms fill(std::size_t m, const Tile& tile, std::size_t s, Int outer,
             const PerTensor<Int>* rows = nullptr) const;
  /// Computing, level 0 and direct feeds of the PEs; factors on the array and inside a PE.
  Terms feed(const Factors& array, const Factors& internal) const;
  /// Energy of filling the row buffer.
  Int dram_energy(const Tile& tile, std::size_t s, Int outer) const;

  Int mac_energy() const { return mac_energy_; }
  Int cycles_per_row() const { return row_cycles_; }  ///< per 1/Row of an activation
  Int energy_per_row() const { return row_energy_; }

 private:
  Int reads(std::size_t t, Int moved) const;
  void charge(Terms& terms, std::size_t source, std::size_t t, Int reads, bool crosses,
              Int rows) const;
  Int moved(const Tile& tile, std::size_t t, std::size_t s, Int outer) const {
    return times(tile.sweep[t], t == s ? outer : tile.irrelevant[t]);
  }

  const Problem& p_;
  std::vector<Flags> stores_;
  std::vector<PerTensor<std::size_t>> source_;  // where level m is filled from
  PerTensor<std::size_t> innermost_{};
  std::vector<PerTensor<Int>> transfer_;  // cycles per element read at a level
  std::vector<Int> access_;               // energy per element
  PerTensor<Int> crossing_{};             // interconnect cycles per element
  Int cycle_, reduction_, row_cycles_, row_energy_, mac_energy_;
  PerTensor<int> open_bank_{-1, -1, -1};
  std::vector<int> open_level_;
  int open_interconnect_ = -1;
  std::size_t open_count_ = 0;
};

}  // namespace pimbb_check
