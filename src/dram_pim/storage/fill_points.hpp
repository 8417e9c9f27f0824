// Fill points: the trade-off between the fills of the three tensors at a level.
//
// For no tile of a level can the fills of all three tensors be small. Under a storage choice the
// vectors of fills that a level can have are a finite set, one vector for each tile that fits the
// level and each tensor that may be stationary; capacities, overlapping windows, divisors and row
// activations are exact here. Only vectors that no other vector equals or beats in every component
// matter for a bound: for a 56 x 56 x 64 x 64 convolution and a 128-byte buffer about thirty of
// 37,632. They are the columns of the linear relaxation (relaxation.hpp), which forms convex
// combinations of them; so each point also contains the fills that one level implies for its
// neighbours.
//
// Let U_t(c) be the fills of a tile c if t is not stationary, sweep_t(c) those of one outer sweep
// (nest/lattice.hpp), V_t(m) the fills of level m, and let s be stationary at level m. A run *comes
// from outside* if s was stationary at level m+1 already and the run continues; it *goes on inside*
// if the same holds one level further in. Then, with c the tile of level m:
//
//     V_t(m)   = U_t(c) for t != s;  V_s(m) >= sweep_s(c)
//     V_t(m-1) >= k_t U_t(c),        but only k_s sweep_s(c) for s if the run goes on inside:
//                otherwise a run of s at level m-1 starts at c and moves every c, and no run of
//                another tensor can have started further out. k_t <= 1 is the factor by which the
//                sweep of a smaller tile can be shorter: 1 except for inputs with gaps in windows.
//     V_t(m+1) >= U_t(c) for t != s if the run comes from outside: the loops of level m+1 are all
//                irrelevant to s, hence relevant to the other two, and the tile c' of level m+1 has
//                the factors of c in all dimensions that s sees. The irrelevant dimensions of t are
//                among them. For the input, whose sweep depends on more, least sweep * B_K/c_K.
//
// All three are inequalities between integers that hold for every mapping. With G innermost no
// tensor is stationary: the inequalities hold with s = input and no run, because V_s = U_s then. So
// do the least activations of that class, none of which grows if the input's loops are inner (at
// best it crosses no block) and those of the others are outer.
#pragma once

#include <array>
#include <boost/dynamic_bitset.hpp>
#include <map>
#include <vector>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/storage/partial_storage.hpp"
#include "dram_pim/storage/unrollings.hpp"

namespace pimbb::dram_pim::mapper {

struct FillPoint {
  PerTensor<Int128> fills{};    ///< V of this level
  PerTensor<Int128> inside{};   ///< least V of the next level inwards
  PerTensor<Int128> outside{};  ///< least V of the next level outwards
  PerTensor<Int128> rows{};     ///< row buffer: least activations, in units of 1/row
};

/// Whether a run of loops irrelevant to `stationary` passes through a level.
struct PassingRun {
  Tensor stationary = Tensor::input;
  bool comes_from_outside = false;
  bool goes_on_inside = false;
};

/// One way to unroll the loops in space: what the PEs then read. Every level outside the PEs has a
/// tile that this unrolling divides, and PEs hold what is unrolled inside them: levels that are
/// small for what they store leave only unrollings that do not fill the array.
struct LeafPoint {
  Int128 compute = 0;             ///< scaled cycles
  PerTensor<Int128> fed{};        ///< elements, if a level outside the PEs feeds them directly
  PerTensor<Int128> read{};       ///< elements, if level 0 does
  PerTensor<Int128> pe_cycles{};  ///< scaled cycles of level 0 then
};

class FillPoints {
 public:
  /// Throws what `guard` throws, now or while it prepares.
  explicit FillPoints(const Instance& instance, run::Guard guard = {});

  /// Makes sure that at(level, stored, ...) is known. Not thread-safe, nor are the next two.
  void prepare_points(std::size_t level, const TensorFlags& stored);
  /// The same for all levels of a storage choice.
  void prepare_points(const PartialStorage& storage);
  /// Makes sure that leaves(storage) is known.
  void prepare(const PartialStorage& storage);
  /// The points of a level that stores at least the tensors `stored`; thread-safe.
  [[nodiscard]] const std::vector<FillPoint>& at(std::size_t level, const TensorFlags& stored,
                                                 const PassingRun& run) const;
  /// The unrollings whose own tile fits every level together with what that is decided to store;
  /// thread-safe.
  [[nodiscard]] const std::vector<LeafPoint>& leaves(const PartialStorage& storage) const;
  /// A lower bound on the activations of every mapping, in units of 1/row.
  [[nodiscard]] Int128 least_activations() const { return least_activations_; }
  /// The greatest fills that a tensor can have at any level.
  [[nodiscard]] Int128 most_fills() const { return most_fills_; }
  /// floor(k_t * fills), the least fills one level further in.
  [[nodiscard]] Int128 further_in(Tensor t, Int128 fills) const {
    return t == Tensor::input ? fills * shrink_.num / shrink_.den : fills;
  }
  struct Fraction {
    std::int64_t num = 1;
    std::int64_t den = 1;
  };
  /// k of the input; that of the other tensors is 1.
  [[nodiscard]] const Fraction& input_shrink() const { return shrink_; }

 private:
  using Key = std::pair<std::size_t, TensorFlags>;
  static constexpr std::size_t kRuns = 4 * kTensors;
  static std::size_t place(const PassingRun& run) {
    return index(run.stationary) * 4 + (run.comes_from_outside ? 2 : 0) +
           (run.goes_on_inside ? 1 : 0);
  }

  /// A set of unrollings.
  using Unrollings = boost::dynamic_bitset<>;

  void find_shrink();
  void find_points(std::size_t level, const TensorFlags& stored);
  void find_fitting(std::size_t level, const TensorFlags& stored);
  [[nodiscard]] Unrollings fitting(const PartialStorage& storage) const;
  [[nodiscard]] std::vector<LeafPoint> leaves_of(const Unrollings& which) const;
  [[nodiscard]] std::vector<TileIndex> tiles(std::size_t level, const TensorFlags& stored) const;
  [[nodiscard]] FillPoint point(std::size_t level, const Tile& tile, const PassingRun& run) const;
  [[nodiscard]] PerTensor<Int128> least_rows(TileIndex tile, Tensor at_dram) const;

  const Instance& instance_;
  run::Guard guard_;
  Fraction shrink_;
  Int128 least_sweep_ = 0;  // of the input
  Int128 most_fills_ = 0;
  Int128 least_activations_ = 0;
  std::vector<Unrolling> unrollings_;
  std::map<Key, Unrollings> fitting_;
  std::map<Unrollings, std::vector<LeafPoint>> leaves_;
  std::map<Key, std::array<std::vector<FillPoint>, kRuns>> known_;
};

}  // namespace pimbb::dram_pim::mapper
