// JSON output that is easy to read: short values are on one line, and every number has the fewest
// digits that give the same double.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "pimbb/rational.hpp"

namespace pimbb::files {

using Json = nlohmann::ordered_json;

/// The document, ending in a newline.
std::string to_text(const Json& document);

/// A number that our readers read back exactly: a JSON number if its shortest decimal is the value,
/// else the text of a fraction, "1/3".
Json exact_number(const Rational& value);

// Objects and lists are made before their first member: nlohmann's JSON makes a null value one
// without asking for the memory first, and may not be destroyed after that has failed.

/// An object or a list under a key; no key if there is nothing in it.
inline void add_unless_empty(Json& json, const std::string& key, Json value) {
  if (!value.empty()) json[key] = std::move(value);
}
/// The same of a list of items, each made JSON.
template <class Items, class Make>
void add_list(Json& json, const std::string& key, const Items& items, const Make& make) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(make(item));
  add_unless_empty(json, key, std::move(list));
}

}  // namespace pimbb::files
