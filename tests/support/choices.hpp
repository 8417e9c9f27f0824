// A stream of small choices from which instances and mappings are built.
//
// Either endless, from a 64-bit seed, or a given tape, after whose end every choice is the first
// option. Builders list their options simplest first; so a tape with smaller numbers makes a
// simpler thing, and shrinking the tape shrinks whatever was built from it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace testkit {

class Choices {
 public:
  static constexpr std::uint32_t kRange = 1 << 20;  ///< tape entries are below this

  explicit Choices(std::uint64_t seed) : endless_(true), state_(seed) {}
  explicit Choices(std::vector<std::uint32_t> tape) : tape_(std::move(tape)) {}

  /// A number in 0 .. options-1.
  std::size_t pick(std::size_t options) {
    return static_cast<std::size_t>(std::uint64_t{next()} * options / kRange);
  }
  template <class T>
  T one_of(std::initializer_list<T> options) {
    return *(options.begin() + pick(options.size()));
  }
  /// True once in `n` times; false is the simple option.
  bool once_in(std::size_t n) { return pick(n) == n - 1; }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[i - 1 - pick(i)]);
    }
  }

 private:
  std::uint32_t next() {
    if (!endless_) return position_ < tape_.size() ? tape_[position_++] : 0;
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;  // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 44);
  }

  bool endless_ = false;
  std::uint64_t state_ = 0;
  std::vector<std::uint32_t> tape_;
  std::size_t position_ = 0;
};

}  // namespace testkit
