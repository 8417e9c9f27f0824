// Something that is lent in parts, such as the memory of a run to solves at the same time.
#pragma once

#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace pimbb::run {

class Parts {
 public:
  explicit Parts(std::size_t all) : all_(all), left_(all) {}
  [[nodiscard]] std::size_t all() const { return all_; }

  /// Some of them, as long as this object exists.
  class Loan {
   public:
    /// Waits until there are `count`, which must not be more than there are in all.
    Loan(Parts& parts, std::size_t count) : parts_(parts), count_(count) {
      assert(count <= parts.all_);
      std::unique_lock lock(parts.mutex_);
      parts.returned_.wait(lock, [&] { return parts.left_ >= count; });
      parts.left_ -= count;
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      {
        const std::lock_guard lock(parts_.mutex_);
        parts_.left_ += count_;
      }
      parts_.returned_.notify_all();
    }

   private:
    Parts& parts_;
    const std::size_t count_;
  };

 private:
  const std::size_t all_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::size_t left_;
};

}  // namespace pimbb::run
