// First looks at storage choices, and the searches that are left to do.
#include "mapper/minimise.hpp"

#include <algorithm>
#include <cmath>

namespace pimbb::mapper {
namespace {

using Search = search::BranchAndBound<MappingProblem>;

/// With up to this many choices, tables are cheaper than relaxations, and small enough to be kept
/// between goals and looks.
constexpr std::uint64_t kFew = 15;

bool trades_off(Goal goal) { return goal == Goal::edp || goal == Goal::blended; }

/// Thresholds from `least` to `most`, geometrically.
std::vector<Int128> spread(Int128 least, Int128 most) {
  constexpr int kThresholds = Completion::kMaxThresholds;
  std::vector<Int128> thresholds{std::min(least, most)};
  const double ratio = to_double(most) / std::max(1.0, to_double(least));
  for (int k = 1; k + 1 < kThresholds; ++k) {
    const double scaled =
        to_double(least) * std::pow(ratio, static_cast<double>(k) / (kThresholds - 1));
    const auto threshold = scaled < 0x1p125 ? static_cast<Int128>(scaled) : most;
    if (threshold > thresholds.back() && threshold < most) thresholds.push_back(threshold);
  }
  if (most > thresholds.back()) thresholds.push_back(most);
  return thresholds;
}

}  // namespace

Minimiser::Minimiser(const Instance& instance, const SolveOptions& options, Effort& effort)
    : instance_(instance),
      options_(options),
      effort_(effort),
      few_(count_storage_choices(instance.architecture) <= kFew) {
  if (!few_ && options.rules.has(Rule::lp)) points_.emplace(instance);
}

/// A storage choice; null if no PE can hold what it would have to.
std::shared_ptr<const Minimiser::Choice> Minimiser::choice(const std::vector<TensorFlags>& stores) {
  const auto known = built_.find(stores);
  if (known != built_.end()) return known->second;
  Storage storage(instance_.architecture, instance_.workload, instance_.scale, stores);
  LevelTiles levels(instance_.architecture, instance_.lattice, instance_.vectors, storage,
                    options_.rules.has(Rule::spatial) && !spatial_matters(storage));
  std::shared_ptr<const Choice> built;
  if (!levels.tiles[0].empty()) {
    built = std::make_shared<const Choice>(Choice{std::move(storage), std::move(levels)});
  }
  if (few_) built_.emplace(stores, built);
  return built;
}

/// Under the trace model a tensor stored nowhere on chip is streamed to the array directly, and
/// its rows depend on the spatial factors themselves, not only on their leaf terms.
bool Minimiser::spatial_matters(const Storage& storage) const {
  if (options_.row_model != RowModel::trace) return false;
  return std::any_of(kAllTensors.begin(), kAllTensors.end(), [&](Tensor t) {
    return storage.innermost(t) == instance_.architecture.row_buffer();
  });
}

Minimiser::Prepared::Prepared(const Minimiser& m, std::shared_ptr<const Choice> chosen,
                              const Target& target, std::vector<Int128> thresholds)
    : choice(std::move(chosen)),
      completion(m.instance_.lattice, choice->storage, choice->levels, std::move(thresholds)),
      problem(m.instance_, choice->storage, choice->levels, completion, target,
              {m.options_.rules, [effort = &m.effort_] { return effort->stopped(); }}) {}

/// For the search of a choice that was looked at: with several thresholds if they are of use.
std::unique_ptr<Minimiser::Prepared> Minimiser::prepare(const Look& look, const Target& target,
                                                        const Incumbent& best) {
  std::vector<Int128> thresholds{target.latency_cap()};
  if (trades_off(target.goal()) && best && options_.rules.has(Rule::thresholds)) {
    thresholds = spread(look.latency, std::min(target.latency_cap(),
                                               target.useful_latency(best->first, look.energy)));
  }
  return std::make_unique<Prepared>(*this, choice(look.stores), target, std::move(thresholds));
}

Minimum Minimiser::run(const Target& target, Incumbent best) {
  Minimum minimum{std::move(best), Wide::infinity(), true};
  const std::vector<Target> targets{target};
  StorageTree tree(instance_, points_ ? &*points_ : nullptr, targets);
  std::vector<Look> looks;
  const auto cutoffs = [&] {
    return std::vector<const Wide*>{minimum.best ? &minimum.best->first : nullptr};
  };
  while (const auto next = tree.next(cutoffs())) {
    ++effort_.choices;
    auto seen = look(next->stores, target, minimum.best);
    if (seen && few_) looks.push_back(std::move(*seen));
    if (seen && !few_) search(std::move(*seen), target, minimum);
    if (minimum.best && is_least(minimum.best->first, target)) break;
    if (minimum.best && effort_.stopped()) {
      leave_open(tree.open_bound(0), target, minimum);
      break;
    }
  }
  effort_.lp_solves += tree.statistics().solves;
  effort_.lp_iterations += tree.statistics().iterations;
  std::stable_sort(looks.begin(), looks.end(),
                   [](const Look& a, const Look& b) { return a.bound < b.bound; });
  for (Look& look : looks) search(std::move(look), target, minimum);
  if (minimum.best) minimum.bound = std::min(minimum.bound, minimum.best->first);
  return minimum;
}

/// Whether a value is the least conceivable: then there is nothing to search for.
bool Minimiser::is_least(const Wide& value, const Target& target) const {
  return options_.rules.has(Rule::lattice) && value <= trivial_bound(target);
}

/// Notes that a part of the space with this lower bound was not searched to the end.
void Minimiser::leave_open(const Wide& bound, const Target& target, Minimum& minimum) const {
  const Wide open = std::max(bound, trivial_bound(target));
  if (minimum.best && open >= minimum.best->first) return;
  minimum.complete = false;
  minimum.bound = std::min(minimum.bound, open);
}

/// Bounds of a choice, and perhaps a better mapping; nothing if the choice is impossible.
std::optional<Minimiser::Look> Minimiser::look(const std::vector<TensorFlags>& stores,
                                               const Target& target, Incumbent& best) {
  const auto choice = this->choice(stores);
  if (!choice) return std::nullopt;
  auto prepared =
      std::make_unique<Prepared>(*this, choice, target, std::vector<Int128>{target.latency_cap()});
  const MappingProblem& problem = prepared->problem;
  const bool may_descend = options_.rules.has(Rule::descent) && options_.rules.has(Rule::lattice) &&
                           options_.row_model != RowModel::trace;
  if (may_descend) {
    if (auto found = problem.descend(best ? &best->first : nullptr)) best = std::move(found);
  }
  Look look{stores, problem.least_bound(), problem.least_latency(), problem.least_energy(),
            nullptr};
  if (!trades_off(target.goal())) look.prepared = std::move(prepared);
  return look;
}

/// Branch and bound under one storage choice, unless it cannot be better.
void Minimiser::search(Look look, const Target& target, Minimum& minimum) {
  Incumbent& best = minimum.best;
  const Wide bar = best ? best->first : Wide::infinity();
  if (options_.rules.has(Rule::lattice) && (look.bound >= bar || is_least(bar, target))) return;
  if (best && effort_.stopped()) return leave_open(look.bound, target, minimum);
  const auto prepared = look.prepared ? std::move(look.prepared) : prepare(look, target, best);
  MappingProblem& problem = prepared->problem;
  if (best) problem.improved(best->first);
  Search search(problem, {effort_.nodes_left(), [this] { return effort_.stopped(); }},
                [&](const auto& statistics, const Wide* incumbent, const Wide& bound) {
                  effort_.progress(target, statistics, incumbent,
                                   std::max(bound, trivial_bound(target)));
                });
  std::vector<MappingNode> roots;
  roots.push_back(problem.root());
  auto outcome = search.run(std::move(roots), std::move(best));
  best = std::move(outcome.incumbent);
  effort_.spent.nodes += outcome.statistics.nodes;
  effort_.spent.leaves += outcome.statistics.leaves;
  effort_.mappings += problem.mappings();
  if (outcome.open_bound) leave_open(*outcome.open_bound, target, minimum);
}

Wide Minimiser::trivial_bound(const Target& target) const {
  const Architecture& a = instance_.architecture;
  const Workload& w = instance_.workload;
  const Scale& scale = instance_.scale;
  Int128 parallel = 1;
  for (const Direction d : kAllDirections) parallel *= a.pe_array.extent(d);
  Costs least;
  least.latency = w.macs() * scale.cycle / parallel;
  least.energy =
      scale.mac_energy + (w.tensor_elements(Tensor::weight) + w.tensor_elements(Tensor::output)) *
                             scale.access[a.dram()];
  return target.value(least);
}

}  // namespace pimbb::mapper
