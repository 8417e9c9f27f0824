// Limits of a computation: a request to stop, and bytes of memory.
//
// A table is useful only when it is complete. Code that builds one therefore calls the guard at
// least every 50 ms; after a request to stop the guard throws, which also ends parallel loops.
// Memory is an account, not a measurement: the sizes of tables, nodes and labels, which are the
// same in every run and for every number of threads.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>

namespace pimbb::run {

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// Thrown by a guard if the computation must stop.
struct Stopped : std::exception {};

/// Thrown when there is no room for what is to be made: a limit of `needed` bytes is the least.
struct TooLarge : std::exception {
  explicit TooLarge(std::uint64_t bytes) : needed(bytes) {}
  std::uint64_t needed;
};

struct Guard {
  std::function<bool()> stop = {};               ///< thread-safe; empty: never
  std::uint64_t room = kUnlimited;               ///< bytes
  std::uint64_t used = 0;                        ///< bytes in use, beside the room
  std::function<void(std::uint64_t)> note = {};  ///< told what was needed; empty: nobody

  void check() const {
    if (stop && stop()) throw Stopped();
  }
  void need(std::uint64_t bytes) const {
    if (bytes > room) throw TooLarge(used + bytes);
    if (note) note(bytes);
  }
};

/// Never stops and has room for everything.
inline const Guard kUnguarded{};

/// Asks a guard once in every so many steps, for loops whose steps take less time than the
/// question. Each thread has its own.
class GuardedSteps {
 public:
  explicit GuardedSteps(const Guard& guard, std::size_t between = 1024)
      : guard_(guard), between_(between) {}

  /// Called once a step, or with the number of steps.
  void operator()(std::size_t steps = 1) {
    done_ += steps;
    if (done_ < between_) return;
    done_ = 0;
    guard_.check();
  }

 private:
  const Guard& guard_;
  std::size_t between_;
  std::size_t done_ = 0;
};

/// Bytes in use under a limit, and their peak.
class Account {
 public:
  explicit Account(std::uint64_t limit) : limit_(limit) {}

  /// Bytes that count as used while this object exists.
  class Hold {
   public:
    Hold(Account& account, std::uint64_t bytes) : account_(&account), bytes_(bytes) {}
    Hold(Hold&& other) noexcept
        : account_(other.account_), bytes_(std::exchange(other.bytes_, 0)) {}
    Hold& operator=(Hold&&) = delete;
    /// Count in this account from now on, whatever room it has.
    void move_to(Account& account) {
      if (account_ == &account) return;
      account_->used_ -= bytes_;
      account_ = &account;
      account_->used_ += bytes_;
      account_->note(0);
    }
    ~Hold() {
      assert(account_->used_ >= bytes_);
      account_->used_ -= bytes_;
    }

   private:
    Account* account_;
    std::uint64_t bytes_;
  };

  /// Throws TooLarge if there is no room.
  [[nodiscard]] Hold hold(std::uint64_t bytes) {
    if (bytes > room()) throw TooLarge(used_ + bytes);
    used_ += bytes;
    assert(used_ <= limit_);
    note(0);
    return {*this, bytes};
  }
  /// Records bytes that were in use temporarily, in addition to those held.
  void note(std::uint64_t more) { peak_ = std::max(peak_, used_ + more); }

  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t room() const { return limit_ - std::min(limit_, used_); }
  /// Whether there is room for data that could be recomputed.
  [[nodiscard]] bool roomy() const { return used_ < limit_ / 2; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }

 private:
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace pimbb::run
