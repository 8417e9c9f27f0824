// Warnings about the file of an accelerator, and --strict, which makes errors of them.
#pragma once

#include <string>
#include <vector>

#include "terminal/option_row.hpp"

namespace pimbb::terminal {

OptionRow strict_row(bool& strict);

/// Writes the warnings to standard error, unless `quiet`. Throws InputError if they are errors.
void warn(const std::vector<std::string>& warnings, bool strict, bool quiet);

}  // namespace pimbb::terminal
