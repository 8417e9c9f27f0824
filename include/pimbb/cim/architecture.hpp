// An SRAM compute-in-memory accelerator: memory levels, axes of parallelism, and the macro.
//
// Levels are listed innermost first; the last one is the DRAM. "Inside" means listed earlier, and
// the MAC array of the macro is inside all levels. The chain of a tensor is the levels that store
// it. The order of levels of different chains has no meaning.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dims.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::cim {

using TensorFlags = std::array<bool, kTensors>;

inline constexpr std::size_t kMaxLevels = 16;
inline constexpr std::size_t kMaxAxes = 8;
inline constexpr std::int64_t kMaxBits = 1024;  ///< of an element

struct Level {
  std::string name;
  std::optional<std::int64_t> size_bits;  ///< of one instance, >= 0; absent: unbounded
  std::int64_t bandwidth = 1;             ///< bits per cycle out of this level, >= 1
  Rational read_energy;                   ///< nJ per bit, >= 0
  Rational write_energy;                  ///< nJ per bit, >= 0
  TensorFlags stores{};
  /// Whether tiles may be doubled. Absent: yes, but for tensors whose innermost level this is, and
  /// in the DRAM.
  std::optional<bool> double_buffer = {};
  /// Tensors whose innermost level this is pay its energy even if they bypass it.
  bool always_charged = false;
  friend bool operator==(const Level&, const Level&) = default;
};

struct Axis {  ///< a direction of parallelism; the first one is the cores
  std::string name;
  std::int64_t size = 1;             ///< >= 1
  std::array<bool, kDims> dims{};    ///< dimensions that may be unrolled here
  PerTensor<std::size_t> fan_out{};  ///< index of the level where each tensor spreads
  friend bool operator==(const Axis&, const Axis&) = default;
};

struct Macro {
  std::int64_t input_bits_per_cycle = 1;  ///< >= 1
  Rational activation_energy;  ///< nJ per core and matrix-vector product, whatever part is in use
  friend bool operator==(const Macro&, const Macro&) = default;
};

struct Bits {
  PerTensor<std::int64_t> tensor{8, 8, 8};  ///< of an element, >= 1
  std::int64_t psum = 16;                   ///< of an output that is not complete
  friend bool operator==(const Bits&, const Bits&) = default;
};

struct Architecture {
  std::string name = "architecture";
  Bits bits;
  Macro macro;
  Rational leakage;           ///< nJ per cycle, >= 0
  std::vector<Axis> axes;     ///< at least one
  std::vector<Level> levels;  ///< innermost first, the DRAM last
  /// What its file says in vain, one sentence each with its place (reader only).
  std::vector<std::string> warnings = {};

  [[nodiscard]] std::size_t dram() const { return levels.size() - 1; }
  /// The levels that store `t`, innermost first.
  [[nodiscard]] std::vector<std::size_t> chain(Tensor t) const;
  /// The first of them.
  [[nodiscard]] std::size_t innermost(Tensor t) const;
  /// Whether the tile of `t` at `level` may be doubled.
  [[nodiscard]] bool may_double(std::size_t level, Tensor t) const;
  /// Cycles of one matrix-vector product: ceil(input bits / input bits per cycle).
  [[nodiscard]] std::int64_t product_cycles() const;

  friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// Throws InputError naming the key, what was found and what is allowed.
void validate(const Architecture& architecture);

}  // namespace pimbb::cim
