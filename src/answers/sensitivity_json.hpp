// What the documents of a sensitivity say of figures, for every wing.
#pragma once

#include <vector>

#include "files/json_text.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::answers {

/// The key "parameters".
files::Json figures_json(const std::vector<FigureSensitivity>& figures);

/// An object with the key "range" or "reach".
files::Json span_json(const SensitivityOptions& options);

}  // namespace pimbb::answers
