// The numbers of a label that only some problems have: bits committed at each level that tensors
// share; the busiest port, if the question counts contention; the occupancy of each shared bus.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "cim/mapper/group.hpp"

namespace pimbb::cim::mapper {

class LabelNumbers {
 public:
  explicit LabelNumbers(const Problem& problem) : begin_(problem.shared.size()), end_(begin_) {
    const Contention contention = problem.question.pricing.contention;
    if (contention != Contention::none) ++end_;
    bus_.fill(kNoBus);
    if (contention != Contention::bus) return;
    for (std::size_t m = 0; m < problem.architecture.levels.size(); ++m) {
      const auto& stores = problem.architecture.levels[m].stores;
      if (stores[0] + stores[1] + stores[2] > 1) bus_[m] = end_++;
    }
  }

  [[nodiscard]] std::size_t count() const { return end_; }
  [[nodiscard]] bool has_ports() const { return end_ > begin_; }

  /// A transfer out of a level occupies it for so long in all.
  template <std::size_t More>
  void occupy(Label<More>& label, std::size_t level, Time busy) const {
    label.more[begin_] = std::max(label.more[begin_], busy);
    if (bus_[level] != kNoBus) label.more[bus_[level]] += busy;
  }
  /// The latency that ports leave possible.
  template <std::size_t More>
  [[nodiscard]] Time floor(const Label<More>& label, Time latency) const {
    assert(end_ <= More);
    for (std::size_t k = begin_; k < end_; ++k) latency = std::max(latency, label.more[k]);
    return latency;
  }

 private:
  static constexpr std::size_t kNoBus = ~std::size_t{0};
  std::size_t begin_, end_;  // of the numbers about ports
  std::array<std::size_t, kMaxLevels> bus_{};
};

}  // namespace pimbb::cim::mapper
