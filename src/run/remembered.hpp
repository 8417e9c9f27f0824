// What was computed for keys that may be asked for again, on several threads.
#pragma once

#include <map>
#include <mutex>
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

}  // namespace pimbb::run
