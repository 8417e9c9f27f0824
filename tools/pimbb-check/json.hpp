// JSON in normal form: one text for each value, so that all readers see the same value.
//
// No spaces, no escapes but those that must be, keys in the order of the format and each only once,
// numbers without a fraction or an exponent. A text is in normal form if writing what was read
// gives the same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "exact.hpp"

namespace pimbb_check {

using Json = nlohmann::ordered_json;

/// `what` names the text in messages.
inline Json parse_normal(const std::string& text, const std::string& what) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) throw Refusal(what + ": not valid JSON");
  if (json.dump() != text) throw Refusal(what + ": JSON that is not in normal form");
  return json;
}

/// An object with just these keys in this order.
inline const Json& with_keys(const Json& json, std::span<const std::string_view> keys,
                             const std::string& what) {
  bool good = json.is_object() && json.size() == keys.size();
  for (auto item = json.begin(); good && item != json.end(); ++item) {
    good = item.key() == keys[static_cast<std::size_t>(std::distance(json.begin(), item))];
  }
  if (!good) throw Refusal(what + ": wrong keys in an object");
  return json;
}

}  // namespace pimbb_check
