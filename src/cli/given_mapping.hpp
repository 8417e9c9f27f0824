// A mapping that the user gives with --mapping, with the machine and the layer it is for.
#pragma once

#include "cli/settings.hpp"
#include "pimbb/architecture.hpp"
#include "pimbb/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cli {

struct GivenMapping {
  Architecture architecture;
  Workload workload;
  Mapping mapping;
};

/// Reads all three. Throws InputError if one is missing or malformed, or if the mapping is not
/// feasible: the message names the rule that it breaks.
GivenMapping read_given_mapping(const Settings& settings);

}  // namespace pimbb::cli
