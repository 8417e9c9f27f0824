// Small problems for solver and proofs: random ones, and those of the golden files.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "crossbar/golden.hpp"
#include "pimbb/crossbar/partition.hpp"

namespace testkit {

struct Instance {
  pimbb::crossbar::Architecture a;
  pimbb::crossbar::NodeGraph graph;
  pimbb::crossbar::Partition p;
};

/// `arch` and `net` of a line of a golden file.
Instance golden_instance(const golden::Json& line, const std::filesystem::path& folder);

using Draw = std::mt19937_64;

/// A chain of convolutions on a few small cores; nodes may be wider than a core.
Instance random_instance(Draw& draw);

/// A stem; two branches from it, of which one may read the input; their sum or concatenation; a
/// pool and a last layer, convolution or fully connected. Small nodes, so that they have replicas.
Instance random_branches(Draw& draw);

/// One of both, by turns.
Instance drawn_instance(Draw& draw, std::size_t i);

/// A stem of stride 2, then modules one after the other: a convolution of 1 x 1, beside one of
/// 1 x 1 and one of 3 x 3; their results are joined.
Instance modules(std::size_t count, std::int64_t cores,
                 const std::vector<std::string>& more_changes = {});

}  // namespace testkit
