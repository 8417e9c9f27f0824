// Values of the canonical instance: every key is required, no other is allowed, every value has its
// range.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json.hpp"

namespace pimbb_check {

inline constexpr std::int64_t kMost = std::int64_t{1} << 53;
inline constexpr std::int64_t kLongest = std::int64_t{1} << 30;

/// `keys` and after them those of `later` that are there, in this order.
inline const Json& instance_object(const Json& json, std::vector<std::string_view> keys,
                                   std::initializer_list<std::string_view> later = {}) {
  for (const std::string_view key : later) {
    if (json.is_object() && json.contains(key)) keys.push_back(key);
  }
  return with_keys(json, keys, "instance");
}

inline std::int64_t integer(const Json& json, std::int64_t low, std::int64_t high) {
  require(json.is_number_integer() &&
              (!json.is_number_unsigned() || json.get<std::uint64_t>() <= std::uint64_t{1} << 62),
          "instance: an integer is wanted");
  const auto value = json.get<std::int64_t>();
  require(value >= low && value <= high, "instance: an integer is out of range");
  return value;
}

inline std::string text(const Json& json) {
  require(json.is_string(), "instance: a text is wanted");
  return json.get<std::string>();
}

inline bool boolean(const Json& json) {
  require(json.is_boolean(), "instance: true or false is wanted");
  return json.get<bool>();
}

inline Rational not_negative(const Json& json) { return parse_rational(text(json)); }

inline Rational positive(const Json& json) {
  const Rational value = not_negative(json);
  require(value > 0, "instance: a number is zero");
  return value;
}

inline const Json& list(const Json& json, std::size_t length) {
  require(json.is_array() && json.size() == length, "instance: a list of another length is wanted");
  return json;
}

template <class Names>
std::size_t one_of(const Json& json, const Names& names) {
  const std::string found = text(json);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (found == names[i]) return i;
  }
  throw Refusal("instance: unknown name '" + found + "'");
}

}  // namespace pimbb_check
