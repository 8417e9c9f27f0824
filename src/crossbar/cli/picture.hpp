// A mapping as a picture: a line for each core, a letter for each crossbar.
//
//     core 0    aaaaaabbcc......
//     core 1-3  ddddeeeeffffffff
#pragma once

#include <string>

#include "crossbar/cli/words.hpp"
#include "pimbb/crossbar/mapping.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::crossbar::cli {

/// The letter of an array node; there are 62, then they begin anew.
char letter(std::size_t array);

/// Cores that follow each other and hold the same are one line. With more crossbars than fit a
/// line, a letter stands for several of them. Not all lines, unless tables are as wide as they
/// need.
std::string picture(const Style& style, const Architecture& architecture,
                    const Partition& partition, const Mapping& mapping);

}  // namespace pimbb::crossbar::cli
