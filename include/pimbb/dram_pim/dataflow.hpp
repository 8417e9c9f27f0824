// What a mapping does with its data: which tile stays put where and for how long, and what each
// direction of the PE array has to carry.
//
// In time: the loops outside a level are run from the inside out until the first that indexes the
// tensor; all before it leave the tensor's tile in place. In space: PEs that differ only in
// dimensions that do not index a tensor use the same element in the same cycle. The operands are
// multicast to them; their partial sums are added. docs/dataflows.md has the equations.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

/// One level's innermost loops, none of which indexes `tensor`: its tile in `holder` stays put.
struct Stationary {
  std::size_t level;        ///< whose loops they are
  Tensor tensor;            ///< what stays
  std::size_t holder;       ///< the next level inside that stores it
  std::vector<Loop> loops;  ///< outermost first
  std::int64_t iterations;  ///< their product, > 1
  friend bool operator==(const Stationary&, const Stationary&) = default;
};

/// One tensor along a line of PEs: a column (over H), a row (over W), or inside one PE (internal).
struct LineFlow {
  /// Factors of the direction that do not index the tensor: as many PEs (MACs, inside one PE) use
  /// each element at once, or, for the output, have partial sums of the same element to add.
  std::int64_t sharing = 1;
  std::int64_t elements = 1;  ///< different elements that the line uses in a cycle
  Rational bandwidth;         ///< bytes per cycle that keep the line busy, on average
};

struct DirectionFlow {
  Factors factors = kOnes;  ///< what is unrolled
  PerTensor<LineFlow> tensors;
};

/// The whole array's need of one tensor.
struct ArrayFlow {
  std::size_t source = 0;     ///< the innermost level outside the PEs that stores it
  std::int64_t elements = 1;  ///< different elements in a cycle
  Rational bandwidth;         ///< bytes per cycle from (or, the output, to) the source
};

inline constexpr std::array kDataflows{Method::ws, Method::os, Method::is, Method::rs};

struct Dataflow {
  /// For each of kDataflows why the mapping is not within it; empty where it is.
  std::array<std::optional<std::string>, kDataflows.size()> departures;
  std::vector<Stationary> stationary;  ///< levels innermost first
  /// By level: iterations of the loops outside for which each tile stays; none where the level does
  /// not store the tensor, or is the DRAM.
  std::vector<PerTensor<std::optional<std::int64_t>>> stays;
  std::array<DirectionFlow, kDirections> directions;
  PerTensor<ArrayFlow> array;

  [[nodiscard]] bool within(Method dataflow) const;
  /// "ws", "os+rs" where it is within dataflows; else what stays from the inside out, "mixed o,i".
  [[nodiscard]] std::string label() const;
};

/// Analyses a feasible mapping (find_violation); all figures are exact.
Dataflow analyse_dataflow(const Architecture& architecture, const Workload& workload,
                          const Mapping& mapping);

/// The dataflow in a sentence: "weight stationary (ws): weight stationary at GlobalBuffer over P =
/// 7 iterations, at DRAM over N x Q = 28 iterations", "mixed: output stationary at ...".
std::string describe(const Architecture& architecture, const Dataflow& dataflow);

}  // namespace pimbb::dram_pim
