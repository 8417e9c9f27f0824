// What a computation may use: time, until it is asked to stop, and bytes of memory.
//
// Tables are of use only when they are finished. Whoever builds one asks the guard every now and
// then, and a guard that says no throws, which also ends the parallel loops on the way. Memory is
// an account, not a measurement: sizes of tables, nodes and labels, which are the same on every
// run and for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace pimbb::run {

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// Thrown by a guard when the computation is to stop.
struct Stopped : std::exception {};

/// Thrown when there is no room for what is to be made: a limit of `needed` bytes is the least.
struct TooLarge : std::exception {
  explicit TooLarge(std::uint64_t bytes) : needed(bytes) {}
  std::uint64_t needed;
};

struct Guard {
  std::function<bool()> stop = {};  ///< thread-safe; empty: never
  std::uint64_t room = kUnlimited;  ///< bytes
  std::uint64_t used = 0;           ///< bytes in use, beside the room

  void check() const {
    if (stop && stop()) throw Stopped();
  }
  void need(std::uint64_t bytes) const {
    if (bytes > room) throw TooLarge(used + bytes);
  }
};

/// Bytes in use under a limit, and the most that there ever were.
class Account {
 public:
  explicit Account(std::uint64_t limit) : limit_(limit) {}

  /// Bytes that count until the hold is gone.
  class Hold {
   public:
    Hold(Account& account, std::uint64_t bytes) : account_(&account), bytes_(bytes) {}
    Hold(Hold&& other) noexcept
        : account_(other.account_), bytes_(std::exchange(other.bytes_, 0)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold() { account_->used_ -= bytes_; }

   private:
    Account* account_;
    std::uint64_t bytes_;
  };

  /// Throws TooLarge if there is no room.
  [[nodiscard]] Hold hold(std::uint64_t bytes) {
    if (bytes > room()) throw TooLarge(used_ + bytes);
    used_ += bytes;
    note(0);
    return {*this, bytes};
  }
  /// Bytes that were in use for a moment, on top of those held.
  void note(std::uint64_t more) { peak_ = std::max(peak_, used_ + more); }

  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t room() const { return limit_ - std::min(limit_, used_); }
  /// Whether there is room for what could be made again.
  [[nodiscard]] bool roomy() const { return used_ < limit_ / 2; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }

 private:
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace pimbb::run
