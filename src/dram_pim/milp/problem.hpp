// The common input of all parts of the linear program: the layer, the architecture, its costs as
// integers, and the program under construction.
#pragma once

#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/milp/one_hot.hpp"
#include "dram_pim/model/read_count.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::milp {

template <class T>
using PerDim = std::array<T, kDims>;

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): version 14 misses ReadCount's constructor
struct Problem {
  const Architecture& architecture;
  const Workload& workload;
  RowModel row_model = RowModel::hybrid;
  mapper::Scale scale;
  ReadCount reads;
  ProgramBuilder program{};

  [[nodiscard]] std::size_t levels() const { return architecture.levels.size(); }
  /// Whether a level may store t, and whether it may bypass t.
  [[nodiscard]] bool may_store(std::size_t level, Tensor t) const {
    return architecture.storable(level)[index(t)];
  }
  [[nodiscard]] bool may_skip(std::size_t level, Tensor t) const {
    return !may_store(level, t) ||
           (level < architecture.row_buffer() && architecture.levels[level].bypass_free);
  }
};

/// "run" + {1, weight} -> "run_1_weight"
template <class... Parts>
std::string label(std::string text, const Parts&... parts) {
  const auto text_of = [](const auto& part) {
    if constexpr (std::is_convertible_v<decltype(part), std::string_view>) {
      return std::string(part);
    } else if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>) {
      return std::to_string(part);
    } else {
      return std::string(name(part));
    }
  };
  ((text += "_" + text_of(parts)), ...);
  return text;
}

}  // namespace pimbb::dram_pim::milp
