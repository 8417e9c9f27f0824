// The problem of SRAM compute-in-memory: accelerator, layer and question, read from the canonical
// instance of a proof.
//
// Levels are numbered from the innermost one; the last one is the DRAM. kMac stands for the MAC
// array, inside all levels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../dims.hpp"
#include "../exact.hpp"

namespace pimbb_check::cim {

enum class Goal { latency, energy, edp, blended };
enum class Semantics { recursion, table3, simulator };
enum class Contention { none, ports, bus };
enum class Padding { exact, even, ceil };
enum class FactorRule { any, prime, flex };
enum class Doubling { free, on, off };

inline constexpr std::array<const char*, 4> kGoalNames{"latency", "energy", "edp", "blended"};
inline constexpr std::array<const char*, 3> kSemanticsNames{"recursion", "table3", "simulator"};
inline constexpr std::array<const char*, 3> kContentionNames{"none", "ports", "bus"};
inline constexpr std::array<const char*, 3> kPaddingNames{"exact", "even", "ceil"};
inline constexpr std::array<const char*, 3> kFactorRuleNames{"any", "prime", "flex"};
inline constexpr std::array<const char*, 2> kSchemeRuleNames{"all", "full"};
inline constexpr std::array<const char*, 3> kDoublingNames{"free", "on", "off"};
inline constexpr std::array<const char*, 2> kMethodNames{"exact", "ws"};

inline constexpr std::size_t kMac = 31;
inline constexpr std::size_t kMostLevels = 16;

inline bool reduces(std::size_t j) { return j == R || j == S || j == C; }
inline std::int64_t ways(std::size_t t) { return t == kOutput ? 2 : 1; }

struct Level {
  std::string name;
  std::optional<std::int64_t> size;  // bits; none: unbounded
  std::int64_t bandwidth = 1;        // bits a cycle
  Rational read, write;              // nJ a bit
  Flags stores{}, may_double{};
  bool always_charged = false;
};

struct Axis {
  std::string name;
  std::int64_t size = 1;
  std::array<bool, kDims> dims{};
  PerTensor<std::size_t> fan_out{};
};

struct Problem {
  std::string architecture_name, layer_name;  // as JSON, in ASCII
  PerTensor<std::int64_t> bits{};
  std::int64_t psum_bits = 0;
  std::int64_t input_bits_per_cycle = 1;
  Rational activation_energy, leakage;
  std::vector<Axis> axes;
  std::vector<Level> levels;

  Factors bounds{};  // with what Padding::even adds, and so is the plane
  std::int64_t stride_w = 1, stride_h = 1, dilation_w = 1, dilation_h = 1;
  std::optional<std::array<std::int64_t, 2>> plane;  // width, height

  std::vector<Goal> goals;
  Rational alpha, beta;
  std::vector<std::pair<Goal, Rational>> at_most;  // limits on goals
  Semantics semantics = Semantics::recursion;
  Contention contention = Contention::none;
  Padding padding = Padding::exact;
  FactorRule factors = FactorRule::any;
  bool full = false;  // only schemes of fewest products
  Doubling doubling = Doubling::free;
  bool stationary = false;  // loops over P, Q, N only at the weights' innermost level

  explicit Problem(const std::string& canonical_text);

  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::size_t dram() const { return levels.size() - 1; }
  [[nodiscard]] std::size_t innermost(std::size_t t) const;
  [[nodiscard]] std::int64_t bits_of(std::size_t t, bool psum) const {
    return t == kOutput && psum ? psum_bits : bits[t];
  }
  [[nodiscard]] std::int64_t product_cycles() const {
    return (bits[kInput] + input_bits_per_cycle - 1) / input_bits_per_cycle;
  }
  /// Distinct elements of a tensor that a tile of these extents touches.
  [[nodiscard]] std::int64_t elements(std::size_t t, const Factors& x) const;
  /// The layer's bounds under spatial factors of these products.
  [[nodiscard]] Factors grown(const Factors& unrolled) const;
};

}  // namespace pimbb_check::cim
