// Chains from edges, and options from the splits of their layers.
#include "dram_pim/device_network/chains.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "dram_pim/device/split_space.hpp"
#include "dram_pim/device_network/stay_edges.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::device_network {
namespace {

/// Nodes one after the other, with the edges between them.
struct NodeChain {
  std::vector<std::size_t> nodes;
  std::vector<StayEdge> edges;
};

/// Chains that have the same shapes and edges, whatever their nodes.
using ChainKey = std::pair<std::vector<std::size_t>,
                           std::vector<std::tuple<std::size_t, std::size_t, std::int64_t>>>;

/// A split that a layer may have if tensors of it stay, before it is known whether the other
/// layers have one that agrees.
struct StaySplit {
  std::size_t way = 0;
  Moves moves = kDefaultMoves;
  Parts before, after;  // empty: at the host
  device::GivenSplit given;
};

void restrict_dims(Device& device, const DimFlags& dims) {
  for (DeviceLevel& level : device.levels) {
    for (std::size_t j = 0; j < kDims; ++j) level.dims[j] = level.dims[j] && dims[j];
  }
}

class SpaceBuilder {
 public:
  SpaceBuilder(LayerAnswers& answers, const Network& network, const Network& shapes,
               const std::vector<std::size_t>& shape_of,
               const std::vector<std::vector<Moves>>& moves, bool apart)
      : answers_(answers),
        network_(network),
        shapes_(shapes),
        shape_of_(shape_of),
        moves_(moves),
        apart_(apart),
        layer_of_(layers_of_nodes(network)) {
    space_.variants.resize(shapes.layers.size());
  }

  StaySpace run() {
    std::map<ChainKey, std::size_t> known;
    for (const NodeChain& nodes : node_chains()) {
      const auto [same, fresh] = known.try_emplace(key_of(nodes), space_.chains.size());
      if (fresh) add_chain(nodes);
      add_member(space_.chains[same->second], nodes.nodes);
    }
    for (auto& variants : space_.variants) {
      std::ranges::sort(variants, {}, &StayVariant::variant);
    }
    return std::move(space_);
  }

 private:
  [[nodiscard]] std::vector<NodeChain> node_chains() const {
    const std::vector<GraphNode>& nodes = network_.graph->nodes;
    std::vector<const StayEdge*> next(nodes.size());
    std::vector<char> read(nodes.size());
    const std::vector<StayEdge> edges = stay_edges(answers_.device(), network_);
    for (const StayEdge& edge : edges) {
      next[edge.writer] = &edge;
      read[edge.reader] = 1;
    }
    std::vector<NodeChain> chains;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (!nodes[n].layer || read[n] != 0) continue;
      NodeChain& chain = chains.emplace_back(NodeChain{{n}, {}});
      for (const StayEdge* edge = next[n]; edge != nullptr; edge = next[edge->reader]) {
        chain.edges.push_back(*edge);
        chain.nodes.push_back(edge->reader);
      }
    }
    return chains;
  }

  [[nodiscard]] std::size_t shape(std::size_t node) const { return shape_of_[layer_of_[node]]; }

  [[nodiscard]] ChainKey key_of(const NodeChain& chain) const {
    ChainKey key;
    for (const std::size_t node : chain.nodes) key.first.push_back(shape(node));
    for (const StayEdge& edge : chain.edges) {
      for (const SharedDim& dim : edge.dims) {
        key.second.emplace_back(index(dim.written), index(dim.read), dim.scale);
      }
      key.second.emplace_back(kDims, kDims, 0);
    }
    return key;
  }

  void add_member(Chain& chain, const std::vector<std::size_t>& nodes) const {
    const std::int64_t times = network_.graph->nodes[nodes.front()].layer->repetitions();
    if (apart_ || chain.members.empty()) chain.members.push_back({0, {}});
    chain.members.back().repetitions += times;
    chain.members.back().nodes.push_back(nodes);
  }

  void add_chain(const NodeChain& nodes) {
    Chain& chain = space_.chains.emplace_back();
    for (const std::size_t node : nodes.nodes) chain.shapes.push_back(shape(node));
    chain.options.resize(chain.shapes.size());
    std::vector<std::vector<StaySplit>> splits;
    for (std::size_t i = 0; i < chain.shapes.size(); ++i) {
      const StayEdge* before = i == 0 ? nullptr : &nodes.edges[i - 1];
      const StayEdge* after = i == nodes.edges.size() ? nullptr : &nodes.edges[i];
      splits.push_back(splits_of(chain.shapes[i], before, after));
    }
    const std::vector<std::map<Parts, std::int64_t>> states = states_between(splits);
    const auto state = [&](const Parts& parts, std::size_t edge) {
      if (parts.empty()) return std::int64_t{0};
      const auto found = states[edge].find(parts);
      return found == states[edge].end() ? std::int64_t{-1} : found->second;
    };
    for (std::size_t i = 0; i < splits.size(); ++i) {
      for (StaySplit& split : splits[i]) {
        const std::int64_t before = state(split.before, i - 1);
        const std::int64_t after = state(split.after, i);
        if (before < 0 || after < 0) continue;
        chain.options[i].push_back({variant(chain.shapes[i], std::move(split)), before, after});
      }
      std::ranges::sort(chain.options[i], {}, &StayOption::variant);
    }
  }

  /// For every edge the parts that both of its layers can have, numbered from 1.
  static std::vector<std::map<Parts, std::int64_t>> states_between(
      const std::vector<std::vector<StaySplit>>& splits) {
    std::vector<std::map<Parts, std::int64_t>> states(splits.size() - 1);
    for (std::size_t e = 0; e < states.size(); ++e) {
      std::set<Parts> written;
      for (const StaySplit& split : splits[e]) written.insert(split.after);
      for (const StaySplit& split : splits[e + 1]) {
        if (split.before.empty() || !written.contains(split.before)) continue;
        states[e].try_emplace(split.before, static_cast<std::int64_t>(states[e].size()) + 1);
      }
    }
    return states;
  }

  /// All splits of a layer of which the tensor before it, the one after it, or both stay.
  std::vector<StaySplit> splits_of(std::size_t shape, const StayEdge* before,
                                   const StayEdge* after) {
    std::vector<StaySplit> all;
    for (std::size_t way = 0; way < moves_[shape].size(); ++way) {
      if (before != nullptr && after != nullptr) add_splits(shape, way, before, after, all);
      if (before != nullptr) add_splits(shape, way, before, nullptr, all);
      if (after != nullptr) add_splits(shape, way, nullptr, after, all);
    }
    return all;
  }

  void add_splits(std::size_t shape, std::size_t way, const StayEdge* reads, const StayEdge* writes,
                  std::vector<StaySplit>& all) {
    const Workload& layer = shapes_.layers[shape].workload;
    Moves moves = moves_[shape][way];
    Device device = answers_.device();
    if (reads != nullptr) {
      moves[index(Tensor::input)] = false;
      restrict_dims(device, read_dims(*reads));
    }
    if (writes != nullptr) {
      moves[index(Tensor::output)] = false;
      restrict_dims(device, written_dims(*writes));
    }
    const device::SplitSpace splits(device, layer, moves);
    std::map<std::tuple<Split, Parts, Parts>, std::vector<Factors>> slices;
    splits.for_each_slice([&](const Factors& slice, std::int64_t) {
      for (const Split& split : splits.splits(slice)) {
        count_one();
        slices[{split, reads == nullptr ? Parts{} : read_parts(*reads, split, slice),
                writes == nullptr ? Parts{} : written_parts(*writes, split, slice)}]
            .push_back(slice);
      }
      return space_.complete;
    });
    for (auto& [key, bounds] : slices) {
      const auto& [split, before, after] = key;
      all.push_back({way, moves, before, after, {split, std::move(bounds)}});
    }
  }

  void count_one() {
    constexpr std::uint64_t kEvery = 1024;
    constexpr std::uint64_t kBytes = 1024;  // of a split in all lists, about
    if (++count_ * kBytes > answers_.limits().memory_limit) {
      throw LimitError("network '" + network_.name +
                       "': the memory limit was reached among more than " + std::to_string(count_) +
                       " splits for tensors that stay; allow more, or less padding");
    }
    if (count_ % kEvery == 0 && answers_.stopped()) space_.complete = false;
  }

  std::size_t variant(std::size_t shape, StaySplit split) {
    const auto [known, fresh] =
        numbers_.try_emplace(std::tuple(shape, split.moves, split.given), answers_.size());
    if (fresh) {
      space_.variants[shape].push_back({known->second, split.way > 0});
      answers_.add({&shapes_.layers[shape].workload, split.moves, std::move(split.given)});
    }
    return known->second;
  }

  LayerAnswers& answers_;
  const Network& network_;
  const Network& shapes_;
  const std::vector<std::size_t>& shape_of_;
  const std::vector<std::vector<Moves>>& moves_;
  const bool apart_;
  const std::vector<std::size_t> layer_of_;
  std::map<std::tuple<std::size_t, Moves, device::GivenSplit>, std::size_t> numbers_;
  std::uint64_t count_ = 0;
  StaySpace space_;
};

}  // namespace

std::vector<Chain> single_chains(const std::vector<std::vector<std::int64_t>>& members) {
  std::vector<Chain> chains;
  for (std::size_t s = 0; s < members.size(); ++s) {
    Chain& chain = chains.emplace_back();
    chain.shapes = {s};
    chain.options.resize(1);
    for (const std::int64_t repetitions : members[s]) chain.members.push_back({repetitions, {}});
  }
  return chains;
}

StaySpace stay_space(LayerAnswers& answers, const Network& network, const Network& shapes,
                     const std::vector<std::size_t>& shape_of,
                     const std::vector<std::vector<Moves>>& moves, bool apart) {
  return SpaceBuilder(answers, network, shapes, shape_of, moves, apart).run();
}

}  // namespace pimbb::dram_pim::device_network
