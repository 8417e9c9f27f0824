// The names of src/terminal that all commands use: styles, tables, formatted numbers.
#pragma once

namespace pimbb::terminal {}

namespace pimbb::crossbar::cli {
using namespace terminal;
}  // namespace pimbb::crossbar::cli
