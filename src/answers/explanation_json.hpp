// Conflicts and repairs in documents, of any kind of accelerator.
#pragma once

#include <vector>

#include "files/json_text.hpp"
#include "pimbb/explanation.hpp"

namespace pimbb::answers {

/// Adds to a document: "constraints" by number, and of a problem without a solution "minimal",
/// "conflict" and "repairs".
void add_explanation(files::Json& json, const std::vector<ProblemConstraint>& constraints,
                     const Conflict& conflict);

}  // namespace pimbb::answers
