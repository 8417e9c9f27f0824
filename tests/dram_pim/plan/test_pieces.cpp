// The pieces of a plan one by one, on networks of a few elements: which tensors are one, where
// their parts lie, what layers are asked for, and how plans are improved. Figures by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

#include "dram_pim/plan/incumbents.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/error.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using network::Cell;
using network::CellCut;
using network::Exchange;
using network::LayerAnswer;
using network::LayoutRelaxation;
using network::LayoutSpace;
using network::Rectangle;

namespace {

/// Rows of eight elements, and room for every tensor of these tests in each level.
Architecture roomy() {
  Architecture a;
  for (const char* name : {"PE", "GB", "RB", "DRAM"}) {
    MemoryLevel& level = a.levels.emplace_back();
    level.name = name;
    level.capacity = 256;
  }
  a.levels[2].row_buffer_size = 8;
  a.levels[3].capacity.reset();
  return a;
}

/// Layers and element-wise operators, added one after the other.
struct Net {
  Net() { tensor("input"); }

  std::size_t tensor(const std::string& name) {
    is.tensors.emplace_back().name = name;
    return is.tensors.size() - 1;
  }
  std::size_t node(GraphNode node) {
    node.name = "n" + std::to_string(is.nodes.size());
    const std::size_t out = tensor("of " + node.name);
    node.outputs = {out};
    is.nodes.push_back(std::move(node));
    return out;
  }
  std::size_t layer(std::size_t from, const GraphLayer& layer) {
    GraphNode n;
    n.op = "Layer";
    n.layer = layer;
    n.inputs = {from};
    return node(std::move(n));
  }
  std::size_t add(std::size_t a, std::size_t b) {
    GraphNode n;
    n.op = "Add";
    n.inputs = {a, b};
    return node(std::move(n));
  }

  Graph is;
};

/// A layer of planes of 2 x 2: `c` channels, `k` of them made; `taps` beside each other.
GraphLayer of_planes(std::int64_t c, std::int64_t k, std::int64_t taps = 1,
                     std::int64_t pad_left = 0) {
  GraphLayer layer;
  layer.workload.bounds = {taps, 1, 2, 2, c, k, 1, 1};
  layer.pad_left = pad_left;
  return layer;
}

GraphLayer with_groups(std::int64_t groups) {
  GraphLayer layer = of_planes(1, 1);
  layer.workload.bounds[index(Dim::G)] = groups;
  return layer;
}

Question activations() {
  Question question;
  question.objective = Objective::parse("activations");
  return question;
}

LayoutRange only(Layout layout) {
  LayoutRange range;
  range.row_aligned = layout == Layout::row_aligned;
  range.sequential = range.channels_last = !range.row_aligned;
  return range;
}

/// What searches for a plan share, and the layers' answers in given layouts.
struct Plan {
  explicit Plan(const Graph& graph, Question asked = activations())
      : question(std::move(asked)),
        space(a, graph, question, passes),
        costs(a, question, limits, clock, layers),
        relaxation(a, space, question.objective.goals.size()),
        incumbents(space, costs, relaxation, clock, question.objective.goals.size()) {}

  LayoutRelaxation::CellPick alone(std::size_t layer, const LayoutRange& input,
                                   const LayoutRange& output) {
    return {.answer = costs.answers({{space.workload(layer), input, output, {}}}).front()};
  }
  [[nodiscard]] Rational value(const network::Candidate& c) const { return c.value.goals()[0]; }

  Architecture a = roomy();
  Question question;
  RunLimits limits{.threads = 1};
  run::Clock clock{limits};
  mapper::LayerStore layers{std::uint64_t{1} << 30};
  network::Passes passes{a};
  LayoutSpace space;
  network::LayerCosts costs;
  LayoutRelaxation relaxation;
  network::Incumbents incumbents;
};

}  // namespace

TEST_CASE("element-wise operators join tensors of one shape; what they broadcast is another one") {
  Net net;
  const std::size_t x = net.layer(0, of_planes(1, 2));
  const std::size_t scale = net.layer(0, of_planes(1, 2));
  const std::size_t sum = net.add(x, scale);
  net.layer(sum, of_planes(2, 1));
  for (const std::size_t t : {x, sum}) net.is.tensors[t].shape = Shape{1, 2, 2, 2};
  net.is.tensors[scale].shape = Shape{1, 2, 1, 1};
  connect(net.is);
  const Exchange exchange(roomy(), net.is);
  REQUIRE(exchange.shared.size() == 2);  // the input, which two layers read, and the sum
  CHECK(exchange.shared[0].tensors == std::vector<std::size_t>{0});
  CHECK(exchange.shared[1].tensors == std::vector<std::size_t>{x, sum});
  CHECK(!exchange.layers[1].output);
}

TEST_CASE("parts of a tensor lie where borders put them") {
  Net net;
  const std::size_t x = net.layer(0, of_planes(1, 2));
  GraphLayer reader = of_planes(2, 1, 3, 1);
  reader.workload.bounds[index(Dim::S)] = 2;
  reader.pad_top = 1;
  net.layer(x, reader);
  net.layer(0, of_planes(1, 1, 3, 2));
  connect(net.is);
  const Exchange exchange(roomy(), net.is);
  REQUIRE(exchange.shared.size() == 2);
  const network::Placement& input = exchange.shared[0].place;  // nobody writes it
  CHECK(input.own == Rectangle{0, -2, 2, 4});
  CHECK(input.frame == input.own);
  const network::Placement& between = exchange.shared[1].place;
  CHECK(between.own == Rectangle{0, 0, 2, 2});
  CHECK(between.frame == Rectangle{-1, -1, 3, 4});
  CHECK(between.channels == 2);
  CHECK(exchange.sides[*exchange.layers[0].output].own == between.own);
  CHECK(exchange.sides[*exchange.layers[1].input].own == between.frame);
}

TEST_CASE("a tensor has two orders where that is free, a layer reads it, and they differ") {
  const auto has_orders = [](InputOrder order, const GraphLayer& writer, const GraphLayer* reader) {
    Net net;
    const std::size_t x = net.layer(0, writer);
    net.add(x, net.layer(0, writer));
    if (reader != nullptr) net.layer(x, *reader);
    connect(net.is);
    Architecture a = roomy();
    a.input_order = order;
    const Question question;
    network::Passes passes(a);
    const LayoutSpace space(a, net.is, question, passes);
    const std::size_t written = space.exchange().shared.size() - 1;  // after the input, in order
    REQUIRE(space.exchange().shared[written].sides.size() == (reader != nullptr ? 3 : 2));
    CHECK(space.orders(written).size() == (space.has_orders(written) ? 2 : 1));
    return space.has_orders(written);
  };
  const GraphLayer two = of_planes(1, 2);
  const GraphLayer reads_two = of_planes(2, 1);
  CHECK(has_orders(InputOrder::free, two, &reads_two));
  CHECK(!has_orders(InputOrder::nchw, two, &reads_two));
  CHECK(!has_orders(InputOrder::nhwc, two, &reads_two));
  CHECK(!has_orders(InputOrder::free, two, nullptr));
  const GraphLayer one = of_planes(1, 1);
  CHECK(!has_orders(InputOrder::free, one, &one));
  GraphLayer dot = two;
  GraphLayer reads_dot = reads_two;
  for (GraphLayer* layer : {&dot, &reads_dot}) {
    layer->workload.bounds[index(Dim::P)] = layer->workload.bounds[index(Dim::Q)] = 1;
  }
  CHECK(!has_orders(InputOrder::free, dot, &reads_dot));
  for (const Dim side : {Dim::P, Dim::Q}) {
    GraphLayer line = dot;
    GraphLayer reads_line = reads_dot;
    line.workload.bounds[index(side)] = reads_line.workload.bounds[index(side)] = 2;
    CHECK(has_orders(InputOrder::free, line, &reads_line));
  }
}

TEST_CASE("a layer is solved again only for a higher limit than one that it exceeds") {
  Net net;
  net.layer(net.layer(0, of_planes(1, 2)), of_planes(2, 1));
  connect(net.is);
  Plan plan(net.is);
  const Workload& w = plan.space.workload(0);
  const Rational least = solve(plan.a, w, plan.question, plan.limits).goals[0].value;
  const auto asked = [&](const std::optional<Rational>& at_most) {
    return network::LayerQuestion{w, {}, {}, at_most};
  };
  const LayerAnswer* answer = plan.costs.answers({asked(least - 2)}).front();
  CHECK(!answer->settled());
  CHECK(answer->bound.goals()[0] == least - 2);
  CHECK(plan.costs.solves() == 1);
  plan.costs.answers({asked(least - 2)});
  plan.costs.answers({asked(least - 3)});
  CHECK(plan.costs.solves() == 1);
  plan.costs.answers({asked(least - 3), asked(least - 1), asked(least - 2)});  // one solve
  CHECK(plan.costs.solves() == 2);
  CHECK(!answer->settled());
  CHECK(answer->bound.goals()[0] == least - 1);
  CHECK(plan.costs.answers({asked(least - 1), asked({})}).back() == answer);
  CHECK(plan.costs.solves() == 3);
  CHECK(answer->settled());
  CHECK(answer->bound.goals()[0] == least);
  plan.costs.answers({asked({}), asked(least + 1)});
  CHECK(plan.costs.solves() == 3);
}

// The writer may use its own plane or the frame of the reader's borders.
TEST_CASE("a layer has room up to the next pair of cells") {
  Net net;
  net.layer(net.layer(0, of_planes(1, 2)), of_planes(2, 1, 9, 8));
  connect(net.is);
  Plan plan(net.is);
  const std::size_t side = *plan.space.exchange().layers[0].output;
  REQUIRE(plan.relaxation.side(side).size() == 2);
  LayoutRelaxation::RelaxedPlan least = plan.relaxation.least();
  CHECK(least.layers[1].room == std::nullopt);  // its plane is the frame: one cell
  std::array<Rational, 2> bounds;
  for (const std::int64_t bound : {2, 50, 60, 90}) {
    const LayoutRelaxation::CellPick pick = least.layers[0];
    const auto value = [&](std::size_t cell) {
      const Cell& common = plan.relaxation.shared(0)[least.shared[0]];
      return bounds.at(cell) +
             plan.space.least_pass(side, plan.relaxation.side(side)[cell], common).goals()[0];
    };
    CHECK(pick.bound == bounds.at(pick.output));
    REQUIRE(pick.room);
    CHECK(*pick.room == value(1 - pick.output) - value(pick.output));
    LayerAnswer answer;  // more than that
    answer.bound = search::Value({Rational(bound)});
    plan.relaxation.solved(0, pick, answer);
    bounds.at(pick.output) = bound;
    least = plan.relaxation.least();
  }
}

// A writer of planes of 2 x 2, and two readers with borders of eight columns on either side. In the
// common frame of 18 columns the four lines of two elements lie in rows 1, 3, 5 and 7, in the
// readers' planes of 10 columns in four rows each too, and in a single box in one.
TEST_CASE("a plan takes the place that the relaxation proposes, if it is the best") {
  Net net;
  const std::size_t x = net.layer(0, of_planes(1, 2));
  net.layer(x, of_planes(2, 1, 9, 8));
  net.layer(x, of_planes(2, 1, 9, 0));
  connect(net.is);
  Plan plan(net.is);
  const LayoutRange sequential = only(Layout::sequential);
  LayoutRelaxation::RelaxedPlan least;
  Rational layers;
  for (std::size_t l = 0; l < 3; ++l) {
    least.layers.push_back(plan.alone(l, sequential, sequential));
    layers += least.layers[l].answer->solution.goals[0].value;
  }
  REQUIRE(plan.space.exchange().shared.size() == 1);
  REQUIRE(plan.relaxation.shared(0).size() == 2);
  least.shared = {0};  // sequential in the frame
  network::Candidate c = plan.incumbents.take(least);
  CHECK(c.shared[0].layout == Layout::sequential);
  CHECK(c.passes.goals()[0] == (1 + 4) + (4 + 4) + (4 + 4));
  CHECK(plan.value(c) == layers + 21);
  least.shared = {1};  // any box is no proposal
  CHECK(plan.value(plan.incumbents.take(least)) == layers + 21);
  for (std::size_t axis = 1; axis < 4; ++axis) {  // n is one
    plan.relaxation.split_shared(0, least.shared[0],
                                 {.by = CellCut::By::axis, .axis = axis, .last = 1});
    least.shared[0] = plan.relaxation.shared(0).size() - 1;
  }
  c = plan.incumbents.take(least);
  CHECK(c.shared[0].layout == Layout::row_aligned);
  CHECK(c.shared[0].box == LayoutBox{1, 2, 2, 2});
  CHECK(c.passes.goals()[0] == (1 + 1) + (1 + 4) + (1 + 4));
  CHECK(plan.value(plan.incumbents.best()) == layers + 12);
}

// One of two layers has groups, so that its tensors are sequential. The other one begins with a row
// for every element, and has to give that up.
TEST_CASE("a layer moves to the place that another one needs") {
  for (const bool writer_moves : {true, false}) {
    CAPTURE(writer_moves);
    Net net;
    if (writer_moves) {
      net.layer(net.layer(0, of_planes(1, 2)), with_groups(2));
    } else {
      net.layer(net.layer(0, with_groups(2)), of_planes(2, 1));
    }
    connect(net.is);
    Plan plan(net.is);
    LayoutRange ones = only(Layout::row_aligned);
    ones.most = {1, 1, 1, 1};
    const LayoutRange sequential = only(Layout::sequential);
    LayoutRelaxation::RelaxedPlan least;
    least.layers = {plan.alone(0, {}, writer_moves ? ones : sequential),
                    plan.alone(1, writer_moves ? sequential : ones, {})};
    for (const auto& pick : least.layers) REQUIRE(pick.answer->settled());
    least.shared = {0};
    plan.incumbents.begin(least.layers);
    const network::Candidate now = plan.incumbents.take(least);
    const Network network{"net", {}, net.is};
    const LayoutPlan best = plan_layouts(plan.a, network, plan.question, plan.limits);
    REQUIRE(best.status == Status::optimal);
    for (int time = 1; time < 4; ++time) plan.incumbents.improve(least, now);
    CHECK(best.goals[0].value < plan.value(plan.incumbents.best()));
    plan.incumbents.improve(least, now);  // only now
    CHECK(plan.value(plan.incumbents.best()) == best.goals[0].value);
  }
}
