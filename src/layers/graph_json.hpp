// The nodes of a network's graph as they stand in the pimbb-network/1 document.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/network.hpp"

namespace pimbb::layers {

/// A list of all nodes. That of a layer says which of the document's `layers` is its result: the
/// first layer of its shape.
files::Json nodes_json(const Network& network);

}  // namespace pimbb::layers
