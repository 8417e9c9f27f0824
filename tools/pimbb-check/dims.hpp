// Dimensions and tensors, by number.
//
// Dimensions are numbered R S P Q C K N G = 0 .. 7, tensors input, weight, output = 0 .. 2. Every
// dimension but the group G leaves exactly one tensor unindexed; it is *irrelevant* to that one.
// What G is irrelevant to is written as a fourth, kNoTensor, which stands in classes of loops only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimbb_check {

inline constexpr std::size_t kDims = 8;
using Factors = std::array<std::int64_t, kDims>;
template <class T>
using PerTensor = std::array<T, 3>;

enum Dim : std::size_t { R, S, P, Q, C, K, N, G };
enum Tensor : std::size_t { kInput, kWeight, kOutput, kNoTensor };
inline constexpr std::size_t kClasses = 4;  // of loops: what the innermost one is irrelevant to
inline constexpr std::string_view kDimLetters = "RSPQCKNG";
inline constexpr std::string_view kTensorLetters = "iwog";  // the last of a class: G is innermost
inline constexpr std::array<const char*, 3> kTensorNames{"input", "weight", "output"};
inline constexpr std::array<const char*, 3> kDirectionNames{"H", "W", "internal"};
inline constexpr std::array<std::size_t, kDims> kIrrelevantTo{kOutput, kOutput, kWeight, kWeight,
                                                              kOutput, kInput,  kWeight, kNoTensor};
inline constexpr Factors kOnes{1, 1, 1, 1, 1, 1, 1, 1};

inline bool relevant(std::size_t t, std::size_t j) { return kIrrelevantTo[j] != t; }

using Flags = PerTensor<bool>;

using DimSet = unsigned;  // one bit for each dimension

inline bool contains(DimSet set, std::size_t j) { return (set >> j & 1U) != 0; }
/// Dimensions that t does not see; G, if that is kNoTensor.
inline DimSet irrelevant_dims(std::size_t t) {
  DimSet set = 0;
  for (std::size_t j = 0; j < kDims; ++j) set |= (kIrrelevantTo[j] == t ? 1U : 0U) << j;
  return set;
}
/// Dimensions with loops between two tiles.
inline DimSet loops_between(const Factors& inner, const Factors& outer) {
  DimSet set = 0;
  for (std::size_t j = 0; j < kDims; ++j) set |= (inner[j] != outer[j] ? 1U : 0U) << j;
  return set;
}

}  // namespace pimbb_check
