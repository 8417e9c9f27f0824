// Elements of tensors, unit by unit, and all combinations of what layers can do.
#include "dram_pim/device/stay_network.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dram_pim/device/exhaust_device.hpp"
#include "support/oracle_tiles.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;

namespace {

/// The shape of the tensor between two layers.
struct TensorShape {
  std::int64_t batch = 1, channels = 1, height = 1, width = 1;
};

/// A window along one axis: loop bounds of positions and taps, stride, border before.
struct AxisChoice {
  std::int64_t positions = 1, taps = 1, stride = 1, before = 0;
};

AxisChoice random_axis(Choices& c, std::int64_t size) {
  const std::size_t kind = c.pick(6);
  if (kind == 0 && size > 1) return {1, size, 1, 0};                             // all of it
  if (kind == 1 && size % 2 == 0 && size > 2) return {size / 2, 2, 2, 0};        // patches
  if (kind == 2) return {size, 3, 1, 1};                                         // with a border
  if (kind == 3 && size > 2) return {size - 1, 2, 1, 0};                         // with a halo
  if (kind == 4 && size > 2 && size % 2 == 1) return {(size + 1) / 2, 1, 2, 0};  // every other one
  return {size, 1, 1, 0};
}

struct StayLayer {
  Workload layer;
  std::int64_t pad_left = 0, pad_top = 0;
};

StayLayer random_stay_layer(Choices& c, const TensorShape& in) {
  StayLayer made;
  Workload& w = made.layer;
  const AxisChoice x = random_axis(c, in.width);
  const AxisChoice y = random_axis(c, in.height);
  std::int64_t groups = c.one_of<std::int64_t>({1, 1, 1, in.channels, 2});
  if (in.channels % groups != 0) groups = 1;
  const auto outputs = c.one_of<std::int64_t>({1, 2, 3, 4});
  w.bounds = {x.taps,
              y.taps,
              x.positions,
              y.positions,
              in.channels / groups,
              groups > 1 ? 1 + outputs / 4 : outputs,
              in.batch,
              groups};
  w.stride_w = x.stride;
  w.stride_h = y.stride;
  made.pad_left = x.before;
  made.pad_top = y.before;
  return made;
}

TensorShape output_of(const Workload& w) {
  return {w.bound(Dim::N), w.bound(Dim::G) * w.bound(Dim::K), w.bound(Dim::Q), w.bound(Dim::P)};
}

StayLayer small_layer(Choices& c, const TensorShape& in, std::int64_t macs) {
  for (int tries = 0; tries < 50; ++tries) {
    StayLayer made = random_stay_layer(c, in);
    if (made.layer.macs() <= macs) return made;
  }
  StayLayer plain;
  plain.layer.bounds = {1, 1, in.width, in.height, in.channels, 1, in.batch, 1};
  return plain;
}

std::size_t add_tensor(Graph& graph, std::string name) {
  graph.tensors.emplace_back().name = std::move(name);
  return graph.tensors.size() - 1;
}

std::size_t add_node(Graph& graph, std::string op, std::vector<std::size_t> inputs,
                     std::optional<GraphLayer> layer = {}) {
  GraphNode node;
  node.name = "node" + std::to_string(graph.nodes.size());
  node.op = std::move(op);
  for (const std::size_t t : inputs) node.inputs.emplace_back(t);
  node.layer = std::move(layer);
  const std::size_t out = add_tensor(graph, node.name);
  node.outputs.emplace_back(out);
  graph.nodes.push_back(std::move(node));
  return out;
}

}  // namespace

namespace {

/// Builds the graph layer by layer.
class StayNetworkBuilder {
 public:
  StayNetworkBuilder(std::uint64_t seed, std::int64_t macs)
      : c_(seed * 2 + 1),
        macs_(macs),
        n_{random_device_instance(seed, {.macs = macs, .levels = 4}), {}, {}, {}} {}

  StayNetwork run(std::size_t layers) {
    choose_device();
    const bool moves_auto = c_.once_in(4);
    last_ = add_tensor(graph_, "input");
    graph_.inputs.push_back(last_);
    shape_ = {c_.one_of<std::int64_t>({1, 1, 2}), c_.one_of<std::int64_t>({2, 1, 4}),
              c_.one_of<std::int64_t>({1, 1, 2}), c_.one_of<std::int64_t>({2, 1, 4, 3})};
    for (std::size_t i = 0; i < layers; ++i) {
      add_layer(i);
      n_.may_stay.back() = n_.may_stay.back() && i + 1 < layers;
      add_operators(i + 1 == layers);
    }
    graph_.outputs.push_back(last_);
    connect(graph_);
    n_.network = network_of("random", std::move(graph_));
    n_.network.moves_auto = moves_auto;
    return std::move(n_);
  }

 private:
  /// At most two levels, elements of equal size in most cases, banks that are often too small.
  void choose_device() {
    Device& device = n_.frame.device;
    while (device.levels.size() > 2) device.levels.pop_back();
    if (!c_.once_in(8)) device.unit.bits[2] = device.unit.bits[0];
    equal_elements_ =
        device.unit.element_units(Tensor::input) == device.unit.element_units(Tensor::output);
    std::optional<std::int64_t>& capacity = device.unit.levels.back().capacity;
    capacity.reset();
    if (c_.once_in(2)) capacity = 5 + static_cast<std::int64_t>(c_.pick(40));
  }

  void add_layer(std::size_t i) {
    StayLayer made = small_layer(c_, shape_, macs_);
    made.layer.name = "layer" + std::to_string(i);
    if (c_.once_in(8)) made.layer.padding = Padding::parse("K=1", "pad");
    if (c_.once_in(8)) {
      made.layer.moves = c_.one_of<Moves>({{true, true, true}, {true, false, false}});
    }
    GraphLayer layer;
    layer.workload = made.layer;
    layer.pad_left = made.pad_left;
    layer.pad_top = made.pad_top;
    n_.nodes.push_back(graph_.nodes.size());
    last_ = add_node(graph_, "Conv", {last_}, layer);
    shape_ = output_of(made.layer);
    n_.may_stay.push_back(equal_elements_ && (!made.layer.moves || (*made.layer.moves)[2]));
  }

  void add_operators(bool at_the_end) {
    if (c_.once_in(3)) last_ = add_node(graph_, "Relu", {last_});
    if (at_the_end) return;
    if (c_.once_in(8)) {
      last_ = add_node(graph_, "MaxPool", {last_});
      n_.may_stay.back() = false;
    }
    if (c_.once_in(8)) {
      graph_.outputs.push_back(add_node(graph_, "Sigmoid", {last_}));
      n_.may_stay.back() = false;
    }
  }

  Choices c_;
  std::int64_t macs_;
  StayNetwork n_;
  bool equal_elements_ = false;
  Graph graph_;
  std::size_t last_ = 0;
  TensorShape shape_;
};

}  // namespace

StayNetwork random_stay_network(std::uint64_t seed, std::size_t layers, std::int64_t macs) {
  return StayNetworkBuilder(seed, macs).run(layers);
}

Network twice(const Network& network) {
  Graph graph = *network.graph;
  const Graph once = graph;
  for (GraphTensor& tensor : graph.tensors) {
    tensor.producer.reset();
    tensor.consumers.clear();
  }
  const std::size_t tensors = graph.tensors.size();
  for (const GraphTensor& tensor : once.tensors) add_tensor(graph, tensor.name + "_again");
  const auto again = [&](std::size_t t) { return t == once.inputs[0] ? t : t + tensors; };
  for (GraphNode node : once.nodes) {
    node.name += "_again";
    for (auto& input : node.inputs) input = again(*input);
    for (auto& output : node.outputs) output = again(*output);
    graph.nodes.push_back(std::move(node));
  }
  for (const std::size_t t : once.outputs) graph.outputs.push_back(again(t));
  connect(graph);
  Network both = network_of(network.name, std::move(graph));
  both.moves_auto = network.moves_auto;
  return both;
}

namespace {

using Range = std::pair<std::int64_t, std::int64_t>;

/// The loop indices of a unit in each dimension; none if it has no work.
std::optional<std::array<Range, kDims>> work_of(const Workload& layer, const Split& split,
                                                const Factors& slice,
                                                const std::vector<Factors>& position) {
  std::array<Range, kDims> ranges;
  for (std::size_t j = 0; j < kDims; ++j) {
    std::int64_t covered = slice[j];
    std::int64_t begin = 0;
    for (std::size_t d = 0; d < split.size(); ++d) {
      begin += position[d][j] * covered;
      covered *= split[d][j];
    }
    ranges[j] = {begin, std::min(begin + slice[j], layer.bounds[j])};
    if (ranges[j].first >= ranges[j].second) return std::nullopt;
  }
  return ranges;
}

std::vector<std::int64_t> all_of(const Range& range) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = range.first; i < range.second; ++i) all.push_back(i);
  return all;
}

std::int64_t parts(const Split& split, Dim j) {
  std::int64_t product = 1;
  for (const Factors& factors : split) product *= factors[index(j)];
  return product;
}

/// What positions and taps read along an axis of the tensor.
std::vector<std::int64_t> read_along(const Range& positions, const Range& taps, std::int64_t stride,
                                     std::int64_t dilation, std::int64_t border,
                                     std::int64_t size) {
  std::set<std::int64_t> read;
  for (const std::int64_t p : all_of(positions)) {
    for (const std::int64_t r : all_of(taps)) {
      const std::int64_t at = stride * p + dilation * r - border;
      if (at >= 0 && at < size) read.insert(at);
    }
  }
  return {read.begin(), read.end()};
}

std::string text_of(const std::array<std::vector<std::int64_t>, 4>& axes) {
  std::string text;
  for (const std::vector<std::int64_t>& axis : axes) {
    for (const std::int64_t at : axis) text += std::to_string(at) + ",";
    text += ";";
  }
  return text;
}

std::vector<std::int64_t> channels_of(const Range& groups, const Range& own, std::int64_t each) {
  std::vector<std::int64_t> all;
  for (const std::int64_t g : all_of(groups)) {
    for (const std::int64_t k : all_of(own)) all.push_back(g * each + k);
  }
  return all;
}

/// Texts of all children of a level, in any order; those without work are nothing.
template <class Leaf>
std::string tree(const Split& split, std::size_t level, std::vector<Factors>& position,
                 const Leaf& leaf) {
  if (level == 0) return leaf(position);
  std::vector<std::string> children;
  Factors& at = position[level - 1];
  at.fill(0);
  while (true) {
    std::string child = tree(split, level - 1, position, leaf);
    if (!child.empty()) children.push_back(std::move(child));
    std::size_t j = 0;
    while (j < kDims && ++at[j] == split[level - 1][j]) at[j++] = 0;
    if (j == kDims) break;
  }
  if (children.empty()) return "";
  std::ranges::sort(children);
  std::string text = "[";
  for (const std::string& child : children) text += child + "|";
  return text + "]";
}

/// Whether groups and channels of both layers divide the tensor in the same coordinates.
bool groups_agree(const Workload& writer, const Workload& reader) {
  if (writer.bound(Dim::G) == reader.bound(Dim::G)) return true;
  return (writer.bound(Dim::G) == 1 || writer.bound(Dim::K) == 1) &&
         (reader.bound(Dim::G) == 1 || reader.bound(Dim::C) == 1);
}

bool taps_may_split(std::int64_t positions, std::int64_t taps, std::int64_t border,
                    std::int64_t size) {
  return positions == 1 && taps == size && border == 0;
}

}  // namespace

std::optional<std::string> written_family(const Workload& writer, const Workload& reader,
                                          const Split& split, const Factors& slice) {
  const bool grouped = parts(split, Dim::G) > 1 || parts(split, Dim::K) > 1;
  if (grouped && !groups_agree(writer, reader)) return std::nullopt;
  std::vector<Factors> position(split.size());
  return tree(split, split.size(), position, [&](const std::vector<Factors>& at) -> std::string {
    const auto work = work_of(writer, split, slice, at);
    if (!work) return "";
    const auto range = [&](Dim j) { return (*work)[index(j)]; };
    return text_of({all_of(range(Dim::N)),
                    channels_of(range(Dim::G), range(Dim::K), writer.bound(Dim::K)),
                    all_of(range(Dim::Q)), all_of(range(Dim::P))});
  });
}

std::optional<std::string> read_family(const Workload& writer, const Workload& reader,
                                       std::int64_t pad_left, std::int64_t pad_top,
                                       const Split& split, const Factors& slice) {
  const bool grouped = parts(split, Dim::G) > 1 || parts(split, Dim::C) > 1;
  if (grouped && !groups_agree(writer, reader)) return std::nullopt;
  const std::int64_t width = writer.bound(Dim::P);
  const std::int64_t height = writer.bound(Dim::Q);
  if (parts(split, Dim::R) > 1 &&
      !taps_may_split(reader.bound(Dim::P), reader.bound(Dim::R), pad_left, width)) {
    return std::nullopt;
  }
  if (parts(split, Dim::S) > 1 &&
      !taps_may_split(reader.bound(Dim::Q), reader.bound(Dim::S), pad_top, height)) {
    return std::nullopt;
  }
  const bool columns = parts(split, Dim::P) * parts(split, Dim::R) > 1;
  const bool rows = parts(split, Dim::Q) * parts(split, Dim::S) > 1;
  std::vector<Factors> position(split.size());
  return tree(split, split.size(), position, [&](const std::vector<Factors>& at) -> std::string {
    const auto work = work_of(reader, split, slice, at);
    if (!work) return "";
    const auto range = [&](Dim j) { return (*work)[index(j)]; };
    const auto y = read_along(range(Dim::Q), range(Dim::S), reader.stride_h, reader.dilation_h,
                              pad_top, height);
    const auto x = read_along(range(Dim::P), range(Dim::R), reader.stride_w, reader.dilation_w,
                              pad_left, width);
    return text_of({all_of(range(Dim::N)),
                    channels_of(range(Dim::G), range(Dim::C), reader.bound(Dim::C)),
                    rows ? y : all_of({0, height}), columns ? x : all_of({0, width})});
  });
}

namespace {

/// What some layers can cost together: bytes of the bank, totals, and the tensor that stays last.
struct Combination {
  std::string stays;
  std::int64_t weights = 0;
  std::int64_t io = 0;
  Fraction latency, energy, activations;
};

bool no_worse_than(const Combination& a, const Combination& b) {
  return a.weights <= b.weights && a.io <= b.io && a.latency <= b.latency && a.energy <= b.energy &&
         a.activations <= b.activations;
}

void keep(std::vector<Combination>& all, const Combination& one) {
  if (std::ranges::any_of(all, [&](const Combination& other) { return no_worse_than(other, one); }))
    return;
  std::erase_if(all, [&](const Combination& other) { return no_worse_than(one, other); });
  all.push_back(one);
}

std::int64_t bytes_of(const Device& device, const Workload& layer, const Factors& slice, Tensor t) {
  const std::int64_t elements = oracle::tile_elements(layer, t, slice);
  const std::int64_t bits = device.unit.bits[index(t)];
  return device.unit.packing == Packing::bit ? (bits * elements + 7) / 8
                                             : (bits + 7) / 8 * elements;
}

/// The tensors that stay before and after a layer, as families; "" at the host.
using Ends = std::pair<std::string, std::string>;
using LayerChoices = std::map<Ends, std::vector<Combination>>;

/// The combinations of one layer of a network.
class LayerExhaustion {
 public:
  LayerExhaustion(const StayNetwork& n, std::size_t i)
      : n_(n), i_(i), own_(n.network.layers[i].workload) {}

  LayerChoices run() {
    std::vector<Moves> ways{own_.moves.value_or(kDefaultMoves)};
    if (!own_.moves && n_.network.moves_auto) ways.push_back({true, true, true});
    for (const Moves& way : ways) {
      for (const bool before : {false, true}) {
        for (const bool after : {false, true}) add(way, before, after);
      }
    }
    return std::move(choices_);
  }

 private:
  /// All mappings of which the tensors before and after stay, or not.
  void add(Moves moves, bool before, bool after) {
    if (before && (i_ == 0 || !n_.may_stay[i_ - 1])) return;
    if (after && !n_.may_stay[i_]) return;
    if (before) moves[0] = false;
    if (after) moves[2] = false;
    std::map<std::pair<Split, Factors>, std::optional<Ends>> known;
    exhaust::each_split_on_device(
        n_.frame.device, own_, moves, n_.frame.row_model,
        [&](const Split& split, const Factors& slice, const oracle::DeviceCosts& costs) {
          const auto [place, fresh] = known.try_emplace({split, slice});
          if (fresh) place->second = ends(before, after, split, slice);
          if (place->second) add_one(*place->second, moves, slice, costs);
        });
  }

  [[nodiscard]] std::optional<Ends> ends(bool before, bool after, const Split& split,
                                         const Factors& slice) const {
    const std::vector<NetworkLayer>& layers = n_.network.layers;
    const GraphLayer& node = *n_.network.graph->nodes[n_.nodes[i_]].layer;
    std::optional<std::string> read = "";
    std::optional<std::string> written = "";
    if (before) {
      read = read_family(layers[i_ - 1].workload, own_, node.pad_left, node.pad_top, split, slice);
    }
    if (after) written = written_family(own_, layers[i_ + 1].workload, split, slice);
    if (!read || !written) return std::nullopt;
    return Ends{*read, *written};
  }

  void add_one(const Ends& ends, const Moves& moves, const Factors& slice,
               const oracle::DeviceCosts& costs) {
    Combination one{ends.second, 0, 0, costs.latency, costs.energy, costs.activations};
    const auto need = [&](Tensor t) { return bytes_of(n_.frame.device, own_, slice, t); };
    one.io = need(Tensor::input) + need(Tensor::output);
    (moves[1] ? one.io : one.weights) += need(Tensor::weight);
    keep(choices_[ends], one);
  }

  const StayNetwork& n_;
  std::size_t i_;
  const Workload& own_;
  LayerChoices choices_;
};

}  // namespace

std::vector<Fraction> least_of_stay_network(const StayNetwork& n) {
  const auto& capacity = n.frame.device.unit.levels.back().capacity;
  std::map<std::string, std::vector<Combination>> sums;
  sums[""].emplace_back();
  for (std::size_t i = 0; i < n.network.layers.size(); ++i) {
    std::map<std::string, std::vector<Combination>> longer;
    for (const auto& [ends, choices] : LayerExhaustion(n, i).run()) {
      const auto begin = sums.find(ends.first);
      if (begin == sums.end()) continue;
      for (const Combination& sum : begin->second) {
        for (const Combination& one : choices) {
          const Combination both{ends.second,
                                 sum.weights + one.weights,
                                 std::max(sum.io, one.io),
                                 sum.latency + one.latency,
                                 sum.energy + one.energy,
                                 sum.activations + one.activations};
          if (!capacity || both.weights + both.io <= *capacity) keep(longer[ends.second], both);
        }
      }
    }
    sums = std::move(longer);
  }
  std::vector<Fraction> best;
  for (const Combination& sum : sums[""]) {
    oracle::DeviceCosts costs;
    costs.latency = sum.latency;
    costs.energy = sum.energy;
    costs.activations = sum.activations;
    std::vector<Fraction> values;
    for (const Goal goal : n.frame.objective.goals) {
      values.push_back(costs.value(goal, n.frame.objective));
    }
    if (best.empty() || values < best) best = values;
  }
  return best;
}

}  // namespace testkit
