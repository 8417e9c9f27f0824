// An adversary of the checker of claims about something larger than a mapping: writes the trees of
// a layer so that the checker accepts them, if it would accept any.
#pragma once

#include <string>

#include "pimbb-check/check.hpp"

namespace testkit {

/// Closes whatever the checker grants, for any reason, as early as it does. Throws what the checker
/// throws where it grants nothing.
pimbb_check::Report grow_trees(const std::string& instance, const pimbb_check::Whole& whole);

}  // namespace testkit
