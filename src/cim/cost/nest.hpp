// What the cost of a mapping depends on: the blocks of its nest, their tiles and their transfers.
//
// A block is a maximal run of loops at one level of a tensor. Each has one transfer to the next
// level inside, except weight blocks at the innermost level of weights: those stay in place. From
// the block's innermost loop outwards, the transfer belongs to the first relevant loop, or, if
// there is none, to the block's outermost loop.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "cim/cost/units.hpp"
#include "cim/model/elements.hpp"
#include "cim/model/unrolling.hpp"
#include "pimbb/cim/cost.hpp"

namespace pimbb::cim::cost {

inline constexpr std::size_t kMostLoops = 64;     ///< factors >= 2 of fewer than 2^63 iterations
inline constexpr std::uint8_t kMac = kMaxLevels;  ///< inside all levels

struct Block {  // no default values: a nest has room for many, and few are used
  Tensor tensor;
  std::uint8_t from;
  std::uint8_t to;    ///< or kMac
  bool moves;         ///< has a transfer
  bool serial;        ///< the innermost level is bypassed: bits must still be serialised
  bool doubled;       ///< the destination is double-buffered
  std::uint8_t loop;  ///< of the transfer
  std::int64_t bits;  ///< of an element at `from`
  std::int64_t bits_to;
  std::int64_t tile;     ///< elements of a transfer
  std::int64_t data;     ///< elements at `from`
  std::int64_t data_to;  ///< elements at `to`
  std::int64_t fires;
};

/// Reads and writes of a transfer: outputs go both ways.
constexpr std::int64_t ways(Tensor t) { return t == Tensor::output ? 2 : 1; }

class Nest {
 public:
  /// `layer` is padded already; the mapping is feasible.
  Nest(const Architecture& architecture, const Units& units, const Workload& layer,
       const Elements& elements, const Mapping& mapping);

  std::size_t loops = 0;
  std::array<std::int64_t, kMostLoops> factor;
  std::int64_t products = 1;                        ///< of all factors
  std::array<Block, kTensors * kMaxLevels> blocks;  ///< by tensor, innermost first
  std::array<std::size_t, kTensors + 1> first{};    ///< of each tensor's blocks, and their end
  PerTensor<std::int64_t> elements{};               ///< of the whole tensors
  PerTensor<Time> boot{};                           ///< 0 unless the DRAM is bypassed
  bool psum_anywhere = false;                       ///< some loop is a reduction

  [[nodiscard]] const Architecture& architecture() const { return a_; }
  [[nodiscard]] const Units& units() const { return units_; }
  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  [[nodiscard]] const Elements& elements_of() const { return elements_; }
  [[nodiscard]] const Unrolling& unrolling() const { return unrolling_; }
  /// Whether a tensor's way begins outside all loops.
  [[nodiscard]] bool boots(Tensor t) const {
    return loops == 0 || mapping_.loops[0].level[index(t)] != a_.dram();
  }
  /// Time of one transfer of a block.
  [[nodiscard]] Time time(const Block& block, Semantics semantics) const;
  /// Whether outputs at `level` are partial sums.
  [[nodiscard]] bool psum(std::size_t level) const {
    return outermost_reduction_ && level <= *outermost_reduction_;
  }

  /// Per loop and tensor: time of the transfer that belongs to it, and whether tiles of the level
  /// inside are doubled.
  struct Times {
    PerTensor<std::array<Time, kMostLoops>> transfer;
    PerTensor<std::array<bool, kMostLoops>> doubled;
  };
  void times(Semantics semantics, Times& out) const;

 private:
  void add_blocks(Tensor t);

  const Architecture& a_;
  const Units& units_;
  const Elements& elements_;
  const Mapping& mapping_;
  Unrolling unrolling_;
  std::optional<std::size_t> outermost_reduction_;  // level of the output
};

/// Latency of a nest, in time units, without contention.
Time recursion(const Nest& nest);
Time table3(const Nest& nest);
Time simulate(const Nest& nest);
Time latency(const Nest& nest, Semantics semantics);

/// One iteration of a loop in its steady state, by the recursion.
struct IterationTimes {
  PerTensor<Time> move{};    ///< of the transfers that belong to the loop, outputs both ways
  PerTensor<Time> inside{};  ///< until the loops inside are done with a tensor
  Time cycle = 0;            ///< between an iteration and the next one
};
/// Of each loop, outermost first.
std::vector<IterationTimes> iteration_times(const Nest& nest);

/// The recursion with two more lower bounds (pimbb/cim/cost.hpp).
Time recursion_with_cuts(const Nest& nest);

/// Time that each tensor's port of each level is occupied.
using Busy = std::array<PerTensor<Time>, kMaxLevels>;
Busy busy(const Nest& nest, Semantics semantics);
/// The least latency that contention admits; 0 without.
Time contention_floor(const Nest& nest, const Busy& busy, Contention contention);

}  // namespace pimbb::cim::cost
