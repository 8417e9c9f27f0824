// What a search for the plan of least latency and energy, weighed one way, leaves to those that
// weigh them another way.
//
// Sets of places remain sets of places, and plans remain plans. Bounds remain lines: if a layer has
// a . (latency, energy) >= u  and  b . (latency, energy) >= v  in some cells, then for a direction
// between a and b, c = s a + t b with s, t >= 0,  c . (latency, energy) >= s u + t v.
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/plan/cells.hpp"
#include "dram_pim/plan/placement.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim::network {

/// Bounds of layers, by cells of their input and output, and of passes, by cells of a side and of
/// its shared tensor; nothing where there is no mapping, or no place.
struct BoundLine {
  using Grid = std::vector<std::vector<std::optional<Rational>>>;

  search::Blend direction;
  std::vector<Grid> layers;
  std::vector<Grid> passes;
};

/// What follows for `direction` from lines: those next to it on either side, or one that is
/// parallel to it. Rounded down, so that all bounds have one small denominator. Zero if there are
/// no such lines.
BoundLine line_between(const std::vector<BoundLine>& lines, const search::Blend& direction);

/// A complete plan.
struct KnownPlan {
  struct Layer {
    Solution solution;
    bool input_framed = false;  ///< cells.hpp
    bool output_framed = false;
  };
  std::vector<Layer> layers;
  std::vector<Placement> shared;
};

struct Experience {
  // Cells, none of them ranked: of sides and of shared tensors.
  std::vector<std::vector<Cell>> sides;
  std::vector<std::vector<Cell>> shared;
  std::vector<BoundLine> lines;  ///< over these cells, one for each search
  std::vector<KnownPlan> plans;
};

}  // namespace pimbb::dram_pim::network
