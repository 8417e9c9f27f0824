// A whole device: many equal units, each an architecture of its own, in levels from the unit to the
// host (docs/devices.md).
//
//     device = Device{.unit = hbm_pim, .levels = {{.name = "unit", .count = 8}, {.name = "channel",
//     .count = 16}}}
//
// has 8 * 16 units. The units work on blocks of a layer's loops, all of them on blocks of the same
// size. Inputs, and weights that are not resident, go down the levels, results go up.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim {

/// A flag for each dimension.
using DimFlags = std::array<bool, kDims>;
inline constexpr DimFlags kAllDimFlags{true, true, true, true, true, true, true, true};

struct DeviceLevel {
  std::string name;        ///< of a child
  std::int64_t count = 1;  ///< children of one parent
  /// Bytes per cycle to and from the children, over the one link they share; absent: unbounded.
  std::optional<Rational> write_bandwidth = {}, read_bandwidth = {};
  bool broadcast = false;        ///< a block that several children need goes over the link once
  bool reduce = false;           ///< the parent adds the children's partial sums
  bool lockstep = false;         ///< all children run, whether they have work or not
  Rational reduce_energy;        ///< nJ per addition
  Rational energy;               ///< nJ per byte over the link
  Rational latency;              ///< cycles, once in a phase that moves anything
  DimFlags dims = kAllDimFlags;  ///< those that may be split here
};

/// Whether inputs, computation and results follow each other or overlap.
enum class Phases : std::uint8_t { sequential, overlapped };
inline constexpr std::array<std::string_view, 2> kPhasesNames{"sequential", "overlapped"};

struct Refresh {  ///< cycles
  Rational interval;
  Rational duration;  ///< of each interval, no access is possible
};

struct Device {
  std::string name = "device";
  Architecture unit;              ///< its DRAM has the capacity that the device gives
  std::optional<Rational> cycle;  ///< ns; only for reports
  Rational static_power;          ///< nJ per cycle of the whole device
  Rational launch;                ///< cycles more for each layer
  std::optional<Refresh> refresh;
  Phases phases = Phases::sequential;
  Rational host_reduce_energy;  ///< nJ for each addition of partial sums by the host
  std::optional<Rational> host_reduce_bandwidth;  ///< additions per cycle; absent: unbounded
  std::vector<DeviceLevel> levels;                ///< from the unit outwards; may be empty
  /// What its file says in vain, one sentence each with its place (reader only).
  std::vector<std::string> warnings;

  /// f: cycles of a unit with refresh for each cycle without.
  [[nodiscard]] Rational stretch() const;
  /// Units of the device.
  [[nodiscard]] std::int64_t units() const;
};

/// The tensors that move between the host and the units; the others are in the banks already.
using Moves = TensorFlags;
inline constexpr Moves kDefaultMoves{true, false, true};

/// Throws InputError unless the device is well formed: distinct names, counts >= 1, positive
/// bandwidths, costs >= 0, a refresh shorter than its interval, fewer than 2^63 units, a unit that
/// is well formed.
void validate(const Device& device);

}  // namespace pimbb::dram_pim
