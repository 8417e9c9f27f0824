// The nodes of a network's graph in the pimbb-network/1 document.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/network.hpp"

namespace pimbb::layers {

/// A list of all nodes. The node of a layer refers to its result among the document's `layers`: the
/// first layer of its shape.
files::Json nodes_json(const Network& network);

}  // namespace pimbb::layers
