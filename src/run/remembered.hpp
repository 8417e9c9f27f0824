// What was computed and may be asked for again, on several threads: for keys, or alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace pimbb::run {

/// A map that is filled on demand. Nothing that it contains is ever moved.
template <class Key, class Value>
class Remembered {
 public:
  /// The value of a key: make() if it is not known. Several threads may make the same one, all of
  /// them alike, at the same time: none waits for another. Thread-safe.
  template <class Make>
  const Value& get(const Key& key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      const auto known = values_.find(key);
      if (known != values_.end()) return known->second;
    }
    Value value = make();
    const std::lock_guard lock(mutex_);
    return values_.try_emplace(key, std::move(value)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<Key, Value> values_;
};

/// A value that is made when it is first asked for. (A flag for std::call_once calls the system
/// each time that it is set.)
template <class Value>
class MadeOnce {
 public:
  /// make(), if that is not known. Several threads may make it at the same time, alike.
  /// Thread-safe.
  template <class Make>
  const Value& get(const Make& make) {
    if (state_.load(std::memory_order_acquire) != State::known) keep(make());
    return value_;
  }

 private:
  enum class State : std::uint8_t { unknown, being_written, known };

  void keep(Value&& made) {
    State state = State::unknown;
    if (state_.compare_exchange_strong(state, State::being_written)) {
      value_ = std::move(made);
      state_.store(State::known, std::memory_order_release);
    }
    while (state_.load(std::memory_order_acquire) != State::known) std::this_thread::yield();
  }

  std::atomic<State> state_ = State::unknown;
  Value value_{};
};

}  // namespace pimbb::run
