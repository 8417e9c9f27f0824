// Parts of the documents of fronts that all wings have.
#pragma once

#include <span>
#include <string>

#include "files/json_text.hpp"
#include "pimbb/front.hpp"

namespace pimbb::answers {

/// The boxes that are not settled: {"from": {AXIS: ...}, "below": {AXIS: ... or null}}, exact.
files::Json open_json(std::span<const std::string> axes, std::span<const FrontBox> open);

}  // namespace pimbb::answers
