// A layer on a device with a part of its mappings only: with slices for which a bank has room, or
// with one given split.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "pimbb/dram_pim/device_solver.hpp"

namespace pimbb::dram_pim::device {

/// Whether slices of these bounds are allowed.
using SliceFilter = std::function<bool(const Factors&)>;

/// How much work a bound is worth. `quick` leaves out the floors of single slices, where the time
/// is over and some mapping is better than none; `of_all` is a bound of all mappings, and no
/// mapping.
enum class SliceBounds : std::uint8_t { sharp, quick, of_all };

/// solve() among mappings whose slices are allowed. An empty filter allows all.
DeviceSolution solve_within(const Device& device, const Workload& layer, const Moves& moves,
                            const Question& question, const RunLimits& limits,
                            const SliceFilter& allowed, SliceBounds bounds = SliceBounds::sharp);

/// One split, and the bounds that its slices may have; at least one.
struct GivenSplit {
  Split split;
  std::vector<Factors> slices;
  friend auto operator<=>(const GivenSplit&, const GivenSplit&) = default;
};

/// The same among mappings with this split.
DeviceSolution solve_split(const Device& device, const Workload& layer, const Moves& moves,
                           const Question& question, const RunLimits& limits,
                           const GivenSplit& given, const SliceFilter& allowed = {});

}  // namespace pimbb::dram_pim::device
