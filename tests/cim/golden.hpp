// The golden files of SRAM compute-in-memory, $PIMBB_SHARED/golden/cim: every line of each.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/cim.hpp"
#include "pimbb/workload.hpp"

namespace golden {

using Json = nlohmann::ordered_json;

/// The folder, or nothing (and a message) where PIMBB_SHARED is not set.
std::optional<std::filesystem::path> folder();
/// All lines of a file as JSON. Throws if it is missing, empty, or a line is not JSON.
std::vector<Json> lines(const std::filesystem::path& file);

/// By the name of a preset, or the architecture itself.
pimbb::cim::Architecture architecture(const Json& json);
pimbb::Workload layer(const Json& json);
pimbb::cim::Mapping mapping(const Json& json, const pimbb::cim::Architecture& architecture);

}  // namespace golden
