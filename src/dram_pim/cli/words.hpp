// The commands speak the vocabulary of src/terminal: styles, tables, numbers for people.
#pragma once

namespace pimbb::terminal {}

namespace pimbb::dram_pim::cli {
using namespace terminal;
}  // namespace pimbb::dram_pim::cli
