// The golden files of crossbars, $PIMBB_SHARED/golden/crossbar: every line of each.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace golden {

using Json = nlohmann::ordered_json;

/// The folder, or nothing (and a message) where PIMBB_SHARED is not set.
std::optional<std::filesystem::path> folder();
/// All lines of a file as JSON. Throws if it is missing, empty, or a line is not JSON.
std::vector<Json> lines(const std::filesystem::path& file);

/// The accelerator of PIMCOMP with the figures that a line replaces. Throws for an unknown one.
pimbb::crossbar::Architecture architecture(const Json& changes);
/// A network in place, or of a file of the folder.
pimbb::crossbar::NodeGraph graph(const Json& json, const std::filesystem::path& folder);
pimbb::crossbar::Mapping mapping(const Json& line, const pimbb::crossbar::Architecture& a,
                                 const pimbb::crossbar::Partition& partition);

}  // namespace golden
