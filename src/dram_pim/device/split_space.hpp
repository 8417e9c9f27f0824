// The splits of a layer over the levels of a device that are worth a look, by the slices that they
// lead to.
//
// For fixed bounds b of a slice every cost of the device grows with each factor, so only *minimal*
// splits count: no factor can be less without leaving a part of the layer uncovered. Per dimension
// j the minimal factors over the levels depend on b[j] only; the levels' counts connect dimensions.
//
// The different b are enumerated first, each with the number of units that runs at least; the
// splits of one b on demand. A device of 512 units has 3,000,000 minimal splits for the layers of
// ResNet-50, but 360,000 different slices, of which a search looks at a few.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim::device {

class SplitSpace {
 public:
  /// With the layer's padding, if it has one. Keeps a reference to the device.
  SplitSpace(const Device& device, const Workload& layer, const Moves& moves);

  /// What is called for a slice: its bounds, and the units that run at least. False ends the
  /// visits.
  using Visit = std::function<bool(const Factors&, std::int64_t)>;

  /// Visits all bounds of slices with up to `most_macs` MACs that some split leads to; none of
  /// these splits runs fewer units.
  void for_each_slice(const Visit& visit, Int128 most_macs = kAnyMacs) const;
  static constexpr Int128 kAnyMacs = std::numeric_limits<Int128>::max();

  /// The minimal splits into slices of these bounds.
  [[nodiscard]] std::vector<Split> splits(const Factors& slice) const;

 private:
  /// Factors of one dimension, by level.
  using Factoring = std::vector<std::int64_t>;
  /// Minimal factorings of a dimension for one bound of the slice.
  struct Part {
    std::int64_t bound = 1;
    std::vector<Factoring> factorings;
  };

  [[nodiscard]] std::vector<std::int64_t> bounds_of(Dim j, std::int64_t most_parts) const;
  [[nodiscard]] std::vector<Factoring> factorings(Dim j, std::int64_t bound) const;
  [[nodiscard]] std::int64_t most_parts(Dim j) const;
  [[nodiscard]] bool may_split(std::size_t d, Dim j) const;
  [[nodiscard]] std::int64_t top(Dim j, std::int64_t bound) const;
  /// Both factors at each level, unless these exceed its children.
  [[nodiscard]] std::optional<Factoring> together(const Factoring& used,
                                                  const Factoring& factors) const;
  /// Children of each level that some dimensions need, and the units that run then: one entry for
  /// each way to have them that is not within another, one after the other.
  using Usages = std::vector<std::int64_t>;
  [[nodiscard]] std::size_t width() const { return device_.levels.size() + 1; }
  bool use_together(const std::int64_t* used, const Factoring& factors, std::int64_t* both) const;
  void add_use(const std::int64_t* use, Usages& all) const;
  /// A walk over the bounds of all slices, dimension after dimension.
  struct Walk;
  bool descend(std::size_t k, Int128 macs, Walk& walk) const;
  void assemble(std::size_t j, const Factors& slice, const Factoring& used, Split& split,
                std::vector<Split>& all) const;

  const Device& device_;
  Factors bounds_;
  std::optional<Padding> padding_;
  bool reductions_stay_ = false;  // R, S and C may not be split
  std::array<std::vector<Part>, kDims> parts_;
};

}  // namespace pimbb::dram_pim::device
