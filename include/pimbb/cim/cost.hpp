// The cost of a mapping on SRAM compute-in-memory, term by term, in exact rationals.
//
// Three semantics of latency: `recursion`, a closed max-plus recursion over the loops; `table3`,
// the published table of cases; `simulator`, timers that follow every transfer. Energy does not
// depend on them, but for leakage.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/padding.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim {

enum class Semantics : std::uint8_t { recursion, table3, simulator };
inline constexpr std::size_t kSemantics = 3;
inline constexpr std::array<std::string_view, kSemantics> kSemanticsNames{"recursion", "table3",
                                                                          "simulator"};
constexpr std::string_view name(Semantics s) {
  return kSemanticsNames[static_cast<std::size_t>(s)];
}

/// Bounds of the latency by the occupancy of ports.
enum class Contention : std::uint8_t {
  none,   ///< not considered
  ports,  ///< every level has one port for each tensor
  bus     ///< every level has one port
};
inline constexpr std::array<std::string_view, 3> kContentionNames{"none", "ports", "bus"};
constexpr std::string_view name(Contention c) {
  return kContentionNames[static_cast<std::size_t>(c)];
}

/// How a mapping is priced.
struct Pricing {
  Semantics semantics = Semantics::recursion;
  Contention contention = Contention::none;
  Padding padding = Padding::exact;
};

/// Data that a tensor moves from a level that it uses to the next one inside.
struct Transfer {
  Tensor tensor = Tensor::input;
  std::size_t from = 0;
  std::optional<std::size_t> to;  ///< none: the MAC array
  std::size_t loop = 0;           ///< index of the loop that it belongs to, outermost 0
  std::int64_t tile = 0;          ///< elements of one transfer
  std::int64_t bits = 0;          ///< of an element
  std::int64_t fires = 0;         ///< number of transfers
  Rational cycles;                ///< of one transfer, under the chosen semantics
  bool hidden = false;            ///< the destination is double-buffered
};

/// A level used by a tensor.
struct UsedLevel {
  std::size_t level = 0;
  Tensor tensor = Tensor::input;
  std::int64_t data = 0;  ///< elements kept in one instance
  std::int64_t tile = 0;  ///< elements that one transfer carries
  std::int64_t bits = 0;  ///< of an element
};

/// Energy of one tensor at one level, nJ, by cause.
struct LevelEnergy {
  Rational transfers;  ///< transfers out of and into the level
  Rational charged;    ///< paid although the level is bypassed
  Rational boot;       ///< the tensor's way past a DRAM that no loop belongs to
  [[nodiscard]] Rational total() const { return transfers + charged + boot; }
};

struct Metrics {
  Pricing pricing;
  std::array<Rational, kSemantics> latencies;  ///< cycles, without contention
  Rational latency;                            ///< under the chosen semantics and contention
  Rational dynamic_energy;                     ///< nJ, without leakage
  Rational energy;                             ///< nJ: dynamic energy and leakage
  Rational activation_energy;
  Rational leakage_energy;
  std::vector<PerTensor<LevelEnergy>> levels;  ///< innermost first
  std::vector<PerTensor<Rational>> busy;       ///< cycles that each port is occupied
  std::vector<Transfer> transfers;             ///< input, weight, output; each innermost first
  std::vector<UsedLevel> used;                 ///< the same order
  std::int64_t products = 0;                   ///< matrix-vector products: the product of all loops
  std::vector<Rational> utilization;           ///< of each axis: unrolled factors / size

  [[nodiscard]] Rational latency_of(Semantics s) const {
    return latencies[static_cast<std::size_t>(s)];
  }
  [[nodiscard]] Rational edp() const { return latency * energy; }
};

/// The cost of a feasible mapping. The caller checks feasibility (find_violation); for an
/// infeasible mapping the result is meaningless. Throws InputError if numbers exceed the range that
/// is exact.
Metrics evaluate(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 const Pricing& pricing = {});

/// One iteration of a loop in its steady state, by the recursion, in cycles.
struct LoopIteration {
  PerTensor<Rational> move;    ///< of the transfers that belong to the loop, outputs both ways
  PerTensor<Rational> inside;  ///< until the loops inside are done with a tensor
  std::array<bool, kTensors> hidden{};  ///< transfers go on while the loops inside run
  Rational cycles;                      ///< between an iteration and the next one
};
/// Of each loop of a feasible mapping, outermost first.
std::vector<LoopIteration> loop_iterations(const Architecture& architecture,
                                           const Workload& workload, const Mapping& mapping,
                                           Padding padding = Padding::exact);

/// The recursion with two lower bounds that the published program adds to its constraints, cycles.
/// No optimum is claimed for it.
Rational recursion_with_cuts(const Architecture& architecture, const Workload& workload,
                             const Mapping& mapping, Padding padding = Padding::exact);

}  // namespace pimbb::cim
