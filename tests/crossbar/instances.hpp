// Small problems for solver and proofs: random ones, and those of the golden files.
#pragma once

#include <random>

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

}  // namespace testkit
