// Layers that hand tensors to each other which may stay in the units, and the splits for that.
//
// A layer reads one such tensor at most and writes one at most, so they join the layers to
// *chains*, and all else of the network is chains of one layer. Between two layers of a chain the
// tensor is in a *state*: at the host, state 0, or divided into certain parts and in the units.
//
// A mapping of a layer of which a tensor stays has few choices left: every dimension that it may
// split is one of that tensor, so the parts of the tensor are the split. Each split is a variant of
// its layer of its own (layer_answers.hpp), with all slices that padding allows. Nobody moves the
// tensor, and where it is the output, rule 4 of docs/devices.md forbids partial sums.
//
// The minimal splits of a layer are enough. Claim: of the best mappings of a network one has
// minimal splits only. Proof: take a factor s > 1 of a dimension without which the layer would be
// covered. Tensors of this layer that stay and are divided along the dimension are divided alike by
// the layer at their other end, which covers as many blocks, so the factor is superfluous there,
// too, and so on along the chain. Set to s - 1 in all of these layers, it leaves all their parts
// equal, fewer units to run, and less to move; no cost grows.  []
//
// Layers that are joined by tensors which stay run directly one after the other. The graph allows
// that: nothing else reads the tensor, so nothing else has to run in between, and what the reader
// needs besides does not depend on it. A tensor that stays is then in a bank only while its writer
// and its reader run, as a part of what the rule for banks counts for these layers anyway.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dram_pim/device_network/layer_answers.hpp"
#include "pimbb/network.hpp"

namespace pimbb::dram_pim::device_network {

/// A variant of a layer in a chain, from state to state; one of the states is not 0.
struct StayOption {
  std::size_t variant = 0;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// Equal chains of a network that are mapped alike.
struct ChainMember {
  std::int64_t repetitions = 1;
  std::vector<std::vector<std::size_t>> nodes;  ///< of the graph, for each chain
};

struct Chain {
  std::vector<std::size_t> shapes;  ///< one for each layer
  std::vector<ChainMember> members;
  std::vector<std::vector<StayOption>> options = {};  ///< by layer, in the order of their variants
};

struct StayVariant {
  std::size_t variant = 0;
  bool extra = false;  ///< another one differs in its weight only, which does not move
};

struct StaySpace {
  std::vector<Chain> chains;
  std::vector<std::vector<StayVariant>> variants;  ///< by shape
  bool complete = true;                            ///< false if a limit ended the enumeration
};

/// Chains of one layer: shapes with the repetitions of layers that are mapped alike.
std::vector<Chain> single_chains(const std::vector<std::vector<std::int64_t>>& members);

/// The chains of a network with all their options. `shape_of`: of the layers of the network.
/// `moves`: the ways of each shape, the first without its weight. `apart`: whether equal chains may
/// be mapped differently. New variants are added to `answers`. Throws LimitError if they do not fit
/// the memory limit.
StaySpace stay_space(LayerAnswers& answers, const Network& network, const Network& shapes,
                     const std::vector<std::size_t>& shape_of,
                     const std::vector<std::vector<Moves>>& moves, bool apart);

}  // namespace pimbb::dram_pim::device_network
