// The plan of least cost, by a relaxation that is refined where it was too kind.
//
// The relaxation (layout_relaxation.hpp) bounds every plan from below and picks a mapping for each
// layer. These have real places. Each shared tensor takes the best of the places that its layers
// have, passes are counted for real, and the sum is a plan: an upper bound. Where real passes cost
// more than the relaxation said, the cells involved are split, and it is solved again. Cells shrink
// to single places, where its costs are exact; so this ends, with both bounds equal.
#include "dram_pim/plan/plan_sums.hpp"

#include <algorithm>
#include <cassert>
#include <deque>

#include "dram_pim/network/totals.hpp"
#include "dram_pim/plan/incumbents.hpp"
#include "dram_pim/plan/layout_relaxation.hpp"
#include "dram_pim/plan/rounds.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim::network {
namespace {

using CellPick = LayoutRelaxation::CellPick;

class Planner {
 public:
  Planner(const Architecture& a, const Graph& graph, const Question& question,
          const RunLimits& limits, const PlanTask& task)
      : question_(question),
        limits_(limits),
        task_(task),
        clock_(limits),
        space_(a, graph, question, task.passes),
        exchange_(space_.exchange()),
        costs_(a, question, limits, clock_, task.layers),
        relaxation_(a, space_, question.objective.goals.size(), task.experience, task.direction),
        incumbents_(space_, costs_, relaxation_, clock_, question.objective.goals.size()),
        rounds_(space_, costs_, relaxation_),
        bound_(Values(question.objective.goals.size())) {}

  LayoutPlan run() {
    if (solve_alone()) {
      while (true) {
        ++plan_.rounds;
        const WantedPlans wanted{best().value, task_.enough};
        const Rounds::Round& round = rounds_.next(wanted, bound_);
        if (round.least.value.infinite()) break;
        bound_ = round.bound;
        report();
        if (wanted.are_none(bound_)) break;
        if (clock_.stopped()) break;
        if (rounds_.solve()) continue;
        const LayoutRelaxation::RelaxedPlan least = round.least;
        rounds_.end();
        const Candidate now = incumbents_.take(least);
        if (!(bound_ < best().value) || task_.rough || !refine(least, now)) break;
        incumbents_.improve(least, now);
      }
      rounds_.end();
      finish();
      if (task_.experience != nullptr) leave(*task_.experience);
    }
    plan_.solves = costs_.solves();
    plan_.seconds = clock_.seconds();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const Candidate& best() const { return incumbents_.best(); }

  void report() const {
    if (!limits_.on_progress) return;
    Progress line;
    std::size_t open = 0;  // the first goal that is not settled
    if (incumbents_.any()) {
      const std::size_t last = question_.objective.goals.size() - 1;
      while (open < last && best().value.goals()[open] == bound_.goals()[open]) ++open;
      line.incumbent = best().value.goals()[open].to_double();
    }
    line.goal = name(question_.objective.goals[open]);
    line.bound = bound_.goals()[open].to_double();
    line.nodes = costs_.solves();
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  /// A layer in all places that are not in a shared frame.
  [[nodiscard]] LayerQuestion question_alone(std::size_t layer) {
    const ExchangeLayer& l = exchange_.layers[layer];
    const auto anywhere = [&](const std::optional<std::size_t>& s) {
      return s ? space_.range_of(*s, space_.side_cells(*s)[0]) : LayoutRange{};
    };
    return {space_.framed(layer, false, false), anywhere(l.input), anywhere(l.output), {}};
  }

  /// Every layer as if it were the only one; false if one of them has no mapping, or none yet.
  bool solve_alone() {
    std::vector<CellPick> alone(exchange_.layers.size());
    std::vector<LayerQuestion> questions;
    for (std::size_t l = 0; l < alone.size(); ++l) questions.push_back(question_alone(l));
    const std::vector<const LayerAnswer*> answers = costs_.answers(questions);
    search::Value sum = bound_;  // still nothing
    for (std::size_t l = 0; l < alone.size(); ++l) {
      const Solution& solution = answers[l]->solution;
      if (!solution.mapping) {
        plan_.status = solution.status;
        plan_.reason = "layer '" + space_.workload(l).name + "': " + solution.reason;
        return false;
      }
      relaxation_.solved_alone(l, *answers[l]);
      alone[l].answer = answers[l];
      sum += space_.layer_value(l, answers[l]->solution);
      add(plan_.alone_totals, network_layer(l), *solution.metrics);
      report();
    }
    incumbents_.begin(alone);
    plan_.alone = sum.goals();
    plan_.reconciled = best().value.goals();
    for (std::size_t l = 0; l < alone.size(); ++l) {
      add(plan_.reconciled_totals, network_layer(l), with_copies(planned_layer(l)));
    }
    if (task_.experience != nullptr) recall(*task_.experience);
    return true;
  }

  /// Plans of searches in other directions.
  void recall(const Experience& experience) {
    for (const KnownPlan& plan : experience.plans) {
      std::vector<CellPick> layers;
      for (std::size_t l = 0; l < plan.layers.size(); ++l) {
        const KnownPlan::Layer& layer = plan.layers[l];
        LayerAnswer& answer = recalled_.emplace_back();
        answer.solution = layer.solution;
        const Metrics& m = *layer.solution.metrics;
        const NetworkTotals total{m.latency, m.energy, m.activations(), {}};
        const Values values = values_of(question_.objective, total);
        answer.solution.goals = results(question_.objective, values, Values(values.size()));
        answer.bound = search::Value(Values(values.size()));
        const auto cell = [&](const std::optional<std::size_t>& s, bool is_framed) {
          if (!s) return std::size_t{0};
          const auto& cells = relaxation_.side(*s);
          const auto place = std::ranges::find(cells, is_framed, &Cell::framed);
          return static_cast<std::size_t>(place - cells.begin());
        };
        layers.push_back({.input = cell(exchange_.layers[l].input, layer.input_framed),
                          .output = cell(exchange_.layers[l].output, layer.output_framed),
                          .answer = &answer});
      }
      incumbents_.begin(layers, plan.shared);
    }
  }

  /// What searches in other directions can use.
  void leave(Experience& experience) {
    KnownPlan& plan = experience.plans.emplace_back();
    for (std::size_t l = 0; l < exchange_.layers.size(); ++l) {
      const ExchangeLayer& layer = exchange_.layers[l];
      const CellPick& pick = best().layers[l];
      const auto is_framed = [&](const std::optional<std::size_t>& s) {
        return s && relaxation_.cell_of(*s, pick).framed;
      };
      plan.layers.push_back(
          {pick.answer->solution, is_framed(layer.input), is_framed(layer.output)});
    }
    plan.shared = best().shared;
    relaxation_.leave(experience, task_.direction);
  }

  [[nodiscard]] NetworkLayer network_layer(std::size_t l) const {
    return {space_.workload(l), exchange_.layers[l].is->repetitions()};
  }

  /// Splits cells whose places differ though the relaxation let them meet, or whose pass costs more
  /// than it said. Whether there were any.
  bool refine(const LayoutRelaxation::RelaxedPlan& least, const Candidate& now) {
    bool any = false;
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      const std::size_t common = least.shared[g];
      bool split_common = false;
      LayoutBox here{1, 1, 1, 1};
      LayoutBox there = here;
      for (const std::size_t s : exchange_.shared[g].sides) {
        const ExchangeSide& side = exchange_.sides[s];
        const CellPick& pick = least.layers[side.layer];
        const std::size_t own = pick.cell(side.tensor);
        const Cell& cell = relaxation_.side(s)[own];
        const Cell& meets = relaxation_.shared(g)[common];
        const Placement place = meets.is_single() ? space_.place_in(g, meets) : now.shared[g];
        if (now.sides[s].agrees(place)) continue;
        const search::Value real = space_.pass_value(s, now.sides[s], place);
        if (!(space_.least_pass(s, cell, meets) < real)) continue;
        const LayoutBox box = now.sides[s].box;
        const LayoutBox other = different_box(now, g, s);
        if (!meets.is_single()) {
          split_common = true;
          here = box;
          there = other;
        }
        if (!cell.is_single()) {
          relaxation_.split_side(s, own,
                                 meets.has_sequential()
                                     ? space_.cut_by_pass(s, cell, box, meets.order())
                                     : cut_between(cell, box, other));
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
    const bool proven = !(bound_ < best().value);
    assert(!(best().value < bound_));
    plan_.status = proven ? Status::optimal : Status::feasible;
    const search::Value& floor = proven ? best().value : bound_;
    plan_.goals = results(question_.objective, best().value.goals(), floor.goals());
    plan_.passes = best().passes.goals();
    for (std::size_t l = 0; l < exchange_.layers.size(); ++l) {
      plan_.layers.push_back(planned_layer(l));
      add(plan_.totals, network_layer(l), with_copies(plan_.layers.back()));
    }
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      const Placement& place = best().shared[g];
      SharedTensor tensor;
      tensor.tensors = exchange_.shared[g].tensors;
      tensor.layout = place.layout;
      tensor.box = place.box;
      tensor.order = place.channels_last ? InputOrder::nhwc : InputOrder::nchw;
      const Rectangle& frame = exchange_.shared[g].place.frame;
      tensor.frame = {frame.height, frame.width, place.own.top - frame.top,
                      place.own.left - frame.left};
      plan_.shared.push_back(std::move(tensor));
    }
  }

  /// Layer l of the best plan so far.
  [[nodiscard]] PlannedLayer planned_layer(std::size_t l) {
    const ExchangeLayer& layer = exchange_.layers[l];
    const CellPick& pick = best().layers[l];
    PlannedLayer planned;
    planned.node = layer.node;
    planned.repetitions = layer.is->repetitions();
    planned.solution = pick.answer->solution;
    const auto pass = [&](std::size_t s) -> Relayout {
      const PassCost& cost =
          space_.pass(s, best().sides[s], best().shared[exchange_.sides[s].shared]);
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
    return planned;
  }

  /// A layer's costs and those of the copies before and after it.
  [[nodiscard]] static Metrics with_copies(const PlannedLayer& layer) {
    Metrics m = *layer.solution.metrics;
    for (const Relayout& copy : {layer.before, layer.after}) {
      m.latency += copy.latency;
      m.energy += copy.energy;
      m.row_activations[0] += copy.activations;
    }
    return m;
  }

  /// Whether a side lies in the shared frame, and not in one of its own.
  [[nodiscard]] bool framed(const std::optional<std::size_t>& s) const {
    return s && best().sides[*s].layout == Layout::sequential && is_traced(question_.row_model) &&
           best().sides[*s].frame != best().sides[*s].own;
  }

  const Question& question_;
  const RunLimits& limits_;
  const PlanTask& task_;
  run::Clock clock_;
  LayoutSpace space_;
  const Exchange& exchange_;
  LayerCosts costs_;
  LayoutRelaxation relaxation_;
  Incumbents incumbents_;
  std::deque<LayerAnswer> recalled_;  // of plans that were found before
  Rounds rounds_;
  search::Value bound_;
  LayoutPlan plan_;
};

}  // namespace

LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph, const Question& question,
                     const RunLimits& limits, const PlanTask& task) {
  assert(question.objective.is_linear());
  return Planner(architecture, graph, question, limits, task).run();
}

}  // namespace pimbb::dram_pim::network
