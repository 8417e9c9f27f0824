// What a plan is made for: sums of goals, or total latency times total energy.
#include "pimbb/dram_pim/layout_plan.hpp"

#include <algorithm>

#include "dram_pim/network/fitting_blend.hpp"
#include "dram_pim/plan/plan_sums.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/threads.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim {
namespace network {
namespace {

/// The part of the memory limit for what searches of one layer share.
constexpr std::uint64_t kStoreShare = 8;

void check(const Architecture& architecture, const Network& network, const Question& question) {
  validate(architecture);
  if (!network.graph) {
    throw InputError(
        "network '" + network.name +
        "': found no graph; it is required because it says which layers exchange tensors");
  }
  for (const GraphNode& node : network.graph->nodes) {
    if (node.layer) validate(node.layer->workload);
  }
  if (question.row_model == RowModel::none) {
    throw InputError(
        "layouts that agree: found the row model none, under which layouts cost nothing, allowed "
        "are analytic, hybrid, trace");
  }
  if (question.constraints.any()) {
    throw InputError("layouts that agree: found constraints, allowed are none");
  }
  if (is_heuristic(question.method)) {
    throw InputError("layouts that agree: found method '" + std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  if (question.objective.goals.size() > 1 && !question.objective.is_linear()) {
    throw InputError("layouts that agree: found the goals " + question.objective.to_string() +
                     ", allowed are edp alone and lists of latency, energy, activations, blended");
  }
}

/// Total latency times total energy: plans of least blend, direction by direction (product.hpp).
class ProductPlanner {
 public:
  ProductPlanner(const Architecture& a, const Graph& graph, const Question& question,
                 const RunLimits& limits, mapper::LayerStore& layers, Passes& passes)
      : a_(a),
        graph_(graph),
        question_(question),
        limits_(limits),
        layers_(layers),
        passes_(passes),
        clock_(limits) {}

  LayoutPlan run() {
    const search::ProductMinimum minimum =
        search::minimise_product([this](const search::AskedBlend& asked) { return support(asked); },
                                 [this] { return clock_.stopped() || asked_.back().goals.empty(); },
                                 [this](const Rational& best, const Rational& bound) {
                                   best_ = best;
                                   bound_ = bound;
                                   report(0);
                                 },
                                 {.rough = true});
    if (minimum.best.empty() || asked_.front().goals.empty()) return std::move(asked_.back());
    LayoutPlan plan = std::move(asked_[minimum.best.front().id]);
    const NetworkTotals& all = plan.totals;
    const Rational value = all.edp();
    Rational latency = all.latency;
    Rational energy = all.energy;
    for (const PlannedLayer& layer : plan.layers) {
      const Rational times = layer.workload.weight * layer.repetitions;
      latency -= times * (layer.before.latency + layer.after.latency);
      energy -= times * (layer.before.energy + layer.after.energy);
    }
    plan.status = minimum.proven ? Status::optimal : Status::feasible;
    plan.goals = {{Goal::edp, value, minimum.proven ? value : minimum.bound}};
    plan.passes = {value - latency * energy};
    plan.alone = {plan.alone_totals.edp()};
    plan.reconciled = {plan.reconciled_totals.edp()};
    plan.solves = solves_;
    plan.rounds = rounds_;
    plan.seconds = clock_.seconds();
    return plan;
  }

 private:
  search::Support support(const search::AskedBlend& asked) {
    const search::Blend& wanted = asked;
    const search::Blend direction = is_end(wanted) ? wanted : fitting(near(wanted), wanted);
    PlanTask task{.layers = layers_,
                  .passes = passes_,
                  .rough = asked.rough,
                  .direction = direction,
                  .experience = &experience_};
    if (asked.enough) task.enough = asked.enough(direction);
    asked_.push_back(plan(direction, task));
    directions_.push_back(direction);
    const LayoutPlan& plan = asked_.back();
    solves_ += plan.solves;
    rounds_ += plan.rounds;
    if (plan.goals.empty()) {  // no time for any plan: nothing new, and no point of product 0
      const NetworkTotals& first = asked_.front().totals;
      return {direction, {first.latency, first.energy, 0}, {}};
    }
    const Rational edp = plan.totals.edp();
    if (!best_ || edp < *best_) best_ = edp;
    report(0);
    return {direction,
            {plan.totals.latency, plan.totals.energy, asked_.size() - 1},
            plan.goals[0].bound};
  }

  /// Progress towards the goal, whatever blend of latency and energy is minimised at the time.
  void report(std::uint64_t solves_of_blend) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(Goal::edp);
    if (best_) line.incumbent = best_->to_double();
    // An interval of directions may be known to have nothing better than the best plan.
    line.bound = (best_ ? std::min(*best_, bound_) : bound_).to_double();
    line.nodes = solves_ + solves_of_blend;
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  /// Least latency or least energy alone.
  static bool is_end(const search::Blend& direction) {
    return direction.alpha.sign() == 0 || direction.beta.sign() == 0;
  }

  /// `wanted`, or a rounding of `exact`, with weights that every layer's search can compute with.
  [[nodiscard]] search::Blend fitting(const search::Blend& wanted, const search::Blend& exact) {
    if (!fitting_) {
      std::vector<const Workload*> layers;
      for (const GraphNode& node : graph_.nodes) {
        if (node.layer) layers.push_back(&node.layer->workload);
      }
      fitting_.emplace(a_, layers);
    }
    return fitting_->of(wanted, exact, 48);
  }

  /// A direction with small weights, whose sums are computed with far faster; the one asked for if
  /// another that has been answered is in between, so that answers end where exact ones do.
  [[nodiscard]] search::Blend near(const search::Blend& asked) const {
    constexpr unsigned kBits = 16;
    const search::Blend small = search::coarser(asked, kBits);
    const int side = search::turn(asked, small).sign();
    const bool in_between = std::ranges::any_of(directions_, [&](const search::Blend& d) {
      return side != 0 && search::turn(asked, d).sign() == side &&
             search::turn(d, small).sign() != -side;
    });
    return in_between ? asked : small;
  }

  [[nodiscard]] LayoutPlan plan(const search::Blend& direction, const PlanTask& task) const {
    Question question = question_;
    RunLimits limits = limits_;
    // Parts of what is left: the ends, least latency and least energy, say little of the product,
    // whose curve is flat where a direction in between touches it.
    if (const auto left = clock_.left()) {
      limits.time_limit = *left * (is_end(direction) ? 1 : 7) / 8;
    }
    if (limits.on_progress) {
      limits.on_progress = [this](const Progress& blend) { report(blend.nodes); };
    }
    question.objective.goals = {Goal::blended};
    question.objective.alpha = direction.alpha;
    question.objective.beta = direction.beta;
    if (direction.beta.sign() == 0) question.objective.goals = {Goal::latency, Goal::energy};
    if (direction.alpha.sign() == 0) question.objective.goals = {Goal::energy, Goal::latency};
    return plan_sums(a_, graph_, question, limits, task);
  }

  const Architecture& a_;
  const Graph& graph_;
  const Question& question_;
  const RunLimits& limits_;
  mapper::LayerStore& layers_;
  Passes& passes_;
  run::Clock clock_;
  std::optional<Rational> best_;  // least EDP so far
  Rational bound_;                // proven lower bound of every plan's EDP
  std::vector<LayoutPlan> asked_;
  Experience experience_;  // of all directions so far
  std::vector<search::Blend> directions_;
  std::optional<FittingBlend> fitting_;  // made when it is needed
  std::uint64_t solves_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace
}  // namespace network

LayoutPlan plan_layouts(const Architecture& architecture, const Network& network,
                        const Question& question, const RunLimits& limits) {
  network::check(architecture, network, question);
  mapper::LayerStore layers(limits.memory_limit / network::kStoreShare);
  network::Passes passes(architecture);
  const Graph& graph = *network.graph;
  LayoutPlan plan;
  run::on_threads(run::thread_count(limits), [&] {
    plan =
        question.objective.goals == std::vector{Goal::edp}
            ? network::ProductPlanner(architecture, graph, question, limits, layers, passes).run()
            : network::plan_sums(architecture, graph, question, limits,
                                 {.layers = layers, .passes = passes});
  });
  return plan;
}

}  // namespace pimbb::dram_pim
