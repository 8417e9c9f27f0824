// A mapping drawn as a loop nest.
#include <doctest/doctest.h>

#include "dram_pim/cli/loop_nest.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::dram_pim::cli;

TEST_CASE("a loop nest names levels, what they store, and every loop in order") {
  Architecture architecture;
  for (const char* name : {"PE", "GB", "RB", "DRAM"}) {
    architecture.levels.emplace_back().name = name;
  }
  Mapping mapping;
  mapping.levels.resize(4);
  mapping.levels[0] = {{{Dim::C, 2}, {Dim::R, 3}}, {false, false, true}};
  mapping.levels[1] = {{}, {true, false, false}};
  mapping.levels[2] = {{{Dim::P, 7}}, {true, true, true}};
  mapping.levels[3] = {{{Dim::K, 8}, {Dim::Q, 4}}, {true, true, true}};
  mapping.spatial[index(Direction::H)][index(Dim::K)] = 2;
  mapping.spatial[index(Direction::internal)][index(Dim::C)] = 4;
  CHECK(draw_loop_nest({}, architecture, mapping) ==
        "  DRAM      input weight output  for K in 8:\n"
        "                                   for Q in 4:\n"
        "  RB        input weight output      for P in 7:\n"
        "  GB        input                      (no loops)\n"
        "  PE array                             parallel for K in 2 over H:\n"
        "  PE                     output          for R in 3:\n"
        "                                           for C in 2:\n"
        "                                             parallel for C in 4 over the MACs of a PE:\n"
        "                                               output[n,k,q,p] += input[n,c,h,w] * "
        "weight[k,c,s,r]\n");
}
