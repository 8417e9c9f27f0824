// The accelerator: a PE array, the memory levels around it, and the DRAM's timings.
//
//   level 0        private to each PE          (capacity of one PE)
//   1 .. M-3       shared on-chip buffers      (at least one)
//   M-2            the DRAM's row buffer       (one open row per tensor)
//   M-1            the DRAM
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dims.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::dram_pim {

/// The direction of the PE array in which a spatial factor is unrolled: rows (H), columns (W), or
/// the MACs inside one PE.
enum class Direction : std::uint8_t { H, W, internal };

inline constexpr std::size_t kDirections = 3;
inline constexpr std::array<Direction, kDirections> kAllDirections{Direction::H, Direction::W,
                                                                   Direction::internal};
inline constexpr std::array<std::string_view, kDirections> kDirectionNames{"H", "W", "internal"};
constexpr std::size_t index(Direction d) { return static_cast<std::size_t>(d); }
constexpr std::string_view name(Direction d) { return kDirectionNames[index(d)]; }

enum class UnitType : std::uint8_t { scalar, simd, reduction_tree, tensor_core, systolic };
inline constexpr std::array<std::string_view, 5> kUnitTypeNames{"scalar", "simd", "reduction_tree",
                                                                "tensor_core", "systolic"};

struct PeArray {
  std::int64_t height = 1;  ///< H, rows
  std::int64_t width = 1;   ///< W, columns
  UnitType unit_type = UnitType::scalar;
  std::int64_t num_macs = 1;        ///< parallel MACs inside one PE
  std::optional<Dim> internal_dim;  ///< tensor_core: the only dimension allowed inside
  Rational mac_energy;              ///< nJ per MAC
  Rational reduction_latency;       ///< cycles, paid once if a reduction dim is internal
  /// Directions in which the unit type forbids nothing, by direction. No file says so: variants of
  /// an accelerator that explain() looks at.
  std::array<bool, kDirections> lifted{};

  /// Size of the array in one direction: height, width or num_macs.
  [[nodiscard]] std::int64_t extent(Direction d) const;
  /// Whether the unit type allows dimension `dim` to be unrolled in direction `d` (docs/model.md,
  /// "Mapping", rule 4).
  [[nodiscard]] bool allows(Direction d, Dim dim) const;
};

using TensorFlags = std::array<bool, kTensors>;  ///< one flag each for input, weight, output

struct MemoryLevel {
  std::string name;
  std::optional<std::int64_t> capacity;  ///< bytes; empty: unbounded
  std::int64_t blocksize = 1;            ///< bytes
  std::int64_t instances = 1;
  Rational latency = 1;  ///< cycles
  Rational access_cost;  ///< nJ per element access
  TensorFlags stores{true, true, true};
  bool bypass_free = false;                     ///< a mapping may drop any tensor of `stores`
  std::optional<std::int64_t> row_buffer_size;  ///< bytes
  std::optional<std::int64_t> num_banks;        ///< of the row buffer, else of the DRAM
  std::optional<Rational> read_bandwidth;  ///< bytes per cycle and port; absent: blocksize/latency
  std::optional<Rational> write_bandwidth;
  std::int64_t num_read_ports = 1;
  std::int64_t num_write_ports = 1;
  bool shared_ports = false;  ///< tensors move one after the other instead of at the same time

  /// Bytes per cycle of all ports for tensor `t`: write ports for the output, else read ports.
  [[nodiscard]] Rational bandwidth(Tensor t) const;
};

struct DramTimings {  ///< cycles
  Rational tRCDRD = 14, tRP = 14, RL = 25, WL = 20, BL = 8, co_w = 256;
  std::optional<Rational> activation_latency;  ///< absent: tRCDRD + tRP
};

/// Whether elements take whole bytes or their bits; addresses count the same unit.
enum class Packing : std::uint8_t { byte, bit };
inline constexpr std::array<std::string_view, 2> kPackingNames{"byte", "bit"};

/// Order of a sequential input in DRAM; `free`: each mapping says its own (Mapping::input_order).
enum class InputOrder : std::uint8_t { nchw, nhwc, free };
inline constexpr std::array<std::string_view, 3> kInputOrderNames{"nchw", "nhwc", "free"};
constexpr std::string_view name(InputOrder order) {
  return kInputOrderNames[static_cast<std::size_t>(order)];
}

struct Architecture {
  std::string name = "architecture";
  PeArray pe_array;
  std::vector<MemoryLevel> levels;  ///< innermost first, at least four
  DramTimings dram_timings;
  Rational activation_energy;                      ///< nJ per row activation
  std::optional<Rational> interconnect_bandwidth;  ///< bytes per cycle; absent: unbounded
  std::array<std::int64_t, kTensors> bits{8, 8, 8};
  Packing packing = Packing::byte;
  bool psum_rereads = false;
  /// `dram_streams: shared`: the tensors move between DRAM and array one after the other.
  bool shared_streams = false;
  InputOrder input_order = InputOrder::nchw;
  /// What its file says in vain, one sentence each with its place (reader only).
  std::vector<std::string> warnings;

  [[nodiscard]] std::size_t dram() const { return levels.size() - 1; }
  [[nodiscard]] std::size_t row_buffer() const { return levels.size() - 2; }
  [[nodiscard]] std::int64_t row_bytes() const { return *levels[row_buffer()].row_buffer_size; }
  /// Units of the addresses, bytes or bits: those of a byte, of a row, of an element.
  [[nodiscard]] std::int64_t byte_units() const { return packing == Packing::bit ? 8 : 1; }
  [[nodiscard]] std::int64_t row_units() const { return row_bytes() * byte_units(); }
  [[nodiscard]] std::int64_t element_units(Tensor t) const {
    return packing == Packing::bit ? bits[index(t)] : (bits[index(t)] + 7) / 8;
  }
  /// Bytes that a tile of so many elements takes: whole ones.
  [[nodiscard]] std::int64_t tile_bytes(Tensor t, std::int64_t elements) const {
    const std::int64_t units = elements * element_units(t);
    return packing == Packing::bit ? (units + 7) / 8 : units;
  }
  /// Elements of the largest tile of so many bytes.
  [[nodiscard]] std::int64_t elements_in(Tensor t, std::int64_t bytes) const;
  /// Bytes that the traffic counts for an element: bits / 8 if packed.
  [[nodiscard]] Rational moved_bytes(Tensor t) const { return {element_units(t), byte_units()}; }
  /// Banks that the tensors are spread over, 3 at most: tensor i is in bank i mod banks().
  [[nodiscard]] std::size_t banks() const;
  [[nodiscard]] bool has_free_input_order() const { return input_order == InputOrder::free; }
  /// The same accelerator with this order of the input.
  [[nodiscard]] Architecture with_input_order(InputOrder order) const;
  /// Cycles of one row activation, t_act.
  [[nodiscard]] Rational activation_cycles() const;
  /// Tensors that `level` may hold: all at row buffer and DRAM, else the level's `stores`.
  [[nodiscard]] TensorFlags storable(std::size_t level) const;
};

/// Throws InputError unless the architecture is well formed: four levels or more with distinct
/// names, a row size, positive sizes and bandwidths, non-negative costs and times.
void validate(const Architecture& architecture);

}  // namespace pimbb::dram_pim
