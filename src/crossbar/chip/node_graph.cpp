// From the operators of a network to nodes: one pass in the order in which they run.
#include <algorithm>
#include <array>
#include <span>

#include "crossbar/chip/file_volumes.hpp"
#include "pimbb/crossbar/graph.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

constexpr std::array<std::string_view, 3> kConvolutionNames{"Conv", "ConvInteger", "QLinearConv"};
constexpr std::array<std::string_view, 4> kProductNames{"Gemm", "MatMul", "MatMulInteger",
                                                        "QLinearMatMul"};
constexpr std::array<std::string_view, 3> kSumNames{"Add", "Mul", "Sum"};

bool is_one_of(std::span<const std::string_view> names, std::string_view op) {
  return std::ranges::count(names, op) > 0;
}

class NodeGraphBuilder {
 public:
  explicit NodeGraphBuilder(const Network& network)
      : graph_(*network.graph), place_(graph_.tensors.size()) {
    result_.name = network.name;
    if (chip::is_of_file(graph_)) of_file_ = chip::file_volumes(graph_);
  }

  NodeGraph build() && {
    add_input();
    for (const GraphNode& node : graph_.nodes) {
      if (is_constant(node)) continue;
      node_ = &node;
      add_node();
    }
    check_reshaped();
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& allowed) const {
    throw InputError("node '" + node_->name + "' (" + node_->op + "): found " + found +
                     ", allowed are " + allowed);
  }

  [[nodiscard]] bool is_constant(const GraphNode& node) const {
    return std::ranges::all_of(node.outputs,
                               [&](const auto& t) { return !t || graph_.tensors[*t].constant; });
  }

  /// Channels, height and width of a batch of one; nothing for other shapes.
  [[nodiscard]] std::optional<Volume> volume(std::size_t t) const {
    if (of_file_) return (*of_file_)[t];
    const std::optional<Shape>& shape = graph_.tensors[t].shape;
    if (!shape || shape->size() < 2 || shape->size() > 4 || shape->front() != 1) {
      return std::nullopt;
    }
    Volume volume{(*shape)[1], 1, 1};
    if (shape->size() > 2) volume.width = shape->back();
    if (shape->size() == 4) volume.height = (*shape)[2];
    return volume;
  }

  void add_input() {
    std::vector<std::size_t> given;
    for (const std::size_t t : graph_.inputs) {
      if (!graph_.tensors[t].constant) given.push_back(t);
    }
    const auto shape = given.size() == 1 ? volume(given[0]) : std::nullopt;
    if (!shape) {
      throw InputError("graph '" + graph_.name + "': found " + std::to_string(given.size()) +
                       " inputs or one of unknown shape, allowed is one of shape [1, channels, "
                       "height, width]");
    }
    Node input;
    input.name = unique(graph_.tensors[given[0]].name);
    input.operation = "Input";
    input.op = Op::input;
    input.in = input.out = *shape;
    place_[given[0]] = 0;
    result_.nodes.push_back(std::move(input));
  }

  /// Names of nodes are distinct; only the input's could be that of a node.
  [[nodiscard]] std::string unique(std::string name) const {
    while (std::ranges::count(graph_.nodes, name, &GraphNode::name) > 0) name += "'";
    return name;
  }

  [[nodiscard]] std::vector<std::size_t> computed_inputs() const {
    std::vector<std::size_t> computed;
    for (const auto& t : node_->inputs) {
      if (t && !graph_.tensors[*t].constant) computed.push_back(*t);
    }
    return computed;
  }

  void add_node() {
    Node node;
    node.name = node_->name;
    node.operation = node_->op;
    const std::vector<std::size_t> inputs = computed_inputs();
    for (const std::size_t t : inputs) {
      if (!place_[t])
        refuse("the tensor '" + graph_.tensors[t].name + "'", "first outputs of nodes");
      node.from.push_back(*place_[t]);
    }
    if (inputs.empty()) refuse("no computed tensor that it reads", "one or more");
    node.in = known_volume(inputs[0]);
    node.out =
        node_->outputs.empty() || !node_->outputs[0] ? node.in : known_volume(*node_->outputs[0]);
    if (node_->layer) {
      read_layer(node);
    } else {
      read_operator(node);
    }
    if (!node_->outputs.empty() && node_->outputs[0]) {
      place_[*node_->outputs[0]] = result_.nodes.size();
    }
    result_.nodes.push_back(std::move(node));
  }

  [[nodiscard]] Volume known_volume(std::size_t t) const {
    const std::optional<Volume> known = volume(t);
    if (!known) {
      refuse("the tensor '" + graph_.tensors[t].name + "' of another or an unknown shape",
             "shapes [1, channels, height, width] and [1, channels]");
    }
    return *known;
  }

  void read_convolution(Node& node) const {
    const Workload& w = node_->layer->workload;
    if (w.dilation_w != 1 || w.dilation_h != 1) refuse("a dilated window", "dilation 1");
    node.op = Op::conv;
    node.vertical =
        axis(w.bound(Dim::S), w.stride_h, node_->layer->pad_top, node.in.height, node.out.height);
    node.horizontal =
        axis(w.bound(Dim::R), w.stride_w, node_->layer->pad_left, node.in.width, node.out.width);
  }

  void read_product(Node& node) const {
    const Workload& w = node_->layer->workload;
    node.op = Op::fc;
    node.in = {w.bound(Dim::C), 1, 1};
    node.out = {w.bound(Dim::K), 1, 1};
  }

  /// A layer of a network file: an FC if it is a product of one row, otherwise a Conv.
  void read_file_layer(Node& node) const {
    const Workload& w = node_->layer->workload;
    if (w.bound(Dim::N) != 1) {
      refuse("a batch of " + std::to_string(w.bound(Dim::N)), "layers of N 1");
    }
    if (w.bound(Dim::R) * w.bound(Dim::S) * w.bound(Dim::P) * w.bound(Dim::Q) == 1) {
      return read_product(node);
    }
    const std::int64_t channels = w.bound(Dim::G) * w.bound(Dim::C);
    if (channels != node.in.channels) {
      refuse(std::to_string(channels) + " input channels",
             std::to_string(node.in.channels) + ", those of the tensor that it reads");
    }
    read_convolution(node);
  }

  void read_layer(Node& node) const {
    const Workload& w = node_->layer->workload;
    if (node.from.size() != 1) {
      refuse("a product of two computed tensors", "products with a constant weight");
    }
    if (node_->op == kLayerOperator) return read_file_layer(node);
    if (is_one_of(kConvolutionNames, node_->op)) return read_convolution(node);
    const std::int64_t rows = w.bound(Dim::P) * w.bound(Dim::Q) * w.bound(Dim::N);
    if (!is_one_of(kProductNames, node_->op) || node_->layer->repetitions() != 1) {
      refuse("an operator that crossbars do not compute", "Conv, Gemm, MatMul");
    }
    if (rows != 1) refuse(std::to_string(rows) + " rows", "products of one row");
    read_product(node);
  }

  /// The border behind the input is what the last window needs.
  static WindowAxis axis(std::int64_t kernel, std::int64_t stride, std::int64_t before,
                         std::int64_t in, std::int64_t out) {
    const std::int64_t after = (out - 1) * stride + kernel - in - before;
    return {kernel, stride, before, std::max<std::int64_t>(0, after)};
  }

  void read_operator(Node& node) {
    if (operator_kind(node_->op) == OperatorKind::pooling) {
      read_pool(node);
    } else if (node_->op == "Concat") {
      node.op = Op::concat;
      node.in = node.out;
      if (node_->axis != 1) refuse("another axis than that of the channels", "axis 1");
      if (node.from.size() != node_->inputs.size()) refuse("a constant operand", "computed ones");
    } else if (node.from.size() > 1) {
      read_sum(node);
    } else {
      read_pass(node);
    }
  }

  void read_pool(Node& node) const {
    const bool whole = of_file_ && chip::is_global_pool(*node_);
    if ((!node_->pool && !whole) || node.from.size() != 1) {
      refuse("a window that is unknown, dilated, or with ceil_mode",
             "MaxPool and AveragePool in two dimensions, GlobalMaxPool, GlobalAveragePool");
    }
    node.op = Op::pool;
    if (whole) {
      node.vertical.kernel = node.in.height;
      node.horizontal.kernel = node.in.width;
      return;
    }
    const auto copy = [](const PoolAxis& axis) {
      return WindowAxis{axis.kernel, axis.stride, axis.before, axis.after};
    };
    node.vertical = copy((*node_->pool)[0]);
    node.horizontal = copy((*node_->pool)[1]);
  }

  void read_sum(Node& node) const {
    if (!is_one_of(kSumNames, node_->op)) {
      refuse("an operator of several computed tensors that is not known", "Add, Mul, Sum, Concat");
    }
    node.op = Op::eltwise;
    for (const std::size_t u : node.from) {
      if (result_.nodes[u].out != node.out) refuse("operands of different shapes", "equal ones");
    }
    if (node.from.size() != node_->inputs.size()) refuse("a constant operand", "computed ones");
  }

  void read_pass(Node& node) {
    node.op = Op::pass;
    if (node_->skipped) refuse("an operator that is not known", "operators that are");
    if (node.in != node.out) reshaping_.push_back(result_.nodes.size());
  }

  /// What changes channels, height and width is read by FCs only, or by what passes it to them.
  void check_reshaped() {
    const std::vector<std::vector<std::size_t>> readers = consumers(result_);
    while (!reshaping_.empty()) {
      const std::size_t v = reshaping_.back();
      reshaping_.pop_back();
      for (const std::size_t u : readers[v]) {
        const Node& reader = result_.nodes[u];
        if (reader.op == Op::fc) continue;
        if (reader.op == Op::pass) {
          reshaping_.push_back(u);
          continue;
        }
        throw InputError("node '" + result_.nodes[v].name + "' (" + result_.nodes[v].operation +
                         "): found another shape for '" + reader.name + "' (" + reader.operation +
                         "), allowed are operators that keep channels, height "
                         "and width, except before Gemm and MatMul");
      }
    }
  }

  const Graph& graph_;
  std::optional<std::vector<std::optional<Volume>>> of_file_;  // by tensor, of a network file
  std::vector<std::optional<std::size_t>> place_;              // by tensor: the node that makes it
  const GraphNode* node_ = nullptr;                            // the one that is read
  std::vector<std::size_t> reshaping_;                         // nodes that change shapes
  NodeGraph result_;
};

}  // namespace

NodeGraph node_graph(const Network& network) {
  if (!network.graph) {
    throw InputError("network '" + network.name +
                     "': found no graph, allowed are networks with one");
  }
  NodeGraph graph = NodeGraphBuilder(network).build();
  validate(graph);
  return graph;
}

}  // namespace pimbb::crossbar
