// Networks and chips so small that every mapping can be tried, also with other figures of the chip.
#pragma once

#include <optional>

#include "crossbar/instances.hpp"
#include "pimbb/rational.hpp"

namespace testkit {

struct TinyProblem {
  pimbb::crossbar::Architecture a;
  pimbb::crossbar::NodeGraph graph;
};

/// A chain of one to three convolutions on one to three cores.
TinyProblem tiny_problem(Draw& draw);

/// By trying everything: the least `ht` and the least `ll` of mappings within the limits, ns;
/// nothing if there are none. The order of the cores is tried if local memory is enforced.
std::optional<pimbb::Rational> least_by_trying(const TinyProblem& at, bool latency,
                                               const std::optional<pimbb::Rational>& most_ht = {},
                                               const std::optional<pimbb::Rational>& most_ll = {});

}  // namespace testkit
