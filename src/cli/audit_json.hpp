// An audit as JSON, everything exact beside the nearest doubles: pimbb-audit/1 (docs/audit.md).
#pragma once

#include <string>

#include "cli/given_mapping.hpp"
#include "pimbb/audit.hpp"

namespace pimbb::cli {

std::string audit_json(const GivenMapping& given, const Audit& audit, const SolveOptions& options);

}  // namespace pimbb::cli
