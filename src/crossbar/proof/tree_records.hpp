// Records of a tree of boxes that bounds of `ll` close (docs/crossbar-proof-format.md).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/assign/packing.hpp"
#include "run/guard.hpp"

namespace pimbb::crossbar::proof {

/// Throws run::Stopped if a search was not ended, and std::logic_error if it found what the proof
/// denies.
void require_no(assign::Answer answer);

class TreeRecords {
 public:
  /// Both are kept; `boxes` makes the cuts and halves.
  TreeRecords(const assign::LatencyBoxes& boxes, const assign::Trace& trace)
      : boxes_(boxes), trace_(trace) {}

  /// Depth first from the root: `close(box, first)` makes a box smaller and tells its record, or
  /// returns false, and it is divided. Throws run::Stopped where the effort ends.
  template <class Close>
  void run(assign::Box root, assign::Effort& effort, const Close& close) {
    std::vector<assign::Box> open{std::move(root)};
    for (bool first = true; !open.empty(); first = false) {
      assign::Box box = std::move(open.back());
      open.pop_back();
      effort.spend();
      if (effort.exhausted() || effort.stopped()) throw pimbb::run::Stopped();
      if (close(box, first)) continue;
      const assign::LatencyBoxes::Halving at = boxes_.halving(box);
      trace_("split " + std::to_string(at.family) + " " + std::to_string(at.most));
      open.push_back(assign::LatencyBoxes::high_half(box, at));
      open.push_back(assign::LatencyBoxes::low_half(box, at));
    }
  }

  /// True, for those who have closed a box.
  bool told(const std::string& record);
  /// A record and the shares of a mix. Cuts that have not been told yet get the next numbers.
  bool told_mix(std::string record, const assign::Allocation::Mix& mix);

 private:
  const assign::LatencyBoxes& boxes_;
  const assign::Trace& trace_;
  std::vector<std::optional<std::size_t>> numbers_;  // of the tree, by cut
  std::size_t cuts_ = 0;
};

}  // namespace pimbb::crossbar::proof
