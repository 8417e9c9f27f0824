// A mapping as a nest of loops, with a column for the level of each tensor.
#pragma once

#include <string>

#include "cim/cli/words.hpp"
#include "pimbb/cim/mapping.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cim::cli {

/// One line a loop; a level's name stands where a tensor's tile comes to it, with a star where the
/// tile is double-buffered.
std::string draw_loop_nest(const Style& style, const Architecture& architecture,
                           const Mapping& mapping);

/// "for Q in 7"
std::string loop_text(const Loop& loop);

}  // namespace pimbb::cim::cli
