// The kind of accelerator that a command is about.
#pragma once

#include <string>

#include "files/presets.hpp"
#include "pimbb/kind.hpp"
#include "terminal/shared_command.hpp"

namespace pimbb::cli {

/// The kind of an architecture file or preset. Throws InputError if there is none of this name, or
/// its kind is not known.
Kind kind_of_architecture(const std::string& source);

/// The kind of --arch, of --study, or of the architectures in the file --corpus; DRAM-PIM without
/// these.
Kind kind_of_options(const terminal::GivenValue& given);

/// The embedded architectures of all kinds, sorted by name.
const files::PresetTable& all_architectures();

}  // namespace pimbb::cli
