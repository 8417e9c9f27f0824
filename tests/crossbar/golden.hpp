// The golden files of crossbars, $PIMBB_SHARED/golden/crossbar: every line of each.
#pragma once

#include <filesystem>
#include <optional>

#include "pimbb/crossbar/mapping.hpp"
#include "support/golden_files.hpp"

namespace golden {

/// The folder, or nothing (and a message) where PIMBB_SHARED is not set.
inline std::optional<std::filesystem::path> folder() { return folder_of("crossbar"); }

/// The accelerator of PIMCOMP with the figures that a line replaces. Throws for an unknown one.
pimbb::crossbar::Architecture architecture(const Json& changes);
/// A network in place, or of a file of the folder.
pimbb::crossbar::NodeGraph graph(const Json& json, const std::filesystem::path& folder);
pimbb::crossbar::Mapping mapping(const Json& line, const pimbb::crossbar::Architecture& a,
                                 const pimbb::crossbar::Partition& partition);

}  // namespace golden
