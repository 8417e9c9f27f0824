// The row models: how a mapping's row activations are counted. A new one is a line of the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pimbb::dram_pim {

/// How row activations are counted: closed formulas, formulas with micro-traces, the exact access
/// stream, or not at all: rows cost nothing (docs/row-models.md).
enum class RowModel : std::uint8_t { analytic, hybrid, trace, none };

struct RowModelTraits {
  std::string_view name;
  bool traced;  ///< counts accesses: depends on addresses, frames and the order of all loops
  bool micro;   ///< closed, with micro-traces of input tiles that are too large for a row
  bool turns;   ///< closed, the same for a layer and its tensors turned by 90 degrees
};
inline constexpr std::array<RowModelTraits, 4> kRowModels{{{"analytic", false, false, true},
                                                           {"hybrid", false, true, false},
                                                           {"trace", true, false, false},
                                                           {"none", false, false, true}}};

constexpr const RowModelTraits& traits(RowModel model) {
  return kRowModels[static_cast<std::size_t>(model)];
}
constexpr std::string_view name(RowModel model) { return traits(model).name; }
constexpr bool is_traced(RowModel model) { return traits(model).traced; }
inline constexpr auto kRowModelNames = [] {
  std::array<std::string_view, kRowModels.size()> names{};
  for (std::size_t m = 0; m < kRowModels.size(); ++m) names[m] = kRowModels[m].name;
  return names;
}();

}  // namespace pimbb::dram_pim
