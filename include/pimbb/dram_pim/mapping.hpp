// A mapping: factors, loop orders, storage and layouts (docs/model.md, "Mapping"). Plain data;
// feasibility.hpp has the rules.
#pragma once

#include <array>
#include <vector>

#include "pimbb/dims.hpp"
#include "pimbb/dram_pim/architecture.hpp"

namespace pimbb::dram_pim {

/// The fixed order in which level 0 runs its loops, outermost first.
inline constexpr std::array<Dim, kDims> kPeOrder{Dim::G, Dim::R, Dim::S, Dim::P,
                                                 Dim::Q, Dim::C, Dim::K, Dim::N};
/// The index of `d` in kPeOrder.
constexpr std::size_t pe_place(Dim d) { return (index(d) + 1) % kDims; }

struct Loop {
  Dim dim;
  std::int64_t factor;  ///< > 1
  friend bool operator==(const Loop&, const Loop&) = default;
};

enum class Layout : std::uint8_t { sequential, row_aligned };
inline constexpr std::array<std::string_view, 2> kLayoutNames{"sequential", "row_aligned"};

struct MappingLevel {
  std::vector<Loop> loops;  ///< temporal loops, outermost first, without factors of 1
  TensorFlags stores{};     ///< the tensors that this level stores
  friend bool operator==(const MappingLevel&, const MappingLevel&) = default;
};

struct Block {  ///< block of a row-aligned input, in input elements
  std::int64_t h = 0;
  std::int64_t w = 0;
  friend bool operator==(const Block&, const Block&) = default;
};

struct Mapping {
  std::array<Factors, kDirections> spatial{kOnes, kOnes, kOnes};
  std::vector<MappingLevel> levels;  ///< one per memory level, innermost first
  std::array<Layout, kTensors> layout{};
  Block input_block;  ///< used only if the input is row-aligned
  /// Used only if the input is sequential and the architecture leaves its order free: nchw or nhwc.
  InputOrder input_order = InputOrder::nchw;

  [[nodiscard]] const Factors& spatial_in(Direction d) const { return spatial[index(d)]; }
  /// Product of the spatial factors of each dimension.
  [[nodiscard]] Factors spatial_tile() const;
  /// Temporal factors of one level; 1 for a dimension without a loop there.
  [[nodiscard]] Factors temporal(std::size_t level) const;
  /// Cumulative tile c[m]: spatial factors and the temporal factors of levels 0..m.
  [[nodiscard]] Factors tile(std::size_t level) const;
  /// The tile of one PE at level 0: internal and level-0 temporal factors.
  [[nodiscard]] Factors pe_tile() const;
  /// The order that a sequential input has on this accelerator.
  [[nodiscard]] InputOrder input_order_on(const Architecture& architecture) const {
    return architecture.has_free_input_order() ? input_order : architecture.input_order;
  }
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

}  // namespace pimbb::dram_pim
