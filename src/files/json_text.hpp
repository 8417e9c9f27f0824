// JSON output that is easy to read: short values are on one line, and every number has the fewest
// digits that give the same double.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pimbb::files {

using Json = nlohmann::ordered_json;

/// The document, ending in a newline.
std::string to_text(const Json& document);

}  // namespace pimbb::files
