// Parts of the pimbb-network/1 document that networks on one unit and on devices have in common.
#pragma once

#include <string>
#include <vector>

#include "files/json_text.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::io {

/// A layer's own document, with how often it counts put behind its name.
files::Json counted_layer(const files::Json& document, std::int64_t repetitions,
                          const Rational& weight);
/// Goals of a network, each with its bound.
files::Json goals_json(const std::vector<GoalResult>& goals);
/// Totals and goals, and what is not in them: the layers named, and nodes by operator.
files::Json totals_json(const Network& network, const NetworkTotals& totals,
                        const std::vector<GoalResult>& goals,
                        const std::vector<std::string>& left_out);
/// The nodes of a network with a graph, those that are counted with what they move.
void add_nodes(files::Json& json, const Architecture& architecture, const Network& network);

}  // namespace pimbb::dram_pim::io
