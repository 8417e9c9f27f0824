// An audit as JSON, with exact values next to the nearest doubles: pimbb-audit/1 (docs/audit.md).
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "dram_pim/cli/given_mapping.hpp"
#include "pimbb/dram_pim/audit.hpp"

namespace pimbb::dram_pim::cli {

std::string audit_json(const GivenMapping& given, const Audit& audit, const Question& question,
                       const RunLimits& limits);

}  // namespace pimbb::dram_pim::cli
