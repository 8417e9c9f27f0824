// Square matrices over (max, +): functions of timers that only add constants and take maxima.
//
// Entry (i, j) is the time that output i lies at least behind input j, or kNone. Products of
// matrices are compositions, so that a loop is a power, which repeated squaring computes exactly,
// whatever the number of iterations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cim/cost/units.hpp"

namespace pimbb::cim::cost {

class MaxPlus {
 public:
  static constexpr Time kNone = -(std::int64_t{1} << 62);

  /// The identity on `size` timers.
  explicit MaxPlus(std::size_t size) : size_(size), entries_(size * size, kNone) {
    for (std::size_t i = 0; i < size; ++i) at(i, i) = 0;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  Time& at(std::size_t i, std::size_t j) { return entries_[i * size_ + j]; }
  [[nodiscard]] Time at(std::size_t i, std::size_t j) const { return entries_[i * size_ + j]; }

  /// Afterwards, timer i is advanced by `time`.
  void add(std::size_t i, Time time) {
    for (std::size_t j = 0; j < size_; ++j) {
      if (at(i, j) != kNone) at(i, j) += time;
    }
  }
  /// Afterwards, timer i is the later one of i and k.
  void raise(std::size_t i, std::size_t k) {
    for (std::size_t j = 0; j < size_; ++j) at(i, j) = std::max(at(i, j), at(k, j));
  }
  /// Afterwards, timer i shows what k shows.
  void copy(std::size_t i, std::size_t k) {
    for (std::size_t j = 0; j < size_; ++j) at(i, j) = at(k, j);
  }
  /// Afterwards, `next` is applied to the first timers, as many as it has.
  void then(const MaxPlus& next) {
    std::vector<Time> rows(next.size_ * size_, kNone);
    for (std::size_t i = 0; i < next.size_; ++i) {
      Time* row = rows.data() + i * size_;
      for (std::size_t k = 0; k < next.size_; ++k) {
        const Time step = next.at(i, k);
        if (step == kNone) continue;
        const Time* from = entries_.data() + k * size_;
        for (std::size_t j = 0; j < size_; ++j) row[j] = std::max(row[j], from[j] + step);
      }
      for (std::size_t j = 0; j < size_; ++j) row[j] = row[j] < kNone / 2 ? kNone : row[j];
    }
    std::copy(rows.begin(), rows.end(), entries_.begin());
  }
  /// The function applied `times` times, >= 0.
  [[nodiscard]] MaxPlus power(std::int64_t times) const {
    MaxPlus result(size_);
    MaxPlus square = *this;
    for (bool first = true; times > 0; times >>= 1) {
      if ((times & 1) != 0) {
        if (first) {
          result = square;
        } else {
          result.then(square);
        }
        first = false;
      }
      if (times > 1) {
        const MaxPlus once = square;
        square.then(once);
      }
    }
    return result;
  }

 private:
  std::size_t size_;
  std::vector<Time> entries_;
};

}  // namespace pimbb::cim::cost
