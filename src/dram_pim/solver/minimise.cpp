// First looks at storage choices, and the searches that are left to do.
#include "dram_pim/solver/minimise.hpp"

#include <algorithm>
#include <cmath>

namespace pimbb::dram_pim::mapper {
namespace {

using Search = search::BranchAndBound<MappingProblem>;

/// Choices whose tables are kept between goals and looks, rather than built again.
constexpr std::uint64_t kKept = 16;
/// With fewer choices their tables are cheaper than linear programs.
constexpr std::uint64_t kMany = 64;

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

Minimiser::Minimiser(const Instance& instance, const RowPricing& pricing, const Question& question,
                     Effort& effort, KnownBounds& known)
    : instance_(instance),
      pricing_(pricing),
      question_(question),
      effort_(effort),
      known_(known),
      count_(count_storage_choices(instance.architecture)) {
  if (question.rules.has(Rule::lp) && count_ >= kMany) {
    bounds_.emplace(StorageBounds{FillPoints(instance), {}});
  }
}

Minimiser::Choice::Choice(const Minimiser& m, const std::vector<TensorFlags>& stores)
    : storage(m.instance_.architecture, m.instance_.workload, m.instance_.scale, stores),
      rows(m.pricing_.under(storage)),
      levels(m.instance_.architecture, m.instance_.lattice, m.instance_.vectors, storage,
             m.question_.rules.has(Rule::spatial) && !rows->depend_on_unrolling(), m.instance_.rule,
             m.effort_.guard()) {}

/// A storage choice; null if no PE can hold what it would have to, or outside of the dataflow.
std::shared_ptr<const Minimiser::Choice> Minimiser::choice(const std::vector<TensorFlags>& stores) {
  if (!instance_.rule.keeps(stores)) return nullptr;
  const auto known = built_.find(stores);
  if (known != built_.end()) return known->second;
  const auto built = std::make_shared<Choice>(*this, stores);
  if (built->levels.tiles[0].empty()) return nullptr;
  built->memory.emplace(effort_.account.hold(built->levels.bytes()));
  if (count_ <= kKept && effort_.account.roomy()) built_.emplace(stores, built);
  return built;
}

Minimiser::Prepared::Prepared(const Minimiser& m, std::shared_ptr<const Choice> chosen,
                              const Target& target, std::vector<Int128> thresholds)
    : choice(std::move(chosen)),
      tables(m.effort_.account.hold(Completion::bytes(m.instance_.lattice, choice->storage,
                                                      choice->levels, thresholds.size()))),
      completion(m.instance_.lattice, choice->storage, choice->levels, std::move(thresholds),
                 m.instance_.rule, {[effort = &m.effort_] { return effort->stopped(); }}),
      problem(m.instance_, choice->storage, choice->levels, *choice->rows, completion, target,
              {m.question_.rules, [effort = &m.effort_] { return effort->stopped(); },
               m.effort_.account.room() / 4}),
      survey(m.effort_.account.hold(problem.bytes())) {}

/// For the search of a choice that was looked at: with several thresholds if they are of use.
std::unique_ptr<Minimiser::Prepared> Minimiser::prepare(const Look& look, const Target& target,
                                                        const Incumbent& best) {
  std::vector<Int128> thresholds{target.latency_cap()};
  if (trades_off(target.goal()) && best && question_.rules.has(Rule::thresholds)) {
    thresholds = spread(look.latency, std::min(target.latency_cap(),
                                               target.useful_latency(best->first, look.energy)));
  }
  const auto chosen = choice(look.stores);
  // Fewer thresholds make weaker bounds, and smaller tables; the last one is needed.
  while (thresholds.size() > 1 &&
         Completion::bytes(instance_.lattice, chosen->storage, chosen->levels, thresholds.size()) >
             effort_.account.room()) {
    thresholds.erase(thresholds.end() - 2);
  }
  return std::make_unique<Prepared>(*this, chosen, target, std::move(thresholds));
}

Minimum Minimiser::run(const Target& target, Incumbent best) {
  Run run{target,
          StorageTree(instance_, bounds_ ? &*bounds_ : nullptr, target),
          {std::move(best), Wide::infinity(), true},
          {}};
  look_at_all(run);
  search_up_to(Wide::infinity(), run);
  effort_.spent.lp_solves += run.tree.statistics().solves;
  effort_.spent.lp_iterations += run.tree.statistics().iterations;
  Minimum minimum = std::move(run.minimum);
  if (minimum.best && minimum.bound >= minimum.best->first) {
    minimum.bound = minimum.best->first;
    minimum.complete = true;
  }
  known_.raise(target, minimum.bound);
  return minimum;
}

/// Looks at every choice that the tree does not leave out, or until there is nothing to gain.
void Minimiser::look_at_all(Run& run) {
  while (auto next = run.tree.next(run.cutoff())) {
    const Wide bound = next->bound;
    if (bounds_) search_up_to(bound, run);
    if (cannot_improve(bound, run)) return;  // nor can those after it
    const Wide open = std::min(bound, run.tree.open_bound());
    if (run.minimum.best && effort_.stopped()) return leave_open(open, run);
    try {
      look_at(std::move(*next), run);
    } catch (const run::Stopped&) {
      return leave_open(open, run);
    } catch (const run::TooLarge&) {
      if (!run.minimum.best) throw;
      return leave_open(open, run);
    }
    effort_.progress(run.target, {}, run.cutoff(), known_.of(run.target));
  }
  if (run.looked < count_) return;  // what was left out may take less time, or less energy
  if (run.latency < kInfinity) known_.raise_latency(run.latency);
  if (run.energy < kInfinity) known_.raise_energy(run.energy);
}

void Minimiser::look_at(StorageTree::Choice next, Run& run) {
  ++effort_.spent.choices;
  ++run.looked;
  auto seen = look(next.stores, run.target, run.minimum.best);
  if (!seen) return;
  run.latency = std::min(run.latency, seen->latency);
  run.energy = std::min(run.energy, seen->energy);
  seen->bound = std::max(seen->bound, next.bound);
  run.looks.push_back(std::move(*seen));
}

/// Whether a part of the space with this bound has nothing better than the incumbent.
bool Minimiser::cannot_improve(const Wide& bound, const Run& run) const {
  const Wide* incumbent = run.cutoff();
  if (incumbent != nullptr && bound >= *incumbent) return true;
  if (!question_.rules.has(Rule::lattice)) return false;
  return incumbent == nullptr ? bound == Wide::infinity() : known_.of(run.target) >= *incumbent;
}

/// Notes that a part of the space with this lower bound was not searched to the end.
void Minimiser::leave_open(const Wide& bound, Run& run) const {
  run.minimum.complete = false;
  run.minimum.bound = std::min(run.minimum.bound, std::max(bound, known_.of(run.target)));
}

/// Bounds of a choice, and perhaps a better mapping; nothing if the choice is impossible.
std::optional<Minimiser::Look> Minimiser::look(const std::vector<TensorFlags>& stores,
                                               const Target& target, Incumbent& best) {
  const auto choice = this->choice(stores);
  if (!choice) return std::nullopt;
  auto prepared =
      std::make_unique<Prepared>(*this, choice, target, std::vector<Int128>{target.latency_cap()});
  const MappingProblem& problem = prepared->problem;
  const bool may_descend = question_.rules.has(Rule::descent) && question_.rules.has(Rule::lattice);
  if (may_descend) {
    if (auto found = problem.descend(best ? &best->first : nullptr)) best = std::move(found);
  }
  const bool prunes = question_.rules.has(Rule::lattice);
  const RootBounds& root = problem.root_bounds();
  Look look{stores, prunes ? root.bound : Wide{}, root.latency, root.energy, nullptr};
  const bool keep = count_ <= kKept && effort_.account.roomy();
  if (keep && !trades_off(target.goal())) look.prepared = std::move(prepared);
  return look;
}

/// Searches what was looked at, in the order of the bounds, as far as these are within `limit`.
void Minimiser::search_up_to(const Wide& limit, Run& run) {
  std::stable_sort(run.looks.begin(), run.looks.end(),
                   [](const Look& a, const Look& b) { return a.bound > b.bound; });
  while (!run.looks.empty() && run.looks.back().bound <= limit) {
    Look look = std::move(run.looks.back());
    run.looks.pop_back();
    search(std::move(look), run);
  }
}

void Minimiser::search(Look look, Run& run) {
  const Wide bound = look.bound;
  if (cannot_improve(bound, run)) return;
  if (run.minimum.best && effort_.stopped()) return leave_open(bound, run);
  try {
    if (const auto open = branch_and_bound(std::move(look), run)) leave_open(*open, run);
  } catch (const run::Stopped&) {  // before the search began
    leave_open(bound, run);
  } catch (const run::TooLarge&) {
    if (!run.minimum.best) throw;
    leave_open(bound, run);
  }
}

/// Branch and bound under one storage choice; returns the open bound if a limit ended it.
std::optional<Wide> Minimiser::branch_and_bound(Look look, Run& run) {
  Incumbent& best = run.minimum.best;
  const auto prepared = look.prepared ? std::move(look.prepared) : prepare(look, run.target, best);
  MappingProblem& problem = prepared->problem;
  if (best) problem.improved(best->first);
  Wide elsewhere = std::min(run.tree.open_bound(), run.minimum.bound);
  if (!run.looks.empty()) elsewhere = std::min(elsewhere, run.looks.back().bound);
  const search::Limits limits{effort_.nodes_left(), [this] { return effort_.stopped(); },
                              effort_.account.room()};
  Search search(problem, limits,
                [&](const auto& statistics, const Wide* incumbent, const Wide& bound) {
                  effort_.progress(run.target, statistics, incumbent,
                                   std::max(std::min(bound, elsewhere), known_.of(run.target)));
                });
  std::vector<MappingNode> roots;
  roots.push_back(problem.root());
  auto outcome = search.run(std::move(roots), std::move(best));
  best = std::move(outcome.incumbent);
  effort_.account.note(outcome.statistics.peak_bytes);
  effort_.spent.nodes += outcome.statistics.nodes;
  effort_.spent.leaves += outcome.statistics.leaves;
  effort_.spent.mappings += problem.mappings();
  return outcome.open_bound;
}

}  // namespace pimbb::dram_pim::mapper
