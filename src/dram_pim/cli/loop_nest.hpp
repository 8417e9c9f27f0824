// A mapping printed as a loop nest, outermost loop first.
//
//   DRAM       input weight output  for K in 8:
//   GlobalBuf  input        output    for P in 56:
//   PE array                            parallel for C in 8 over W:
//   PEBuf                    output       for R in 3:
//                                           output[n,k,q,p] += ...
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::dram_pim::cli {

std::string draw_loop_nest(const Style& style, const Architecture& architecture,
                           const Mapping& mapping);

}  // namespace pimbb::dram_pim::cli
