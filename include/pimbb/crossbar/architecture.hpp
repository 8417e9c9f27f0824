// A crossbar accelerator: cores with crossbars that multiply by their weights in place, a global
// memory and a bus for each chip, and one link between the chips.
//
// A crossbar has rows x columns cells; a weight takes `slices` adjacent columns. Times are integer
// nanoseconds, bandwidths bytes per nanosecond (GB/s), powers milliwatts (pJ per ns).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::crossbar {

inline constexpr std::int64_t kMaxCount = 1 << 20;       ///< of chips, cores, crossbars, cells
inline constexpr std::int64_t kMaxTime = 1'000'000'000;  ///< ns, of one multiplication
inline constexpr std::int64_t kMaxPassTime = 1'000'000;  ///< ns, of a pass of the vector unit
inline constexpr std::int64_t kMaxBits = 1024;           ///< of an element

struct Core {
  std::int64_t crossbars = 1;
  std::int64_t rows = 1;     ///< of a crossbar
  std::int64_t columns = 1;  ///< of a crossbar
  std::int64_t slices = 1;   ///< adjacent columns that hold one weight; 1: logical crossbars
  std::int64_t cell_bits = 1;
  std::int64_t max_nodes = 1;     ///< different nodes that a core may hold
  std::int64_t vector_bytes = 1;  ///< of one pass of the vector unit
  std::int64_t vector_time = 1;   ///< ns of a pass
  std::int64_t local_memory = 0;  ///< bytes
  bool enforce_local_memory = false;
  friend bool operator==(const Core&, const Core&) = default;
};

struct Bits {
  std::int64_t activation = 16;
  std::int64_t weight = 16;
  friend bool operator==(const Bits&, const Bits&) = default;
};

struct Mvm {                  ///< matrix-vector multiplication of one array group
  std::int64_t time = 1;      ///< ns
  std::int64_t interval = 1;  ///< ns, least distance of two starts in a core
  friend bool operator==(const Mvm&, const Mvm&) = default;
};

struct Bandwidth {
  Rational memory = 1;
  Rational bus = 1;
  Rational link = 1;
  friend bool operator==(const Bandwidth&, const Bandwidth&) = default;
};

struct Power {
  Rational crossbar;  ///< of one crossbar
  Rational vector;    ///< of the vector unit of a core
  Rational local;     ///< of the local memory of a core
  Rational control;   ///< of a core
  Rational router;
  std::int64_t cores_per_router = 1;
  Rational memory;                  ///< of the global memory of a chip
  Rational link;                    ///< of the link at a chip
  Rational leak = Rational(1, 10);  ///< fraction of a power that flows while the part is on
  friend bool operator==(const Power&, const Power&) = default;
};

struct Architecture {
  std::string name = "architecture";
  std::int64_t chips = 1;
  std::int64_t cores = 1;  ///< of one chip
  Core core;
  Bits bits;
  Mvm mvm;
  Bandwidth bandwidth;
  Power power;

  /// Cores of all chips.
  [[nodiscard]] std::int64_t all_cores() const { return chips * cores; }
  /// Weights side by side in a crossbar.
  [[nodiscard]] std::int64_t weights_per_row() const { return core.columns / core.slices; }
  /// Bytes of `elements` activations, rounded up.
  [[nodiscard]] std::int64_t bytes(std::int64_t elements) const;
  /// ns that the vector unit takes for so many bytes.
  [[nodiscard]] std::int64_t vector_pass(std::int64_t bytes) const;

  friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// ns of a transfer, rounded up.
std::int64_t transfer_time(std::int64_t bytes, const Rational& bandwidth);

/// What its figures contradict, as messages that name the key; they enter no formula.
std::vector<std::string> warnings(const Architecture& architecture);

/// Throws InputError naming the key, what was found and what is allowed.
void validate(const Architecture& architecture);

}  // namespace pimbb::crossbar
