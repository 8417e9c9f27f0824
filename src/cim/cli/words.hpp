// The names of src/terminal that all commands use: styles, tables, formatted numbers.
#pragma once

namespace pimbb::terminal {}

namespace pimbb::cim::cli {
using namespace terminal;
}  // namespace pimbb::cim::cli
