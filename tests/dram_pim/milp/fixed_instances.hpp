// One small problem for each feature of the model, so that none depends on a random draw.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/instances.hpp"

namespace testkit {

/// Named by the feature; the objective is for the caller to choose (blended: 1/4 and 5/2).
std::vector<std::pair<std::string, Instance>> fixed_instances();

}  // namespace testkit
