// Low latency: when pixels become available, and who waits for them. A pixel is available when it
// and all before it are.
#pragma once

#include <optional>
#include <vector>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

class Pixels {
 public:
  /// Of the nodes that are `read`. At most two wait in each core.
  Pixels(const Partition& partition, const std::vector<bool>& read, std::size_t cores);

  [[nodiscard]] bool there(std::size_t node, Index pixel) const {
    return pixel < tensors_[node].there;
  }
  /// When a pixel that is there became available.
  [[nodiscard]] std::int64_t end(std::size_t node, Index pixel) const {
    return tensors_[node].ends[static_cast<std::size_t>(pixel)];
  }
  /// A pixel is made, whatever those before it are.
  void make(std::size_t node, Index pixel, std::int64_t end);

  /// `who` does not wait yet.
  void wait(std::size_t node, Index pixel, std::int64_t who);
  /// Somebody whose pixel is there now and who has not been told yet.
  std::optional<std::int64_t> awake();

 private:
  struct Tensor {
    std::vector<std::int64_t> ends;  // of those that are there: the greatest so far
    std::vector<Index> waiting;      // the first that waits
    Index there = 0;
  };

  std::vector<Tensor> tensors_;  // by node
  std::vector<Index> next_;      // by who waits: the next that waits for the same
  std::vector<Index> awake_;
};

}  // namespace pimbb::crossbar::schedule
