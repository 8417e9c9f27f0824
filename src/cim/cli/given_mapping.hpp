// A mapping given with --mapping, with its accelerator and layer.
#pragma once

#include <string>

#include "cim/cli/options.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim::cli {

struct MappingSettings : LayerSettings {
  std::string mapping;
};

struct GivenMapping {
  Architecture architecture;
  Workload workload;
  Mapping mapping;
};

/// Reads all three. Throws InputError if one is missing or malformed, or if the mapping is not
/// feasible; the message names the rule that it breaks, and the layer that the mapping was made for
/// if that is another one.
GivenMapping read_given_mapping(const MappingSettings& settings, Padding padding,
                                const OutputSettings& output);

/// The options of a layer, and --mapping.
OptionRows mapping_rows(MappingSettings& settings);

}  // namespace pimbb::cim::cli
