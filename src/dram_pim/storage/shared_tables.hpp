// Cost-to-go tables that all storage choices share.
//
// The tables of one storage choice (mapper/cost_to_go_tables.hpp) know from which level each tensor
// is read. Here that is part of the state: a chain that arrives at level m has, for each tensor,
// a *source* sigma[t], the innermost level outside m that stores t. What level m stores is a
// decision like its tile:
//
//     arrive(m, c, t, a; sigma) = min over the sets D that fit level m together with tile c, of
//                                 (the fills of D from sigma) + rest(m, c, t, a; sigma_D)
//     rest(m, c, t, a; sigma)   = min of carry(m, c, t, a; sigma) and broken(m, c; sigma)
//
// where sigma_D has m in the place of the tensors in D, and carry and broken are the minima of
// arrive(m-1, ...; sigma) over tiles that the other file derives. k levels with free bypass have
// 8^k storage choices, but 1 + 8 + 27 + ... + k^3 vectors of sources at all levels together: the
// minimum over all choices takes as much work as the tables of about so many of them.
//
// Tables are filled from the PEs outwards. All that storage choices share which agree in the outer
// levels is therefore one column of a table, for the sources that these levels are; from there on,
// the steps are repeated for the decided levels alone, for all sets of one more level at a time.
// The result is the least cost of any mapping with any of these choices, but for row activations,
// of which each arrival at the row buffer has a lower bound (mapper/arrivals.hpp).
//
// The cost is the energy, of mappings whose compute, single transfers, and row activations of one
// bank take no longer than a limit each; or the longest of these times, with a maximum in the place
// of each sum. What the row buffer hands inwards takes the same bank as the least activations of
// the tensor. A resource that several transfers share takes at least as long as each of them.
// Dataflows, precedences of loops and constraints on factors are left out, which can only lower a
// minimum.
//
// Claim: no computation overflows with numbers of 64 bits, which count the steps of the scale, if
// Scale::fills_fit_64_bits, and never with numbers of 128 bits.
//
// Proof. Finite entries are sums of fills and a feed in which each level hands each tensor inwards
// at most once, so that they are below 2^61, or 2^126 (cost_to_go_tables.hpp, scale.hpp), also with
// row activations, which add to one time of them and are counted up to 2^61. Infinity
// is N = 2^62, or 2^126. A cost is at most N, the sum of two is cut to it, and with the third one
// and a rest it is at most 3 N, which unsigned numbers hold. A maximum is no more than a sum.  []
#pragma once

#include <memory>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/storage/partial_storage.hpp"
#include "dram_pim/storage/runs.hpp"
#include "dram_pim/storage/unrollings.hpp"

namespace pimbb::dram_pim::mapper {

/// What the tables minimise.
enum class SharedCost : std::uint8_t { energy, latency };

class SharedTables {
 public:
  /// `open`: all storage choices. `limit`: scaled latency; kInfinity for none. Keeps the instance.
  /// Throws what the guard throws.
  SharedTables(const Instance& instance, const PartialStorage& open, SharedCost cost, Int128 limit,
               const run::Guard& guard);
  ~SharedTables();
  /// Makes them again for a smaller limit. Not of use any more if the guard throws.
  void narrow(Int128 limit, const run::Guard& guard);

  /// Bytes that they take while they are made.
  [[nodiscard]] static std::uint64_t bytes(const Instance& instance, const PartialStorage& open);

  /// The least scaled cost of mappings within the limit, under any storage choice; kInfinity if
  /// there is none.
  [[nodiscard]] Int128 least() const;
  /// The same for the choices of which levels outside `level` are as in `storage`, one value for
  /// each set that `level` may store there (sets_of). Not thread-safe.
  [[nodiscard]] std::vector<Int128> least_by_set(const PartialStorage& storage, std::size_t level,
                                                 const run::Guard& guard);
  [[nodiscard]] Int128 limit() const { return limit_; }
  [[nodiscard]] SharedCost cost() const { return cost_; }

 private:
  class Any;
  template <class Number, SharedCost kCost>
  class Of;
  SharedCost cost_;
  Int128 limit_;
  std::unique_ptr<Any> tables_;
};

}  // namespace pimbb::dram_pim::mapper
