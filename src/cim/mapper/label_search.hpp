// The best nest of one spatial scheme, by labels from the innermost loop outwards (label.hpp).
//
// Cells are visited in an order in which every loop leads to a later cell, so that all labels of a
// cell are known when they are extended. In a cell, tensors first move to their next levels, then
// every loop that may come next is added. A label is dropped if a bound says that it cannot lead to
// a better value than the best known one, or if it is dominated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "cim/mapper/space.hpp"
#include "cim/mapper/target.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::mapper {

/// A mapping with its latency and total energy in units.
struct Found {
  Wide value;
  Time latency = 0;
  Int128 total = 0;
  Mapping mapping;
};

struct LabelLimits {
  std::uint64_t labels = ~std::uint64_t{0};  ///< that may be extended
  std::uint64_t bytes = ~std::uint64_t{0};
  std::function<bool()> stop = {};
  std::size_t width = 0;  ///< most labels that are extended in a cell; 0: all, else no proof
};

struct SchemeOutcome {
  std::optional<Found> best;  ///< better than the cutoff
  bool complete = false;      ///< nothing better exists in the scheme
  std::uint64_t states = 0;
  std::uint64_t labels = 0;      ///< extended
  std::uint64_t candidates = 0;  ///< made
  std::uint64_t bytes = 0;       ///< at the peak
};

using DimensionSteps = std::array<const FactorSteps*, kDims>;

/// Lower bounds of latency and total energy of all nests of a scheme.
struct SchemeBound {
  Time latency = 0;
  Int128 total = 0;
};
/// At once: every product takes its time, and every element leaves the DRAM once.
SchemeBound quick_bound(const Problem& problem, const Scheme& scheme);
/// The same for all schemes there may be, without looking at any.
SchemeBound space_bound(const Problem& problem);
/// By the cost-to-go of each tensor.
SchemeBound scheme_bound(const Problem& problem, const Scheme& scheme, const DimensionSteps& steps);

/// Searches a scheme for mappings with a value below `cutoff` that keep the caps of `target`. Under
/// the semantics `simulator`, the latency of a mapping is replaced by a lower bound: the time of
/// its products and the occupancy of ports that the question's contention asks for.
SchemeOutcome search_scheme(const Problem& problem, const Scheme& scheme,
                            const DimensionSteps& steps, const Target& target, const Wide& cutoff,
                            const LabelLimits& limits);

}  // namespace pimbb::cim::mapper
