// Plans with agreeing layouts against exhaustive search: every mapping of every layer, every place
// of every tensor, every pass walked element by element.
#include <doctest/doctest.h>

#include <map>

#include "dram_pim/plan/exchange.hpp"
#include "dram_pim/plan/layout_relaxation.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/error.hpp"
#include "place_address.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;
using testkit::Choices;
using testkit::SolveOptions;

namespace {

using Values = std::vector<Fraction>;

/// The lesser of two lists, lexicographically; an empty one is infinite.
bool less(const Values& a, const Values& b) {
  if (a.empty() || b.empty()) return !a.empty();
  for (std::size_t g = 0; g < a.size(); ++g) {
    if (a[g] != b[g]) return a[g] < b[g];
  }
  return false;
}

Values sum(const Values& a, const Values& b) {
  if (a.empty() || b.empty()) return {};
  Values total = a;
  for (std::size_t g = 0; g < a.size(); ++g) total[g] += b[g];
  return total;
}

/// Graphs of up to three layers with planes of one size, made of layers and Adds. There are four
/// kinds; numbers above that make a fifth, in which two layers read the network's input.
class GraphMaker {
 public:
  explicit GraphMaker(Choices& choices) : choices_(choices) {
    height_ = choices.one_of<std::int64_t>({1, 1, 2});
    width_ = choices.one_of<std::int64_t>({2, 2, 3, 4});
    graph_.tensors.emplace_back().name = "input";
    graph_.inputs = {0};
  }

  Graph make(std::size_t kinds) {
    const std::int64_t a = channels();
    const std::int64_t b = channels();
    switch (choices_.pick(kinds)) {
      case 0: layer(layer(0, a, b), b, channels()); break;  // a chain
      case 1: {                                             // three in a chain
        const std::int64_t c = channels();
        layer(layer(layer(0, a, b), b, c), c, channels());
        break;
      }
      case 2: {  // a residual block and what reads it
        const std::size_t x = layer(0, a, b);
        layer(add(x, layer(x, b, b)), b, channels());
        break;
      }
      case 3: {  // a fork that is joined
        const std::size_t x = layer(0, a, b);
        const std::int64_t c = channels();
        const std::size_t left = layer(x, b, c);
        add(left, layer(x, b, c));
        break;
      }
      default: {  // a fork of the network's input
        layer(0, a, b);
        layer(0, a, channels());
      }
    }
    connect(graph_);
    return std::move(graph_);
  }

 private:
  std::int64_t channels() { return choices_.one_of<std::int64_t>({1, 2, 2, 3}); }

  std::size_t node(GraphNode node) {
    node.name = "n" + std::to_string(graph_.nodes.size());
    graph_.tensors.emplace_back().name = node.name;
    node.outputs.emplace_back(graph_.tensors.size() - 1);
    graph_.nodes.push_back(std::move(node));
    return graph_.tensors.size() - 1;
  }

  std::size_t layer(std::size_t from, std::int64_t c, std::int64_t k) {
    GraphLayer is;
    Workload& w = is.workload;
    w.name = "l" + std::to_string(graph_.nodes.size());
    w.bounds[index(Dim::C)] = c;
    w.bounds[index(Dim::K)] = k;
    w.bounds[index(Dim::P)] = width_;
    w.bounds[index(Dim::Q)] = height_;
    if (choices_.once_in(3)) {  // taps beside each other, and a border for them
      w.bounds[index(Dim::R)] = 2;
      is.pad_left = choices_.one_of<std::int64_t>({0, 1});
    }
    w.weight = choices_.one_of<std::int64_t>({1, 1, 2});
    GraphNode n;
    n.op = "Layer";
    n.layer = is;
    n.inputs = {from};
    return node(std::move(n));
  }

  std::size_t add(std::size_t a, std::size_t b) {
    GraphNode n;
    n.op = "Add";
    n.reason = "it multiplies no matrices";
    n.inputs = {a, b};
    return node(std::move(n));
  }

  Choices& choices_;
  Graph graph_;
  std::int64_t height_;
  std::int64_t width_;
};

struct Case {
  Architecture architecture;
  Objective objective;
  RowModel row_model = RowModel::trace;
  Network network;
};

Case random_case(std::uint64_t seed, std::size_t kinds = 4) {
  Choices choices(seed);
  testkit::Instance i =
      testkit::random_instance(choices, {.macs = 8, .levels = 4, .free_levels = 1});
  Case c;
  c.architecture = i.architecture;
  Architecture& a = c.architecture;
  for (MemoryLevel& level : a.levels) {  // something always fits
    if (level.capacity) level.capacity = std::max<std::int64_t>(*level.capacity, 12);
  }
  a.levels.back().capacity.reset();
  const std::int64_t row = choices.one_of<std::int64_t>({4, 6, 8});
  a.levels[a.row_buffer()].row_buffer_size = row;
  a.levels[a.row_buffer()].capacity = std::max<std::int64_t>(64, row);
  a.activation_energy = Rational::parse(choices.one_of<const char*>({"0", "0.5", "3"}));
  c.row_model = choices.one_of({RowModel::trace, RowModel::trace, RowModel::hybrid});
  c.objective = Objective::parse(choices.one_of<const char*>(
      {"latency", "energy", "activations", "blended", "latency,energy", "activations,latency"}));
  c.network.name = "net";
  c.network.graph = GraphMaker(choices).make(kinds);
  for (const GraphNode& n : c.network.graph->nodes) {
    if (n.layer) c.network.layers.push_back({n.layer->workload, 1});
  }
  return c;
}

/// A place as this test sees it: an address for every element, in the shared tensor's coordinates.
struct Place {
  bool aligned = false;
  bool shared_frame = false;
  LayoutBox box{1, 1, 1, 1};
  network::Placement is;
};

/// The exhaustive search.
class Exhaustion {
 public:
  explicit Exhaustion(const Case& c) : c_(c), a_(c.architecture), exchange_(a_, *c.network.graph) {
    for (std::size_t s = 0; s < exchange_.sides.size(); ++s) side_places_.push_back(places_of(s));
    for (const network::TensorGroup& shared : exchange_.shared) {
      shared_places_.push_back(places_of(shared));
    }
  }

  Values best() {
    std::vector<std::size_t> choice(exchange_.shared.size(), 0);
    Values least;
    while (true) {
      Values total(c_.objective.goals.size(), Fraction(0));
      for (std::size_t l = 0; l < exchange_.layers.size() && !total.empty(); ++l) {
        total = sum(total, layer(l, choice));
      }
      if (less(total, least)) least = total;
      std::size_t g = 0;
      while (g < choice.size() && ++choice[g] == shared_places_[g].size()) choice[g++] = 0;
      if (g == choice.size()) return least;
    }
  }

 private:
  static std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> all;
    for (std::int64_t d = 1; d <= n; ++d) {
      if (n % d == 0) all.push_back(d);
    }
    return all;
  }

  void add_boxes(network::Placement p, std::vector<Place>& places) const {
    p.layout = Layout::row_aligned;
    p.channels_last = false;
    for (const std::int64_t n : divisors(p.batch)) {
      for (const std::int64_t c : divisors(p.channels)) {
        for (const std::int64_t h : divisors(p.own.height)) {
          for (const std::int64_t w : divisors(p.own.width)) {
            if (n * c * h * w * p.element_units > a_.row_units()) continue;
            p.box = {n, c, h, w};
            p.frame = p.own;
            places.push_back({true, false, p.box, p});
          }
        }
      }
    }
  }

  std::vector<Place> places_of(std::size_t s) const {
    const network::ExchangeSide& side = exchange_.sides[s];
    const network::Placement& common = exchange_.shared[side.shared].place;
    network::Placement p = common;
    p.own = side.own;
    p.element_units = a_.element_units(side.tensor);
    std::vector<Place> places;
    if (is_free() && side.tensor == Tensor::input) {
      add_sequential(p, common, false, places);
      add_sequential(p, common, true, places);
    } else {
      add_sequential(p, common, side.tensor == Tensor::input && a_.input_order == InputOrder::nhwc,
                     places);
    }
    add_boxes(p, places);
    return places;
  }

  /// A side alone, and in the shared frame if that is somewhere else. Formulas do not see frames:
  /// for them a side is in the frame, unless it has chosen NHWC, which may be in either.
  void add_sequential(network::Placement p, const network::Placement& common, bool channels_last,
                      std::vector<Place>& places) const {
    p.channels_last = channels_last;
    p.frame = p.own;
    const bool can_share = p.element_units == common.element_units &&
                           (is_free() || channels_last == common.channels_last);
    const bool chosen = is_free() && channels_last;
    if (c_.row_model != RowModel::trace && can_share && !chosen) p.frame = common.frame;
    places.push_back({false, false, {1, 1, 1, 1}, p});
    if (!can_share || p.frame == common.frame) return;
    p.frame = common.frame;
    places.push_back({false, true, {1, 1, 1, 1}, p});
  }

  std::vector<Place> places_of(const network::TensorGroup& shared) const {
    std::vector<Place> places{{false, true, {1, 1, 1, 1}, shared.place}};
    if (is_free()) {
      places.push_back(places[0]);
      places[1].is.channels_last = true;
    }
    add_boxes(shared.place, places);
    return places;
  }

  bool is_free() const { return a_.input_order == InputOrder::free; }

  Values layer(std::size_t l, const std::vector<std::size_t>& choice) {
    const auto& in = exchange_.layers[l].input;
    const auto& out = exchange_.layers[l].output;
    const std::size_t inputs = in ? side_places_[*in].size() : 1;
    const std::size_t outputs = out ? side_places_[*out].size() : 1;
    Values least;
    for (std::size_t i = 0; i < inputs; ++i) {
      for (std::size_t o = 0; o < outputs; ++o) {
        Values value = solved(l, i, o);
        if (in) value = sum(value, pass(*in, i, choice));
        if (out) value = sum(value, pass(*out, o, choice));
        if (less(value, least)) least = value;
      }
    }
    return least;
  }

  /// The best mapping of a layer with its tensors in given places.
  const Values& solved(std::size_t l, std::size_t i, std::size_t o) {
    const auto [known, is_new] = solved_.try_emplace({l, i, o});
    if (!is_new) return known->second;
    const network::ExchangeLayer& layer = exchange_.layers[l];
    Workload w = layer.is->workload;
    std::array<const Place*, kTensors> place{};
    if (layer.input) place[0] = &side_places_[*layer.input][i];
    if (layer.output) place[2] = &side_places_[*layer.output][o];
    const auto frame = [](const Place& p) {
      return Frame{p.is.frame.height, p.is.frame.width, p.is.own.top - p.is.frame.top,
                   p.is.own.left - p.is.frame.left};
    };
    if (c_.row_model == RowModel::trace) {
      if (place[0] != nullptr && place[0]->shared_frame) w.input_frame = frame(*place[0]);
      if (place[2] != nullptr && place[2]->shared_frame) w.output_frame = frame(*place[2]);
    }
    oracle::Restriction part;
    part.layout = [&](const Mapping& m, Tensor t, const oracle::LayoutChoice& layout) {
      const Place* const p = place.at(index(t));
      if (p == nullptr) return true;
      if (layout.layout == Layout::sequential) {
        const bool chosen = is_free() && p->is.channels_last;
        return !p->aligned && layout.order == (chosen ? InputOrder::nhwc : InputOrder::nchw);
      }
      return p->aligned && layout_box(t, m.tile(a_.row_buffer()), layout.block) == p->box;
    };
    const auto best = oracle::brute_force(a_, w, c_.objective, c_.row_model, part);
    Values values = best.values;
    for (Fraction& value : values) value *= Fraction(w.weight);
    return known->second = values;
  }

  Values pass(std::size_t s, std::size_t own, const std::vector<std::size_t>& choice) {
    const network::ExchangeSide& side = exchange_.sides[s];
    const std::size_t common = choice[side.shared];
    const auto [known, is_new] = passes_.try_emplace({s, own, common});
    if (!is_new) return known->second;
    const network::Placement& mine = side_places_[s][own].is;
    const network::Placement& theirs = shared_places_[side.shared][common].is;
    const bool out = side.tensor == Tensor::output;
    return known->second = walked(out ? mine : theirs, out ? theirs : mine,
                                  exchange_.layers[side.layer].is->workload.weight);
  }

  Values walked(const network::Placement& from, const network::Placement& to,
                const Rational& weight) const {
    struct Move {
      std::int64_t to;
      std::int64_t from;
    };
    const std::int64_t row = a_.row_units();
    std::vector<Move> moves;
    bool same = from.layout == to.layout;
    for (std::int64_t n = 0; n < to.batch; ++n) {
      for (std::int64_t c = 0; c < to.channels; ++c) {
        for (std::int64_t h = to.own.top; h < to.own.top + to.own.height; ++h) {
          for (std::int64_t w = to.own.left; w < to.own.left + to.own.width; ++w) {
            if (h < from.own.top || h >= from.own.top + from.own.height || w < from.own.left ||
                w >= from.own.left + from.own.width) {
              continue;
            }
            moves.push_back({testkit::place_address(to, n, c, h, w, row),
                             testkit::place_address(from, n, c, h, w, row)});
          }
        }
      }
    }
    // The same place means the same layout, frame or box, not only addresses that coincide.
    if (from.layout == Layout::sequential) {
      same = same && from.frame == to.frame && from.channels_last == to.channels_last;
    } else {
      same = same && from.own == to.own && from.box == to.box;
    }
    same = same && from.element_units == to.element_units;
    if (same) return Values(c_.objective.goals.size(), Fraction(0));
    std::ranges::sort(moves, {}, &Move::to);
    std::int64_t source = 0;
    std::int64_t target = 0;
    std::int64_t open_source = -1;
    std::int64_t open_target = -1;
    for (const Move& move : moves) {
      source += move.from / row != open_source ? 1 : 0;
      target += move.to / row != open_target ? 1 : 0;
      open_source = move.from / row;
      open_target = move.to / row;
    }
    const MemoryLevel& rb = a_.levels[a_.row_buffer()];
    const auto count = static_cast<std::int64_t>(moves.size());
    const Fraction read = Fraction(count * from.element_units) / Fraction(a_.byte_units()) /
                              Fraction(rb.bandwidth(Tensor::input)) +
                          Fraction(source) * Fraction(a_.activation_cycles());
    const Fraction write = Fraction(count * to.element_units) / Fraction(a_.byte_units()) /
                               Fraction(rb.bandwidth(Tensor::output)) +
                           Fraction(target) * Fraction(a_.activation_cycles());
    const Fraction longer = read < write ? write : read;
    const Fraction latency = a_.shared_streams ? read + write : longer;
    const Fraction energy = Fraction(2 * count) * (Fraction(rb.access_cost) +
                                                   Fraction(a_.levels[a_.dram()].access_cost)) +
                            Fraction(source + target) * Fraction(a_.activation_energy);
    Values values;
    for (const Goal goal : c_.objective.goals) {
      Fraction value(source + target);
      if (goal == Goal::latency) value = latency;
      if (goal == Goal::energy) value = energy;
      if (goal == Goal::blended) {
        value = Fraction(c_.objective.alpha) * latency + Fraction(c_.objective.beta) * energy;
      }
      values.push_back(value * Fraction(weight));
    }
    return values;
  }

  const Case& c_;
  const Architecture& a_;
  network::Exchange exchange_;
  std::vector<std::vector<Place>> side_places_;
  std::vector<std::vector<Place>> shared_places_;
  std::map<std::array<std::size_t, 3>, Values> solved_;
  std::map<std::array<std::size_t, 3>, Values> passes_;
};

SolveOptions options_for(const Case& c) {
  SolveOptions options;
  options.objective = c.objective;
  options.row_model = c.row_model;
  options.threads = 1;
  return options;
}

Values values_of(const LayoutPlan& plan) {
  Values values;
  for (const GoalResult& goal : plan.goals) values.emplace_back(goal.value);
  return values;
}

/// Whether the layers cost what their mappings cost, and the plan what its layers and copies cost.
bool adds_up(const Case& c, const LayoutPlan& plan) {
  Rational activations;
  for (const PlannedLayer& layer : plan.layers) {
    const Metrics& said = *layer.solution.metrics;
    const Metrics real =
        evaluate(c.architecture, layer.workload, *layer.solution.mapping, c.row_model);
    if (real.latency != said.latency || real.row_activations != said.row_activations) return false;
    activations += layer.workload.weight *
                   (real.activations() + layer.before.activations + layer.after.activations);
  }
  return activations == plan.totals.activations;
}

}  // namespace

TEST_CASE("a plan with agreeing layouts is the best of all: chains, residual adds, forks") {
  const std::uint64_t first = testkit::first_seed(0);
  for (std::uint64_t seed = first; seed < first + testkit::cases(30); ++seed) {
    CAPTURE(seed);
    const Case c = random_case(seed);
    const Values best = Exhaustion(c).best();
    const LayoutPlan plan = plan_layouts(c.architecture, c.network, options_for(c));
    if (best.empty()) {
      CHECK(plan.status == Status::infeasible);
      continue;
    }
    REQUIRE(plan.status == Status::optimal);
    for (std::size_t g = 0; g < best.size(); ++g) {
      CHECK(Fraction(plan.goals[g].value) == best[g]);
      CHECK(plan.goals[g].bound == plan.goals[g].value);
    }
    CHECK(!(plan.goals[0].value < plan.alone[0]));
    CHECK(!(plan.reconciled[0] < plan.goals[0].value));
    CHECK(adds_up(c, plan));
  }
}

TEST_CASE("with a free order of inputs a plan is the best of all, and no fixed order has a better" *
          doctest::skip(testkit::slow_build())) {
  std::size_t shared = 0;
  std::size_t better = 0;
  const std::uint64_t first = testkit::first_seed(2'200'000);
  const std::size_t count = testkit::cases(60);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    Case c = random_case(seed, seed % 2 == 0 ? 9 : 5);
    c.architecture.input_order = InputOrder::free;
    const Values best = Exhaustion(c).best();
    const LayoutPlan plan = plan_layouts(c.architecture, c.network, options_for(c));
    if (best.empty()) {
      CHECK(plan.status == Status::infeasible);
      continue;
    }
    REQUIRE(plan.status == Status::optimal);
    if (values_of(plan) != best) {
      for (auto& v : values_of(plan)) fprintf(stderr, "have %s ", v.to_string().c_str());
      for (auto& v : best) fprintf(stderr, "best %s ", v.to_string().c_str());
      fprintf(stderr, "%s model %d\n", options_for(c).objective.to_string().c_str(),
              (int)options_for(c).row_model);
    }
    CHECK(values_of(plan) == best);
    CHECK(adds_up(c, plan));
    bool worse = true;
    for (const InputOrder order : {InputOrder::nchw, InputOrder::nhwc}) {
      Case fixed = c;
      fixed.architecture.input_order = order;
      const Values other =
          values_of(plan_layouts(fixed.architecture, fixed.network, options_for(fixed)));
      CHECK(!less(other, best));
      worse = worse && less(best, other);
    }
    better += worse ? 1 : 0;
    shared += std::ranges::count(plan.shared, InputOrder::nhwc, &SharedTensor::order);
  }
  CHECK((count < 60 || (better > 0 && shared > 0)));
}

TEST_CASE("a plan of least EDP is the best of all under its own tangent, and no blend has less" *
          doctest::skip(testkit::slow_build())) {
  const std::uint64_t first = testkit::first_seed(1'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(8); ++seed) {
    CAPTURE(seed);
    Case c = random_case(seed);
    SolveOptions options = options_for(c);
    options.objective = Objective::parse("edp");
    const LayoutPlan plan = plan_layouts(c.architecture, c.network, options);
    if (plan.status == Status::infeasible) continue;
    REQUIRE(plan.status == Status::optimal);
    CHECK(plan.goals[0].value == plan.totals.latency * plan.totals.energy);
    if (plan.goals[0].value.sign() == 0) continue;
    c.objective = Objective::parse("blended");
    c.objective.alpha = plan.totals.energy;
    c.objective.beta = plan.totals.latency;
    CHECK(Exhaustion(c).best()[0] == Fraction(Rational(2) * plan.goals[0].value));
    for (const int beta : {0, 1, 7}) {
      options.objective = c.objective;
      options.objective.alpha = 1;
      options.objective.beta = beta;
      const LayoutPlan other = plan_layouts(c.architecture, c.network, options);
      CHECK(!(other.totals.edp() < plan.goals[0].value));
    }
  }
}

TEST_CASE("limits: a plan of least EDP is proven only if it is the least, and the bound holds") {
  const std::uint64_t first = testkit::first_seed(3'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(6); ++seed) {
    CAPTURE(seed);
    const Case c = random_case(seed);
    SolveOptions options = options_for(c);
    options.objective = Objective::parse("edp");
    options.threads = 2;
    const LayoutPlan best = plan_layouts(c.architecture, c.network, options);
    if (best.status != Status::optimal) continue;
    for (double seconds = 0.0001; seconds < 0.05; seconds *= 3) {
      CAPTURE(seconds);
      options.time_limit = seconds;
      const LayoutPlan plan = plan_layouts(c.architecture, c.network, options);
      if (plan.goals.empty()) continue;
      CHECK(plan.goals[0].bound <= best.goals[0].value);
      CHECK(plan.goals[0].value >= best.goals[0].value);
      CHECK((plan.status != Status::optimal || plan.goals[0].value == best.goals[0].value));
    }
  }
}

TEST_CASE("a plan is made in the same rounds, whatever the number of threads") {
  const std::uint64_t first = testkit::first_seed(4'000'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(20); ++seed) {
    CAPTURE(seed);
    const Case c = random_case(seed);
    SolveOptions options = options_for(c);
    if (seed % 3 == 0) options.objective = Objective::parse("edp");
    options.threads = 1;
    const LayoutPlan alone = plan_layouts(c.architecture, c.network, options);
    for (const int threads : {2, 4}) {
      options.threads = threads;
      const LayoutPlan plan = plan_layouts(c.architecture, c.network, options);
      CHECK(plan.status == alone.status);
      CHECK(plan.rounds == alone.rounds);
      CHECK(plan.solves == alone.solves);
      REQUIRE(plan.layers.size() == alone.layers.size());
      for (std::size_t l = 0; l < plan.layers.size(); ++l) {
        CHECK(plan.layers[l].solution.mapping == alone.layers[l].solution.mapping);
        CHECK(plan.layers[l].solution.nodes == alone.layers[l].solution.nodes);
      }
    }
  }
}

TEST_CASE(
    "what a relaxation is told is supposed until it is confirmed, and forgotten if it is not") {
  const std::uint64_t first = testkit::first_seed(5'000'000);
  std::size_t changed = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const Case c = random_case(seed);
    const SolveOptions options = options_for(c);
    const std::size_t goals = options.objective.goals.size();
    network::Passes passes(c.architecture);
    network::LayoutSpace space(c.architecture, *c.network.graph, options, passes);
    network::LayoutRelaxation relaxation(c.architecture, space, goals);
    network::LayoutRelaxation told(c.architecture, space, goals);
    // Layer after layer is supposed to cost something; the first layers turn out to do so.
    const auto tell = [&](network::LayoutRelaxation& to, std::size_t step) {
      const auto least = to.least();
      const std::size_t l = step % least.layers.size();
      const search::Value cost(std::vector<Rational>(goals, Rational(std::int64_t{3} << step)));
      to.solved(l, least.layers[l], nullptr, cost);
    };
    const std::size_t steps = 4;
    const std::size_t confirmed = seed % steps;
    for (std::size_t step = 0; step < steps; ++step) {
      relaxation.suppose();
      tell(relaxation, step);
    }
    const search::Value supposed = relaxation.least().value;
    for (std::size_t step = 0; step < confirmed; ++step) {
      relaxation.confirm();
      tell(told, step);
    }
    relaxation.retract();
    const auto left = relaxation.least();
    const auto expected = told.least();
    REQUIRE(left.value == expected.value);
    CHECK(left.shared == expected.shared);
    for (std::size_t l = 0; l < left.layers.size(); ++l) {
      CHECK(left.layers[l].input == expected.layers[l].input);
      CHECK(left.layers[l].output == expected.layers[l].output);
      CHECK(left.layers[l].tries == expected.layers[l].tries);
      CHECK(left.layers[l].bound == expected.layers[l].bound);
      CHECK(left.layers[l].room == expected.layers[l].room);
    }
    if (left.value < supposed) ++changed;
  }
  CHECK(changed > 0);
}

TEST_CASE("what a plan needs and does not take") {
  Case c = random_case(1);
  SolveOptions options = options_for(c);
  options.objective = Objective::parse("edp,latency");
  CHECK_THROWS_WITH_AS(static_cast<void>(plan_layouts(c.architecture, c.network, options)),
                       doctest::Contains("edp"), InputError);
  options = options_for(c);
  options.method = Method::greedy;
  CHECK_THROWS_AS(static_cast<void>(plan_layouts(c.architecture, c.network, options)), InputError);
  c.network.graph.reset();
  CHECK_THROWS_WITH_AS(static_cast<void>(plan_layouts(c.architecture, c.network, options_for(c))),
                       doctest::Contains("graph"), InputError);
}
