// The loops behind every label, and the mapping that a complete one stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "cim/mapper/schemes.hpp"
#include "cim/mapper/space.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::mapper {

inline constexpr std::uint32_t kNoTrace = ~std::uint32_t{0};

/// A loop of the nest of a label; the loops inside are found by the parent.
struct Trace {
  std::uint32_t parent = kNoTrace;
  PerTensor<std::uint8_t> level{};
  std::uint8_t hidden = 0;  ///< tensors, as bits, whose pending transfer is hidden
  std::uint8_t dim = 0;
  std::int64_t factor = 1;
};

/// The mapping whose outermost loop is trace `outermost`.
Mapping mapping_of(const std::vector<Trace>& traces, std::uint32_t outermost,
                   const Problem& problem, const Scheme& scheme);

}  // namespace pimbb::cim::mapper
