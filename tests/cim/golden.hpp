// The golden files of SRAM compute-in-memory, $PIMBB_SHARED/golden/cim: every line of each.
#pragma once

#include <filesystem>
#include <optional>

#include "pimbb/cim.hpp"
#include "pimbb/workload.hpp"
#include "support/golden_files.hpp"

namespace golden {

/// The folder, or nothing (and a message) where PIMBB_SHARED is not set.
inline std::optional<std::filesystem::path> folder() { return folder_of("cim"); }

/// By the name of a preset, or the architecture itself.
pimbb::cim::Architecture architecture(const Json& json);
pimbb::Workload layer(const Json& json);
pimbb::cim::Mapping mapping(const Json& json, const pimbb::cim::Architecture& architecture);

}  // namespace golden
