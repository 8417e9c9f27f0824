// The rules of a split, and of the mapping of its slices.
#include <string>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/device_cost.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim {
namespace {

/// The product of the factors at a level; too large ones saturate.
Int128 used_children(const Factors& factors) {
  constexpr Int128 kMost = Int128{1} << 62;
  Int128 product = 1;
  for (const std::int64_t factor : factors) {
    if (product < kMost) product *= factor;
  }
  return product;
}

std::string level_violation(const DeviceLevel& level, const Factors& factors) {
  for (const Dim j : kAllDims) {
    if (factors[index(j)] < 1) {
      return "split: level " + level.name + ": " + std::string(name(j)) + ": found " +
             std::to_string(factors[index(j)]) + ", allowed are integers >= 1";
    }
    if (factors[index(j)] > 1 && !level.dims[index(j)]) {
      return "split: level " + level.name + " may not split " + std::string(name(j));
    }
  }
  if (used_children(factors) > level.count) {
    return "split: level " + level.name + " has " + std::to_string(level.count) +
           " children, the factors need more";
  }
  return "";
}

/// Whether the layer that all blocks cover together is within the range of 64 bits.
bool in_range(const Workload& layer, const Split& split, const Factors& slice) {
  constexpr Int128 kMost = Int128{1} << 62;
  Int128 covered = Int128{layer.stride_w + layer.dilation_w} * (layer.stride_h + layer.dilation_h);
  for (std::size_t j = 0; j < kDims; ++j) {
    covered *= slice[j];
    if (covered > kMost) return false;
    for (const Factors& factors : split) {
      covered *= factors[j];
      if (covered > kMost) return false;
    }
  }
  return true;
}

/// Where the output stays in the units, nobody adds partial sums.
std::string reduction_violation(const Split& split, const Moves& moves) {
  if (moves[index(Tensor::output)]) return "";
  for (const Factors& factors : split) {
    for (const Dim j : kAllDims) {
      if (is_reduction(j) && factors[index(j)] > 1) {
        return "split: " + std::string(name(j)) +
               " is split, but the output does not move: nobody adds its partial sums";
      }
    }
  }
  return "";
}

}  // namespace

Workload slice_of(const Workload& layer, const Factors& bounds) {
  Workload slice = with_bounds(layer, bounds);
  slice.moves.reset();
  for (std::size_t j = 0; j < kDims; ++j) {
    if (bounds[j] >= layer.bounds[j]) continue;
    slice.input_frame.reset();  // blocks lie side by side in the bank of their unit
    slice.output_frame.reset();
  }
  return slice;
}

Factors least_slice(const Factors& bounds, const Split& split) {
  Factors least = bounds;
  for (std::size_t j = 0; j < kDims; ++j) {
    for (const Factors& factors : split) least[j] = (least[j] + factors[j] - 1) / factors[j];
  }
  return least;
}

std::string split_violation(const Device& device, const Workload& layer, const Moves& moves,
                            const Split& split, const Factors& slice) {
  if (split.size() != device.levels.size()) {
    return "split: " + std::to_string(split.size()) + " levels, the device has " +
           std::to_string(device.levels.size());
  }
  for (std::size_t d = 0; d < split.size(); ++d) {
    std::string wrong = level_violation(device.levels[d], split[d]);
    if (!wrong.empty()) return wrong;
  }
  std::string wrong = reduction_violation(split, moves);
  if (!wrong.empty()) return wrong;
  const Factors least = least_slice(layer.bounds, split);
  for (const Dim j : kAllDims) {
    if (slice[index(j)] < least[index(j)]) {
      return "slice: " + std::string(name(j)) + " = " + std::to_string(slice[index(j)]) +
             " does not cover the layer, allowed are integers >= " +
             std::to_string(least[index(j)]);
    }
  }
  if (!in_range(layer, split, slice))
    return "slice: all blocks together exceed the range of 64 bits";
  return "";
}

std::string find_violation(const Device& device, const Workload& layer, const Moves& moves,
                           const DeviceMapping& mapping) {
  std::string wrong = split_violation(device, layer, moves, mapping.split, mapping.slice);
  if (!wrong.empty()) return wrong;
  const auto violation =
      find_violation(device.unit, slice_of(layer, mapping.slice), mapping.mapping);
  return violation ? violation->message : "";
}

}  // namespace pimbb::dram_pim
