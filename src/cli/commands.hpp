// Commands that do not belong to a kind of accelerator.
#pragma once

#include "terminal/command.hpp"

namespace pimbb::cli {

/// pimbb lp FILE: a linear program, solved and proven.
terminal::Command lp_command();

/// pimbb presets [NAME]: the embedded architectures of all kinds, and the networks.
terminal::Command presets_command();

}  // namespace pimbb::cli
