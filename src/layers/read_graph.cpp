// Nodes in their order, one tensor for what each makes.
#include "layers/read_graph.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "files/nearest.hpp"

namespace pimbb::layers {
namespace {

constexpr std::string_view kInput = "input";
constexpr std::int64_t kChannelAxis = 1;  // that Concat joins
constexpr std::int64_t kLargestWindow = (std::int64_t{1} << 31) - 1;

class GraphReader {
 public:
  explicit GraphReader(const std::vector<NetworkLayer>& layers) : layers_(layers) {
    graph_.inputs.push_back(add_tensor(std::string(kInput)));
  }

  void read_node(const files::Value& value) {
    static constexpr std::array<std::string_view, 7> kKeys{"node", "layer",  "op",    "from",
                                                           "pad",  "window", "stride"};
    const files::Object object = value.object(kKeys);
    GraphNode node;
    node.name = object["node"].text("names");
    if (places_.contains(node.name)) {
      object["node"].fail("a second node named '" + node.name + "'", "distinct names");
    }
    const auto layer = object.find("layer");
    const auto op = object.find("op");
    if (layer.has_value() == op.has_value()) {
      value.fail(layer ? "both layer and op" : "neither layer nor op", "one of the two");
    }
    if (const auto from = object.find("from")) {
      for (const files::Value& item : from->list("lists of nodes"))
        node.inputs.emplace_back(source(item));
      if (node.inputs.empty()) from->fail("an empty list", "lists of one node or more");
    } else {
      node.inputs.emplace_back(graph_.tensors.size() - 1);  // what the node before it makes
    }
    if (layer) {
      node.op = kLayerOperator;
      node.layer = read_layer(*layer);
      if (const auto pad = object.find("pad")) {
        const std::vector<files::Value> items = pad->list("lists of two integers: [left, top]", 2);
        node.layer->pad_left = items[0].integer(0);
        node.layer->pad_top = items[1].integer(0);
        padded_.insert(graph_.nodes.size());
      }
    } else {
      node.op = op->text("operators by their ONNX names");
      node.reason = "it multiplies no matrices";
      if (node.op == "Concat") node.axis = kChannelAxis;
    }
    read_window(object, node);
    node.outputs.emplace_back(add_tensor(node.name));
    graph_.nodes.push_back(std::move(node));
  }

  Graph finish(const files::Value& list) && {
    for (const NetworkLayer& layer : layers_) {
      const std::int64_t found = uses_[layer.workload.name];
      if (found == layer.repetitions) continue;
      list.fail("the layer '" + layer.workload.name + "' " + std::to_string(found) + " times",
                "as many times as its repetitions say, " + std::to_string(layer.repetitions));
    }
    graph_.outputs.push_back(graph_.tensors.size() - 1);
    connect(graph_);
    find_planes();
    find_borders();
    find_shapes();
    return std::move(graph_);
  }

 private:
  using Plane = std::optional<std::pair<std::int64_t, std::int64_t>>;  // height and width, if known

  std::size_t add_tensor(const std::string& name) {
    places_.emplace(name, graph_.tensors.size());
    graph_.tensors.emplace_back().name = name;
    return graph_.tensors.size() - 1;
  }

  /// The window of a pool; layers have theirs in their bounds, global pools read the whole plane.
  static void read_window(const files::Object& object, GraphNode& node) {
    const bool pools =
        operator_kind(node.op) == OperatorKind::pooling && !node.op.starts_with("Global");
    const auto window = object.find("window");
    for (const char* key : {"window", "stride", "pad"}) {
      const auto given = object.find(key);
      if (!given || (node.layer && std::string_view(key) == "pad")) continue;
      if (!pools) given->fail("a window of " + node.op, "windows of pools that are not global");
      if (!window) given->fail("no window beside it", "window, stride and pad together");
    }
    if (!window) return;
    std::array<std::int64_t, 2> strides{1, 1};  // width and height, as everywhere in the file
    std::array<std::int64_t, 4> borders{};
    const std::array<std::int64_t, 2> kernels = pair_of(*window, 1);
    if (const auto stride = object.find("stride")) strides = pair_of(*stride, 1);
    if (const auto pad = object.find("pad")) borders = borders_of(*pad);
    node.pool = std::array{PoolAxis{kernels[1], strides[1], borders[1], borders[3]},
                           PoolAxis{kernels[0], strides[0], borders[0], borders[2]}};
  }

  static std::array<std::int64_t, 2> pair_of(const files::Value& value, std::int64_t least) {
    const std::vector<files::Value> items = value.list("lists of two integers: [width, height]", 2);
    return {items[0].integer(least, kLargestWindow), items[1].integer(least, kLargestWindow)};
  }

  /// [left, top, right, bottom]; of two integers, right and bottom are left and top.
  static std::array<std::int64_t, 4> borders_of(const files::Value& value) {
    static constexpr const char* kLists =
        "lists [left, top], which count on both sides, and [left, top, right, bottom]";
    const std::vector<files::Value> items = value.list(kLists);
    if (items.size() != 2 && items.size() != 4) {
      value.fail("a list of " + std::to_string(items.size()), kLists);
    }
    std::array<std::int64_t, 4> borders{};
    for (std::size_t i = 0; i < borders.size(); ++i) {
      borders[i] = items[i % items.size()].integer(0, kLargestWindow);
    }
    return borders;
  }

  [[nodiscard]] std::size_t source(const files::Value& item) const {
    const std::string name = item.text("names of nodes");
    const auto place = places_.find(name);
    if (place == places_.end()) {
      item.fail("'" + name + "'", "names of nodes above this one, and 'input'");
    }
    return place->second;
  }

  GraphLayer read_layer(const files::Value& value) {
    const std::string name = value.text("names of layers");
    const auto found = std::ranges::find(layers_, name, [](const NetworkLayer& layer) {
      return std::string_view(layer.workload.name);
    });
    if (found == layers_.end()) {
      std::vector<std::string_view> names;
      for (const NetworkLayer& layer : layers_) names.push_back(layer.workload.name);
      value.fail("'" + name + "'" + files::did_you_mean(name, names), files::join(names));
    }
    ++uses_[name];
    GraphLayer layer;
    layer.workload = found->workload;
    return layer;
  }

  /// Of the tensors whose planes some layer tells: its output, its input if the file says the
  /// plane, and what element-wise operators join with these. Others stay unknown.
  void find_planes() {
    planes_.resize(graph_.tensors.size());
    for (const GraphNode& node : graph_.nodes) {
      if (!node.layer) continue;
      const Workload& w = node.layer->workload;
      if (w.input_plane) planes_[*node.inputs[0]] = {w.input_plane->height, w.input_plane->width};
    }
    for (const GraphNode& node : graph_.nodes) {
      if (!node.layer) continue;
      const Workload& w = node.layer->workload;
      planes_[*node.outputs[0]] = {w.bound(Dim::Q), w.bound(Dim::P)};
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const GraphNode& node : graph_.nodes) {
        changed = find_pooled_plane(node) || changed;
        changed = find_joined_planes(node) || changed;
      }
    }
  }

  /// The planes that an element-wise operator or Concat joins are all those of one that is known;
  /// whether some are new.
  bool find_joined_planes(const GraphNode& node) {
    if (!is_element_wise(node.op) && node.op != "Concat") return false;
    std::vector<std::size_t> joined{*node.outputs[0]};
    for (const auto& input : node.inputs) joined.push_back(*input);
    const auto known =
        std::ranges::find_if(joined, [&](std::size_t t) { return planes_[t].has_value(); });
    if (known == joined.end()) return false;
    bool changed = false;
    for (const std::size_t t : joined) {
      if (planes_[t]) continue;
      planes_[t] = planes_[*known];
      changed = true;
    }
    return changed;
  }

  /// The plane that a pool writes, if its window is known; whether that is new.
  bool find_pooled_plane(const GraphNode& node) {
    const Plane& in = planes_[*node.inputs[0]];
    Plane& out = planes_[*node.outputs[0]];
    if (!node.pool || !in || out) return false;
    const auto outputs = [](const PoolAxis& axis, std::int64_t size) {
      return (size + axis.before + axis.after - axis.kernel) / axis.stride + 1;
    };
    out = {outputs((*node.pool)[0], in->first), outputs((*node.pool)[1], in->second)};
    return true;
  }

  void find_borders() {
    const auto half = [](std::int64_t border) { return std::max<std::int64_t>(0, border + 1) / 2; };
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      GraphNode& node = graph_.nodes[n];
      if (!node.layer || padded_.contains(n)) continue;
      const Plane& plane = planes_[*node.inputs[0]];
      if (!plane) continue;
      node.layer->pad_top = half(node.layer->workload.input_height() - plane->first);
      node.layer->pad_left = half(node.layer->workload.input_width() - plane->second);
    }
  }

  using Shapes = std::vector<std::optional<Shape>>;  // by tensor

  /// Shapes that the layers tell: of what a layer writes, of what it reads if no border or stride
  /// can be in between, and of what operators join with these. None if they contradict each other;
  /// only --agree-layouts needs layers that fit together.
  void find_shapes() {
    Shapes shapes(graph_.tensors.size());
    for (const GraphNode& node : graph_.nodes) {
      if (!node.layer) continue;
      const Workload& w = node.layer->workload;
      const auto shape = [&](Dim channels) {
        return Shape{w.bound(Dim::N), w.bound(Dim::G) * w.bound(channels), w.bound(Dim::Q),
                     w.bound(Dim::P)};
      };
      shapes[*node.outputs[0]] = shape(Dim::K);
      const bool point = w.bound(Dim::R) == 1 && w.bound(Dim::S) == 1 && w.stride_w == 1 &&
                         w.stride_h == 1 && node.layer->pad_top == 0 && node.layer->pad_left == 0;
      std::optional<Shape>& read = shapes[*node.inputs[0]];
      if (point && !read) read = shape(Dim::C);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const GraphNode& node : graph_.nodes) {
        if (!keeps_shape(node.op)) continue;
        std::vector<std::size_t> joined{*node.outputs[0]};
        for (const auto& input : node.inputs) joined.push_back(*input);
        if (!join(joined, shapes, changed)) return;
      }
    }
    for (std::size_t t = 0; t < shapes.size(); ++t) graph_.tensors[t].shape = shapes[t];
  }

  /// Operators of network files broadcast nothing.
  static bool keeps_shape(std::string_view op) {
    const OperatorKind kind = operator_kind(op);
    return is_element_wise(op) || kind == OperatorKind::normalisation ||
           kind == OperatorKind::softmax;
  }

  /// Gives all tensors of the list the shape of one of them; false if two differ.
  static bool join(const std::vector<std::size_t>& tensors, Shapes& shapes, bool& changed) {
    const auto known =
        std::ranges::find_if(tensors, [&](std::size_t t) { return shapes[t].has_value(); });
    if (known == tensors.end()) return true;
    const Shape shape = *shapes[*known];
    for (const std::size_t t : tensors) {
      if (shapes[t] && *shapes[t] != shape) return false;
      changed = changed || !shapes[t];
      shapes[t] = shape;
    }
    return true;
  }

  const std::vector<NetworkLayer>& layers_;
  Graph graph_;
  std::map<std::string, std::size_t> places_;  // tensors by name
  std::vector<Plane> planes_;                  // by tensor
  std::set<std::size_t> padded_;               // nodes whose border the file states
  std::map<std::string, std::int64_t> uses_;   // of layers
};

}  // namespace

Graph read_graph(const files::Value& list, const std::vector<NetworkLayer>& layers) {
  GraphReader reader(layers);
  for (const files::Value& item : list.list("lists of nodes")) reader.read_node(item);
  return std::move(reader).finish(list);
}

}  // namespace pimbb::layers
