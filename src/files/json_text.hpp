// JSON output that is easy to read: short values are on one line, and every number has the fewest
// digits that give the same double.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pimbb/rational.hpp"

namespace pimbb::files {

using Json = nlohmann::ordered_json;

/// The document, ending in a newline.
std::string to_text(const Json& document);

/// A number that our readers read back exactly: a JSON number if its shortest decimal is the value,
/// else the text of a fraction, "1/3".
Json exact_number(const Rational& value);

}  // namespace pimbb::files
