// The plan of least cost, by a relaxation that is refined where it was too kind.
//
// The relaxation (layout_relaxation.hpp) bounds every plan from below and picks a mapping for each
// layer. These have real places. Each shared tensor takes the best of the places that its layers
// have, passes are counted for real, and the sum is a plan: an upper bound. Where real passes cost
// more than the relaxation said, the cells involved are split, and it is solved again. Cells shrink
// to single places, where its costs are exact; so this ends, with both bounds equal.
#include "network/plan_sums.hpp"

#include <algorithm>
#include <chrono>

#include "network/layout_relaxation.hpp"

namespace pimbb {
namespace network {
namespace {

using Pick = LayoutRelaxation::Pick;

/// A plan with real places.
struct Candidate {
  std::vector<Pick> layers;
  std::vector<Placement> sides;  ///< as the mappings have them
  std::vector<Placement> shared;
  Value value;
  Value passes;
};

class Planner {
 public:
  Planner(const Architecture& a, const Graph& graph, const SolveOptions& options)
      : options_(options),
        space_(a, graph, options),
        exchange_(space_.exchange()),
        costs_(a, options),
        relaxation_(a, space_, options.objective.goals.size()),
        zero_(std::vector<Rational>(options.objective.goals.size())) {}

  LayoutPlan run() {
    if (solve_alone()) {
      while (true) {
        ++plan_.rounds;
        LayoutRelaxation::Least least = relaxation_.least();
        if (least.value.infinite()) break;
        if (bound_ < least.value) bound_ = least.value;
        report();
        if (best_ && !(bound_ < best_->value)) break;
        if (stopped()) break;
        if (solve_picked(least)) continue;
        keep(candidate(least.layers, least.shared));
        if (!(bound_ < best_->value) || !refine(least)) break;
      }
      finish();
    }
    plan_.solves = costs_.solves();
    plan_.seconds = seconds();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() ||
           (options_.time_limit && seconds() >= *options_.time_limit);
  }

  void report() const {
    if (!options_.on_progress) return;
    Progress line;
    line.goal = options_.objective.goals[0];
    if (best_) line.incumbent = best_->value.goals()[0].to_double();
    line.bound = bound_.goals()[0].to_double();
    line.nodes = costs_.solves();
    line.seconds = seconds();
    options_.on_progress(line);
  }

  const LayerAnswer& solve(std::size_t layer, const Pick& cells) {
    const ExchangeLayer& l = exchange_.layers[layer];
    const Cell& input = relaxation_.input_cell(layer, cells.input);
    const Cell& output = relaxation_.output_cell(layer, cells.output);
    const double left = options_.time_limit ? *options_.time_limit - seconds() : 0;
    return costs_.answer(space_.framed(layer, input.framed, output.framed),
                         l.input ? space_.range_of(*l.input, input) : LayoutRange{},
                         l.output ? space_.range_of(*l.output, output) : LayoutRange{}, left);
  }

  /// Every layer as if it were the only one; false if one of them has no mapping, or none yet.
  bool solve_alone() {
    std::vector<Pick> alone;
    Value sum = zero_;
    for (std::size_t l = 0; l < exchange_.layers.size(); ++l) {
      Pick pick;
      const LayerAnswer& answer = solve(l, pick);
      const Solution& solution = answer.solution;
      if (!solution.mapping) {
        plan_.status = solution.status;
        plan_.reason = "layer '" + space_.workload(l).name + "': " + solution.reason;
        return false;
      }
      relaxation_.solved(l, pick, answer);
      pick.answer = &answer;
      alone.push_back(pick);
      sum += layer_value(l, solution);
      report();
    }
    keep(candidate(alone, {}));
    plan_.alone = sum.goals();
    plan_.reconciled = best_->value.goals();
    for (std::size_t l = 0; l < alone.size(); ++l) add_layer(l, plan_.reconciled_totals);
    plan_.layers.clear();
    for (std::size_t l = 0; l < alone.size(); ++l) {
      const Metrics& m = *alone[l].answer->solution.metrics;
      plan_.alone_totals.latency += space_.times(l) * m.latency;
      plan_.alone_totals.energy += space_.times(l) * m.energy;
      plan_.alone_totals.activations += space_.times(l) * m.activations();
    }
    plan_.alone_totals.macs = plan_.reconciled_totals.macs;
    return true;
  }

  [[nodiscard]] Value layer_value(std::size_t layer, const Solution& solution) const {
    std::vector<Rational> goals;
    for (const GoalResult& goal : solution.goals) {
      goals.push_back(goal.value * space_.times(layer));
    }
    return Value(std::move(goals));
  }

  /// Solves what the relaxation picked; whether there was anything left to solve.
  bool solve_picked(LayoutRelaxation::Least& least) {
    bool any = false;
    for (std::size_t l = 0; l < least.layers.size() && !stopped(); ++l) {
      if (least.layers[l].answer != nullptr) continue;
      relaxation_.solved(l, least.layers[l], solve(l, least.layers[l]));
      any = true;
    }
    return any;
  }

  /// Of a layer's tensor in its mapping.
  [[nodiscard]] Placement place_of(std::size_t s, const Pick& pick) const {
    const Side& side = exchange_.sides[s];
    const Mapping& m = *pick.answer->solution.mapping;
    const bool input = side.tensor == Tensor::input;
    const Cell& cell = input ? relaxation_.input_cell(side.layer, pick.input)
                             : relaxation_.output_cell(side.layer, pick.output);
    const Layout layout = m.layout[index(side.tensor)];
    return space_.side_place(s, cell.framed, layout,
                             layout_box(side.tensor, m.tile(m.levels.size() - 2), m.input_block));
  }

  /// The picked mappings, each shared tensor in the best of the places that its layers have, or
  /// that was picked for it.
  Candidate candidate(const std::vector<Pick>& layers, const std::vector<std::size_t>& shared) {
    Candidate c{layers, {}, {}, zero_, zero_};
    for (std::size_t l = 0; l < layers.size(); ++l) {
      c.value += layer_value(l, layers[l].answer->solution);
    }
    for (std::size_t s = 0; s < exchange_.sides.size(); ++s) {
      c.sides.push_back(place_of(s, layers[exchange_.sides[s].layer]));
    }
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      std::vector<Placement> places{space_.shared_place(g, Layout::sequential, {})};
      for (const std::size_t s : exchange_.shared[g].sides) {
        if (c.sides[s].layout != Layout::row_aligned) continue;
        const Placement boxes = space_.shared_place(g, Layout::row_aligned, c.sides[s].box);
        if (c.sides[s].agrees(boxes)) places.push_back(boxes);
      }
      if (!shared.empty()) {
        const Cell& cell = relaxation_.shared(g)[shared[g]];
        if (cell.is_single()) places.push_back(single_place(g, cell));
      }
      Value least;
      for (const Placement& place : places) {
        Value sum = zero_;
        for (const std::size_t s : exchange_.shared[g].sides)
          sum += pass_value(s, c.sides[s], place);
        if (!(sum < least)) continue;
        least = std::move(sum);
        if (c.shared.size() == g) c.shared.emplace_back();
        c.shared[g] = place;
      }
      c.passes += least;
    }
    c.value += c.passes;
    return c;
  }

  [[nodiscard]] Placement single_place(std::size_t g, const Cell& cell) const {
    return space_.shared_place(g, cell.range.sequential ? Layout::sequential : Layout::row_aligned,
                               cell.range.least);
  }

  Value pass_value(std::size_t s, const Placement& own, const Placement& shared) {
    return space_.value_of(space_.pass(s, own, shared), space_.times(exchange_.sides[s].layer));
  }

  void keep(Candidate c) {
    if (!best_ || c.value < best_->value) best_ = std::move(c);
  }

  /// Splits cells whose places differ though the relaxation let them meet, or whose pass costs more
  /// than it said. Whether there were any.
  bool refine(const LayoutRelaxation::Least& least) {
    bool any = false;
    const Candidate now = candidate(least.layers, least.shared);
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      const std::size_t common = least.shared[g];
      bool split_common = false;
      LayoutBox here{1, 1, 1, 1};
      LayoutBox there = here;
      for (const std::size_t s : exchange_.shared[g].sides) {
        const Side& side = exchange_.sides[s];
        const Pick& pick = least.layers[side.layer];
        const std::size_t own = side.tensor == Tensor::input ? pick.input : pick.output;
        const Cell& cell = relaxation_.side(s)[own];
        const Cell& meets = relaxation_.shared(g)[common];
        const Value real =
            pass_value(s, now.sides[s], meets.is_single() ? single_place(g, meets) : now.shared[g]);
        if (!(space_.least_pass(s, cell, meets) < real)) continue;
        const LayoutBox box = now.sides[s].box;
        const LayoutBox other = different_box(now, g, s);
        if (!meets.is_single()) {
          split_common = true;
          here = box;
          there = other;
        }
        if (!cell.is_single()) {
          const bool to_sequential = meets.is_single() && meets.range.sequential;
          relaxation_.split_side(
              s, own,
              to_sequential ? space_.cut_by_pass(s, cell, box) : cut_between(cell, box, other));
          any = true;
        }
      }
      if (split_common) {
        const Cell& cell = relaxation_.shared(g)[common];
        relaxation_.split_shared(g, common,
                                 cut_between(cell, inside(cell, here), inside(cell, there)));
        any = true;
      }
    }
    return any;
  }

  /// A box that another user of a shared tensor has, other than that of side `s` if there is one.
  [[nodiscard]] LayoutBox different_box(const Candidate& c, std::size_t g, std::size_t s) const {
    if (c.shared[g].layout == Layout::row_aligned && c.shared[g].box != c.sides[s].box) {
      return c.shared[g].box;
    }
    for (const std::size_t other : exchange_.shared[g].sides) {
      const Placement& place = c.sides[other];
      if (place.layout == Layout::row_aligned && place.box != c.sides[s].box) return place.box;
    }
    return c.sides[s].box;
  }

  /// The box of a cell that is next to a given one.
  [[nodiscard]] static LayoutBox inside(const Cell& cell, LayoutBox box) {
    for (std::size_t k = 0; k < box.size(); ++k) {
      box[k] = std::clamp(box[k], cell.range.least[k], cell.range.most[k]);
    }
    return box;
  }

  void finish() {
    const bool proven = !(bound_ < best_->value);
    plan_.status = proven ? Status::optimal : Status::feasible;
    for (std::size_t g = 0; g < options_.objective.goals.size(); ++g) {
      const Rational& value = best_->value.goals()[g];
      plan_.goals.push_back(
          {options_.objective.goals[g], value, proven ? value : bound_.goals()[g]});
    }
    plan_.passes = best_->passes.goals();
    for (std::size_t l = 0; l < exchange_.layers.size(); ++l) add_layer(l, plan_.totals);
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      const Placement& place = best_->shared[g];
      SharedTensor tensor{exchange_.shared[g].tensors, place.layout, {}, place.box};
      const Rectangle& frame = exchange_.shared[g].place.frame;
      tensor.frame = {frame.height, frame.width, place.own.top - frame.top,
                      place.own.left - frame.left};
      plan_.shared.push_back(std::move(tensor));
    }
  }

  /// Layer l of the best plan so far.
  void add_layer(std::size_t l, NetworkTotals& totals) {
    const ExchangeLayer& layer = exchange_.layers[l];
    const Pick& pick = best_->layers[l];
    PlannedLayer planned;
    planned.node = layer.node;
    planned.repetitions = layer.is->repetitions();
    planned.solution = pick.answer->solution;
    const auto pass = [&](std::size_t s) -> Relayout {
      const PassCost& cost =
          space_.pass(s, best_->sides[s], best_->shared[exchange_.sides[s].shared]);
      return {cost.latency, cost.energy, cost.activations};
    };
    planned.workload = space_.framed(l, framed(layer.input), framed(layer.output));
    if (layer.input) {
      planned.reads = exchange_.sides[*layer.input].shared;
      planned.before = pass(*layer.input);
    }
    if (layer.output) {
      planned.writes = exchange_.sides[*layer.output].shared;
      planned.after = pass(*layer.output);
    }
    const Rational times = space_.times(l);
    const Metrics& m = *planned.solution.metrics;
    totals.latency += times * (m.latency + planned.before.latency + planned.after.latency);
    totals.energy += times * (m.energy + planned.before.energy + planned.after.energy);
    totals.activations +=
        times * (m.activations() + planned.before.activations + planned.after.activations);
    totals.macs += times * planned.workload.macs();
    plan_.layers.push_back(std::move(planned));
  }

  /// Whether a side lies in the shared frame, and not in one of its own.
  [[nodiscard]] bool framed(const std::optional<std::size_t>& s) const {
    return s && best_->sides[*s].layout == Layout::sequential &&
           options_.row_model == RowModel::trace && best_->sides[*s].frame != best_->sides[*s].own;
  }

  const SolveOptions& options_;
  LayoutSpace space_;
  const Exchange& exchange_;
  LayerCosts costs_;
  LayoutRelaxation relaxation_;
  Value zero_;
  Value bound_ = zero_;
  std::optional<Candidate> best_;
  LayoutPlan plan_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph,
                     const SolveOptions& options) {
  return Planner(architecture, graph, options).run();
}

}  // namespace network
}  // namespace pimbb
