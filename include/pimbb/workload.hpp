// One layer: a convolution or matrix product as loop bounds, stride and dilation.
//
// A grouped convolution has a bound G > 1; C and K are then the channels of one group. A depthwise
// layer of 64 channels has G = 64, C = K = 1. A fully connected layer or matrix product M x C x K
// has P = M (or N = M), and all other bounds are 1.
#pragma once

#include <optional>
#include <string>

#include "pimbb/dims.hpp"
#include "pimbb/padding.hpp"
#include "pimbb/rational.hpp"

namespace pimbb {

/// A plane of height x width elements that contains a tensor's own plane.
struct Frame {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t top = 0;   ///< rows of the frame above the tensor's first row
  std::int64_t left = 0;  ///< columns of the frame before the tensor's first column
  friend auto operator<=>(const Frame&, const Frame&) = default;
};

/// The width and height of the input without its padding, in elements.
struct Plane {
  std::int64_t width = 1;
  std::int64_t height = 1;
  friend bool operator==(const Plane&, const Plane&) = default;
};

struct Workload {
  std::string name = "layer";
  Factors bounds = kOnes;     ///< B[j] >= 1, in the order R S P Q C K N G
  std::int64_t stride_w = 1;  ///< >= 1, elements
  std::int64_t stride_h = 1;
  std::int64_t dilation_w = 1;
  std::int64_t dilation_h = 1;
  Rational weight = 1;  ///< factor of the layer in a network's totals, >= 0
  /// If a sequential input or output is part of larger planes in DRAM (a border around it, or
  /// columns that the layer does not read), these planes. Absent: the tensor has its own planes.
  /// Only the exact row model (`trace`) depends on it.
  std::optional<Frame> input_frame, output_frame;
  /// The input's own plane, if known: padding around it is not moved. Only the models that count
  /// distinct input elements (SRAM compute-in-memory) depend on it.
  std::optional<Plane> input_plane;
  /// How far the bounds may grow, as the layer's file says. Only solvers of padded layers depend on
  /// it; any other takes the bounds as they are.
  std::optional<Padding> padding = {};
  /// Of input, weight and output those that move between the host and the units of a device; the
  /// others are in its banks. Absent: the weight stays. Only devices depend on it.
  std::optional<std::array<bool, kTensors>> moves = {};

  [[nodiscard]] std::int64_t bound(Dim d) const { return bounds[index(d)]; }
  /// Width in input elements that `p` outputs and `r` kernel taps cover.
  [[nodiscard]] std::int64_t extent_w(std::int64_t p, std::int64_t r) const {
    return stride_w * (p - 1) + dilation_w * (r - 1) + 1;
  }
  [[nodiscard]] std::int64_t extent_h(std::int64_t q, std::int64_t s) const {
    return stride_h * (q - 1) + dilation_h * (s - 1) + 1;
  }
  [[nodiscard]] std::int64_t input_width() const { return extent_w(bound(Dim::P), bound(Dim::R)); }
  [[nodiscard]] std::int64_t input_height() const { return extent_h(bound(Dim::Q), bound(Dim::S)); }
  /// The planes of a sequential input or output; the tensor's own planes by default.
  [[nodiscard]] Frame frame(Tensor t) const;
  /// Elements of tensor `t` that a tile of the given shape covers; `bounds` gives the whole tensor.
  [[nodiscard]] std::int64_t tile_elements(Tensor t, const Factors& tile) const;
  [[nodiscard]] std::int64_t tensor_elements(Tensor t) const { return tile_elements(t, bounds); }
  /// Multiply-accumulates of the layer: the product of all bounds.
  [[nodiscard]] std::int64_t macs() const { return product(bounds); }
  /// The largest bounds that the padding allows; without one, the bounds.
  [[nodiscard]] Factors tops() const { return padding ? padding->tops(bounds) : bounds; }
  /// Whether the padding allows other bounds than the layer's own.
  [[nodiscard]] bool may_be_padded() const { return tops() != bounds; }
};

/// Throws InputError unless every bound, stride and dilation is >= 1, frames contain their tensors,
/// and the layer is within the range that is exact throughout: MACs, tensor elements (with their
/// frames) and traffic below 2^53.
void validate(const Workload& workload);

/// The layer with other bounds and without a padding; frames grow with their tensors, at their
/// ends.
Workload with_bounds(const Workload& workload, const Factors& bounds);

}  // namespace pimbb
