// How far array groups and messages are, for simulations without instructions. A window is its
// number among those of the replica.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// Of an array group the last two windows matter: one is loaded while the other is multiplied.
struct GroupProgress {
  Index loaded = 0;                         ///< windows that are there; with several LDs each, LDs
  Index multiplied = 0;                     ///< windows that have been multiplied
  std::array<std::int64_t, 2> load_ends{};  ///< of windows of either parity, the last ones
  std::array<std::int64_t, 2> ends{};       ///< of MVMs
};

/// Ends of instructions until what waits for them takes them, in their order.
class Ends {
 public:
  void add(std::int64_t end) { ends_.push_back(end); }
  [[nodiscard]] std::size_t size() const { return ends_.size() - taken_; }
  [[nodiscard]] std::int64_t first() const { return ends_[taken_]; }
  std::int64_t take() {
    const std::int64_t end = first();
    if (++taken_ == ends_.size()) {
      ends_.clear();
      taken_ = 0;
    }
    return end;
  }

 private:
  std::vector<std::int64_t> ends_;
  std::size_t taken_ = 0;
};

}  // namespace pimbb::crossbar::schedule
