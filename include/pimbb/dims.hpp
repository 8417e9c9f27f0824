// Loop dimensions and tensors.
//
// A convolution or matrix product is a nest of seven loops, a grouped or depthwise convolution a
// nest of eight. Each tensor is indexed by some of these dimensions, which are *relevant* to it.
// Every dimension except the group G is irrelevant to exactly one tensor:
//
//            R  S  P  Q  C  K  N  G
//   input    x  x  x  x  x  .  x  x      irrelevant: K
//   weight   x  x  .  .  x  x  .  x      irrelevant: P Q N
//   output   .  .  x  x  .  x  x  x      irrelevant: R S C (the reduction dimensions)
//
// P and R run along the width, Q and S along the height. C and K are channels of one group: the
// input has G * C channels, the output G * K. docs/groups.md explains G in every formula.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pimbb {

enum class Dim : std::uint8_t { R, S, P, Q, C, K, N, G };
enum class Tensor : std::uint8_t { input, weight, output };

inline constexpr std::size_t kDims = 8;
inline constexpr std::size_t kTensors = 3;

inline constexpr std::array<Dim, kDims> kAllDims{Dim::R, Dim::S, Dim::P, Dim::Q,
                                                 Dim::C, Dim::K, Dim::N, Dim::G};
inline constexpr std::array<Tensor, kTensors> kAllTensors{Tensor::input, Tensor::weight,
                                                          Tensor::output};

inline constexpr std::array<std::string_view, kDims> kDimNames{"R", "S", "P", "Q",
                                                               "C", "K", "N", "G"};
inline constexpr std::array<std::string_view, kTensors> kTensorNames{"input", "weight", "output"};

constexpr std::size_t index(Dim d) { return static_cast<std::size_t>(d); }
constexpr std::size_t index(Tensor t) { return static_cast<std::size_t>(t); }
constexpr std::string_view name(Dim d) { return kDimNames[index(d)]; }
constexpr std::string_view name(Tensor t) { return kTensorNames[index(t)]; }

/// The one tensor that dimension `d` does not index; none for G, which indexes all tensors.
constexpr std::optional<Tensor> irrelevant_tensor(Dim d) {
  switch (d) {
    case Dim::G: return std::nullopt;
    case Dim::K: return Tensor::input;
    case Dim::P:
    case Dim::Q:
    case Dim::N: return Tensor::weight;
    default: return Tensor::output;
  }
}

constexpr bool relevant(Tensor t, Dim d) { return irrelevant_tensor(d) != t; }

/// Whether the layer sums over `d`: R, S and C, the dimensions irrelevant to the output.
constexpr bool is_reduction(Dim d) { return irrelevant_tensor(d) == Tensor::output; }

/// One value for each tensor.
template <class T>
using PerTensor = std::array<T, kTensors>;

/// One integer per dimension: bounds, factors of one level, or the shape of a tile.
using Factors = std::array<std::int64_t, kDims>;
inline constexpr Factors kOnes{1, 1, 1, 1, 1, 1, 1, 1};

/// The product of all factors.
constexpr std::int64_t product(const Factors& factors) {
  std::int64_t result = 1;
  for (const std::int64_t f : factors) result *= f;
  return result;
}

/// The product, dimension by dimension.
constexpr Factors times(Factors a, const Factors& b) {
  for (std::size_t j = 0; j < kDims; ++j) a[j] *= b[j];
  return a;
}

}  // namespace pimbb
