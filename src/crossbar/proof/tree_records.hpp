// Records of a tree of boxes that bounds of `ll` close (docs/crossbar-proof-format.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/assign/packing.hpp"

namespace pimbb::crossbar::proof {

/// Throws run::Stopped if a search was not ended, and std::logic_error if it found what the proof
/// denies.
void require_no(assign::Answer answer);

class TreeRecords {
 public:
  /// Both are kept; `allocation` makes the cuts.
  TreeRecords(const assign::Allocation& allocation, const assign::Trace& trace)
      : allocation_(allocation), trace_(trace) {}

  /// True, for those who have closed a box.
  bool told(const std::string& record);
  /// A record and the shares of a mix. Cuts that have not been told yet get the next numbers.
  bool told_mix(std::string record, const assign::Allocation::Mix& mix);
  void split(const assign::LatencyBoxes::Halving& at);

 private:
  const assign::Allocation& allocation_;
  const assign::Trace& trace_;
  std::vector<std::optional<std::size_t>> numbers_;  // of the tree, by cut
  std::size_t cuts_ = 0;
};

}  // namespace pimbb::crossbar::proof
