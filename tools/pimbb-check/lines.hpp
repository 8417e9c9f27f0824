// The lines of a document, each ended by a newline, one after the other.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "exact.hpp"

namespace pimbb_check {

class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) {}

  /// The next line, which must exist.
  const std::string& next() {
    ++number_;
    require(static_cast<bool>(std::getline(in_, line_)), "the proof ends too early");
    require(!in_.eof(), "the last line is cut off");
    bytes_ += line_.size() + 1;
    return line_;
  }
  /// The rest of the next line, which must begin with `key` and a space.
  std::string field(const std::string& key) {
    if (!next().starts_with(key + " ")) throw Refusal("'" + key + " ...' is wanted here");
    return line_.substr(key.size() + 1);
  }
  /// Nothing may follow.
  void finish() {
    require(in_.peek() == std::istream::traits_type::eof(), "something follows the end");
  }

  [[nodiscard]] const std::string& line() const { return line_; }
  /// The line, cut at every space.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> found{""};
    for (const char c : line_) {
      if (c == ' ') {
        found.emplace_back();
      } else {
        found.back() += c;
      }
    }
    return found;
  }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  std::istream& in_;
  std::string line_;
  std::uint64_t number_ = 0, bytes_ = 0;
};

/// A plain decimal number at `at`, which moves behind it.
inline std::int64_t plain_number(const char*& at) {
  const char* const begin = at;
  std::int64_t value = 0;
  for (; *at >= '0' && *at <= '9'; ++at) {
    require(at < begin + 17, "a number is too long");
    value = 10 * value + (*at - '0');
  }
  require(at > begin && (*begin != '0' || at == begin + 1), "a number is not plain");
  return value;
}

}  // namespace pimbb_check
