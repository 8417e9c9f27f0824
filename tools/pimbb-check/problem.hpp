// The problem: accelerator, layer and objective, read from the canonical instance of a proof.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "constraints.hpp"
#include "dims.hpp"
#include "exact.hpp"

namespace pimbb_check {

enum class Goal { latency, energy, edp, activations, blended };

inline constexpr std::array<const char*, 5> kGoalNames{"latency", "energy", "edp", "activations",
                                                       "blended"};

struct Level {
  std::string name;
  std::optional<std::int64_t> capacity;  // bytes
  Rational access_cost;
  PerTensor<Rational> bandwidth;  // bytes a cycle; the output writes
  bool shared_ports = false;
  Flags stores{};
  bool bypass_free = false;
};

struct Problem {
  std::string architecture_name, layer_name;  // as JSON, in ASCII
  std::array<std::int64_t, 3> extent{};       // of the PE array: H, W, MACs inside a PE
  std::string unit_type;
  std::optional<std::size_t> internal_dim;
  Rational mac_energy, reduction_latency;
  std::vector<Level> levels;    // innermost first; the last two are row buffer and DRAM
  std::int64_t byte_units = 1;  // addresses count bytes, or bits where elements are packed
  std::int64_t row_units = 0;
  Rational activation_cycles, activation_energy;
  std::optional<Rational> interconnect_bandwidth;
  PerTensor<std::int64_t> element_units{};
  bool psum_rereads = false;
  bool nhwc = false;              // order of a sequential input: N H W C, else N C H W
  bool shared_streams = false;    // one column path for all tensors
  bool free_input_order = false;  // it may have either
  std::size_t banks = 3;          // tensor t is in bank t mod banks

  Factors bounds{};
  std::int64_t stride_w = 1, stride_h = 1, dilation_w = 1, dilation_h = 1;
  std::vector<std::int64_t> plane_heights, plane_widths;  // divisors of the input's, ascending

  std::vector<Goal> goals;
  Rational alpha, beta;                            // blended = alpha * latency + beta * energy
  std::vector<std::pair<Goal, Rational>> at_most;  // limits: only mappings within all of them count
  Constraints constraints;                         // on mappings: only those within all of them
  bool hybrid = false, trace = false, free_rows = false;  // the row model; else analytic

  explicit Problem(const std::string& canonical_text);

  /// Layer with bounds, architecture, row model: what a proof is about, in one line of ASCII.
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string limits() const;
  /// Whether a sequential input may lie in the order N H W C, or in N C H W.
  [[nodiscard]] bool admits_order(bool channels_last) const {
    return free_input_order || channels_last == nhwc;
  }
  [[nodiscard]] std::size_t dram() const { return levels.size() - 1; }
  [[nodiscard]] std::size_t row_buffer() const { return levels.size() - 2; }
  [[nodiscard]] std::int64_t width(std::int64_t p, std::int64_t r) const {
    return stride_w * (p - 1) + dilation_w * (r - 1) + 1;
  }
  [[nodiscard]] std::int64_t height(std::int64_t q, std::int64_t s) const {
    return stride_h * (q - 1) + dilation_h * (s - 1) + 1;
  }
  [[nodiscard]] std::int64_t elements(std::size_t t, const Factors& c) const;
  /// Of a tile: whole bytes.
  [[nodiscard]] Int128 bytes(std::size_t t, const Factors& c) const {
    return byte_units == 1 ? units(t, c) : (units(t, c) + 7) / 8;
  }
  [[nodiscard]] Int128 units(std::size_t t, const Factors& c) const {
    return Int128{elements(t, c)} * element_units[t];
  }
  /// Bytes that the traffic counts for an element.
  [[nodiscard]] Rational moved_bytes(std::size_t t) const { return {element_units[t], byte_units}; }
  [[nodiscard]] std::int64_t macs() const;
  [[nodiscard]] bool may_unroll(std::size_t direction, std::size_t j) const;
};

}  // namespace pimbb_check
