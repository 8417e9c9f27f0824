// JSON for people: nlohmann's ordered_json printed with short things on one line, and every number
// in the fewest digits that read back to the same double.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pimbb::files {

using Json = nlohmann::ordered_json;

/// The document, ending in a newline.
std::string to_text(const Json& document);

}  // namespace pimbb::files
