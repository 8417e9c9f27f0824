// The data movement of a mapping: which tiles stay in place at which level and for how long, and
// the data that each direction of the PE array needs.
//
// In time: consider the loops outside a level from the inside outwards. All loops before the first
// one that indexes a tensor leave the tensor's tile in place. In space: PEs that differ only in
// dimensions that do not index a tensor use the same element in the same cycle. Operands are
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

/// The innermost loops of one level, none of which indexes `tensor`: its tile in `holder` stays in
/// place.
struct Stationary {
  std::size_t level;        ///< the level of the loops
  Tensor tensor;            ///< the tensor that stays in place
  std::size_t holder;       ///< the next level inside that stores it
  std::vector<Loop> loops;  ///< outermost first
  std::int64_t iterations;  ///< their product, > 1
  friend bool operator==(const Stationary&, const Stationary&) = default;
};

/// One tensor along a line of PEs: a column (over H), a row (over W), or inside one PE (internal).
struct LineFlow {
  /// Product of the direction's factors that do not index the tensor: the number of PEs (MACs,
  /// inside one PE) that use an element at once or, for the output, that add to the same element.
  std::int64_t sharing = 1;
  std::int64_t elements = 1;  ///< different elements that the line uses in one cycle
  Rational bandwidth;         ///< bytes per cycle that the line needs, on average
};

struct DirectionFlow {
  Factors factors = kOnes;  ///< spatial factors in this direction
  PerTensor<LineFlow> tensors;
};

/// The demand of the whole array for one tensor.
struct ArrayFlow {
  std::size_t source = 0;     ///< the innermost level outside the PEs that stores it
  std::int64_t elements = 1;  ///< different elements in one cycle
  Rational bandwidth;         ///< bytes per cycle from the source; for the output, to the source
};

inline constexpr std::array kDataflows{Method::ws, Method::os, Method::is, Method::rs};

struct Dataflow {
  /// For each of kDataflows the rule that the mapping violates; empty if it is within the dataflow.
  std::array<std::optional<std::string>, kDataflows.size()> departures;
  std::vector<Stationary> stationary;  ///< levels innermost first
  /// By level: iterations of the loops outside during which each tile stays in place; none if the
  /// level does not store the tensor, or is the DRAM.
  std::vector<PerTensor<std::optional<std::int64_t>>> stays;
  std::array<DirectionFlow, kDirections> directions;
  PerTensor<ArrayFlow> array;

  [[nodiscard]] bool within(Method dataflow) const;
  /// "ws", "os+rs": the dataflows that it is within; else the tensors that stay in place, from the
  /// inside outwards: "mixed o,i".
  [[nodiscard]] std::string label() const;
};

/// Analyses a feasible mapping (find_violation); all figures are exact.
Dataflow analyse_dataflow(const Architecture& architecture, const Workload& workload,
                          const Mapping& mapping);

/// The dataflow in one sentence: "weight stationary (ws): weight stationary at GlobalBuffer over P
/// = 7 iterations, at DRAM over N x Q = 28 iterations", "mixed: output stationary at ...".
std::string describe(const Architecture& architecture, const Dataflow& dataflow);

}  // namespace pimbb::dram_pim
