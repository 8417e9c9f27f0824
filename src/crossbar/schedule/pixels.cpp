// Lists of those who wait, by pixel.
#include "crossbar/schedule/pixels.hpp"

#include <algorithm>

namespace pimbb::crossbar::schedule {
namespace {

constexpr std::int64_t kUnmade = -1;

}  // namespace

Pixels::Pixels(const Partition& partition, const std::vector<bool>& read, std::size_t cores)
    : tensors_(partition.graph.nodes.size()), next_(2 * cores, kNone) {
  for (std::size_t v = 1; v < tensors_.size(); ++v) {
    if (!read[v]) continue;
    const auto pixels = static_cast<std::size_t>(partition.graph.nodes[v].windows());
    tensors_[v].ends.assign(pixels, kUnmade);
    tensors_[v].waiting.assign(pixels, kNone);
  }
}

void Pixels::make(std::size_t node, Index pixel, std::int64_t end) {
  Tensor& at = tensors_[node];
  at.ends[static_cast<std::size_t>(pixel)] = end;
  for (; at.there < static_cast<Index>(at.ends.size()); ++at.there) {
    const auto i = static_cast<std::size_t>(at.there);
    if (at.ends[i] == kUnmade) return;
    if (i > 0) at.ends[i] = std::max(at.ends[i], at.ends[i - 1]);
    for (Index who = at.waiting[i]; who != kNone; who = next_[static_cast<std::size_t>(who)]) {
      awake_.push_back(who);
    }
  }
}

void Pixels::wait(std::size_t node, Index pixel, std::int64_t who) {
  Index& first = tensors_[node].waiting[static_cast<std::size_t>(pixel)];
  next_[static_cast<std::size_t>(who)] = first;
  first = static_cast<Index>(who);
}

std::optional<std::int64_t> Pixels::awake() {
  if (awake_.empty()) return std::nullopt;
  const Index who = awake_.back();
  awake_.pop_back();
  return who;
}

}  // namespace pimbb::crossbar::schedule
