// Components of the tensors under element-wise operators; rectangles of their layers.
#include "dram_pim/plan/exchange.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

#include <algorithm>
#include <cassert>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// The component of every tensor.
std::vector<std::size_t> joined(const Graph& graph) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> same(graph.tensors.size());
  for (const GraphNode& node : graph.nodes) {
    if (!is_element_wise(node.op) || node.outputs.empty() || !node.outputs[0]) continue;
    const GraphTensor& result = graph.tensors[*node.outputs[0]];
    for (const auto& input : node.inputs) {
      if (!input || graph.tensors[*input].constant) continue;
      const auto& shape = graph.tensors[*input].shape;
      if (shape && result.shape && *shape != *result.shape) continue;  // broadcast
      boost::add_edge(*input, *node.outputs[0], same);
    }
  }
  std::vector<std::size_t> component(graph.tensors.size());
  if (!component.empty()) boost::connected_components(same, component.data());
  return component;
}

}  // namespace

void Exchange::add_layers(const Graph& graph) {
  const std::vector<std::size_t> component = joined(graph);
  std::vector<TensorGroup> groups(graph.tensors.size());  // by component
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) groups[component[t]].tensors.push_back(t);
  for (const Tensor tensor : {Tensor::output, Tensor::input}) {
    for (std::size_t n = 0, l = 0; n < graph.nodes.size(); ++n) {
      const GraphNode& node = graph.nodes[n];
      if (!node.layer) continue;
      if (tensor == Tensor::output) layers.push_back({n, &*node.layer, {}, {}});
      const std::size_t layer = l++;
      if (node.layer->repetitions() > 1) continue;  // parts of tensors, each somewhere else
      const auto& end =
          tensor == Tensor::output ? node.outputs.at(0) : node.inputs.at(node.layer->input_slot);
      if (!end || graph.tensors[*end].constant) continue;
      groups[component[*end]].sides.push_back(sides.size());
      sides.push_back({layer, tensor, component[*end], {}, true});
    }
  }
  for (TensorGroup& group : groups) {
    if (group.sides.size() > 1) shared.push_back(std::move(group));
  }
  keep_shared_sides();
}

void Exchange::keep_shared_sides() {
  std::vector<ExchangeSide> used;
  for (std::size_t g = 0; g < shared.size(); ++g) {
    for (std::size_t& s : shared[g].sides) {
      used.push_back(sides[s]);
      s = used.size() - 1;
      ExchangeSide& side = used.back();
      side.shared = g;
      (side.tensor == Tensor::input ? layers[side.layer].input : layers[side.layer].output) = s;
    }
  }
  sides = std::move(used);
}

void Exchange::place(const Architecture& a, const Graph& graph, TensorGroup& group) {
  Placement& place = group.place;
  bool first = true;
  bool written = false;
  for (const std::size_t s : group.sides) {
    ExchangeSide& side = sides[s];
    const GraphLayer& layer = *layers[side.layer].is;
    const Workload& w = layer.workload;
    const bool output = side.tensor == Tensor::output;
    side.own = output
                   ? Rectangle{0, 0, w.bound(Dim::Q), w.bound(Dim::P)}
                   : Rectangle{-layer.pad_top, -layer.pad_left, w.input_height(), w.input_width()};
    const std::int64_t channels = w.bound(Dim::G) * w.bound(output ? Dim::K : Dim::C);
    const std::int64_t units = a.element_units(side.tensor);
    const bool channels_last = !output && a.input_order == InputOrder::nhwc;
    if (first) {
      place = {w.bound(Dim::N),    channels,     side.own,      side.own,
               Layout::sequential, {1, 1, 1, 1}, channels_last, units};
    }
    if (w.bound(Dim::N) != place.batch || channels != place.channels ||
        (output && !first && side.own != place.own)) {
      const GraphNode& node = graph.nodes[layers[side.layer].node];
      const GraphNode& other = graph.nodes[layers[sides[group.sides[0]].layer].node];
      throw InputError("node '" + node.name + "' (" + node.op + "): found " +
                       std::to_string(w.bound(Dim::N)) + " x " + std::to_string(channels) +
                       " planes where '" + other.name + "' has " + std::to_string(place.batch) +
                       " x " + std::to_string(place.channels) +
                       ", needed are layers that fit together");
    }
    written = written || output;
    if (!written) place.own = hull(place.own, side.own);
    place.frame = hull(place.frame, side.own);
    side.can_share = units == place.element_units && channels_last == place.channels_last;
    first = false;
  }
}

Exchange::Exchange(const Architecture& architecture, const Graph& graph) {
  add_layers(graph);
  for (TensorGroup& group : shared) place(architecture, graph, group);
  assert(consistent());
}

/// Whether layers, sides and shared tensors refer to each other, and frames hold what is in them.
bool Exchange::consistent() const {
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const ExchangeSide& side = sides[s];
    const ExchangeLayer& layer = layers[side.layer];
    const TensorGroup& group = shared[side.shared];
    if ((side.tensor == Tensor::input ? layer.input : layer.output) != s) return false;
    if (std::ranges::count(group.sides, s) != 1) return false;
    if (!group.place.frame.contains(side.own)) return false;
  }
  return std::ranges::all_of(shared, [](const TensorGroup& group) {
    return group.sides.size() > 1 && group.place.frame.contains(group.place.own);
  });
}

}  // namespace pimbb::dram_pim::network
