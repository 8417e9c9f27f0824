// A mapping drawn as the loop nest that it is, outermost loop first.
//
//   DRAM       input weight output  for K in 8:
//   GlobalBuf  input        output    for P in 56:
//   PE array                            parallel for C in 8 over W:
//   PEBuf                    output       for R in 3:
//                                           output[n,k,q,p] += ...
#pragma once

#include <string>

#include "cli/terminal.hpp"
#include "pimbb/architecture.hpp"
#include "pimbb/mapping.hpp"

namespace pimbb::cli {

std::string draw_loop_nest(const Style& style, const Architecture& architecture,
                           const Mapping& mapping);

}  // namespace pimbb::cli
