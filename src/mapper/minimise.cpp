// First looks at storage choices, and the searches that are left to do.
#include "mapper/minimise.hpp"

#include <algorithm>
#include <cmath>

namespace pimbb::mapper {
namespace {

using Search = search::BranchAndBound<MappingProblem>;

/// Choices whose tables are kept between goals and looks, rather than built again.
constexpr std::size_t kKept = 16;

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

Minimiser::Minimiser(const Instance& instance, const SolveOptions& options, Effort& effort,
                     KnownBounds& known)
    : instance_(instance),
      options_(options),
      effort_(effort),
      known_(known),
      choices_(storage_choices(instance.architecture, effort.guard())),
      built_(choices_.size()) {}

/// Storage choice k; null if no PE can hold what it would have to.
std::shared_ptr<const Minimiser::Choice> Minimiser::choice(std::size_t k) {
  if (built_[k]) return built_[k];
  Storage storage(instance_.architecture, instance_.workload, instance_.scale, choices_[k]);
  LevelTiles levels(instance_.architecture, instance_.lattice, instance_.vectors, storage,
                    options_.rules.has(Rule::spatial) && !spatial_matters(storage),
                    effort_.guard());
  if (levels.tiles[0].empty()) return nullptr;
  auto memory = effort_.account.hold(levels.bytes());
  auto built = std::make_shared<const Choice>(
      Choice{std::move(storage), std::move(levels), std::move(memory)});
  if (choices_.size() <= kKept && effort_.account.roomy()) built_[k] = built;
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
      tables(m.effort_.account.hold(Completion::bytes(m.instance_.lattice, choice->storage,
                                                      choice->levels, thresholds.size()))),
      completion(m.instance_.lattice, choice->storage, choice->levels, std::move(thresholds),
                 {[effort = &m.effort_] { return effort->stopped(); }}),
      problem(m.instance_, choice->storage, choice->levels, completion, target,
              {m.options_.rules, [effort = &m.effort_] { return effort->stopped(); },
               m.effort_.account.room() / 4}),
      survey(m.effort_.account.hold(problem.bytes())) {}

/// For the search of a choice that was looked at: with several thresholds if they are of use.
std::unique_ptr<Minimiser::Prepared> Minimiser::prepare(const Look& look, const Target& target,
                                                        const Incumbent& best) {
  std::vector<Int128> thresholds{target.latency_cap()};
  if (trades_off(target.goal()) && best && options_.rules.has(Rule::thresholds)) {
    thresholds = spread(look.latency, std::min(target.latency_cap(),
                                               target.useful_latency(best->first, look.energy)));
  }
  const auto chosen = choice(look.choice);
  // Fewer thresholds make weaker bounds, and smaller tables; the last one is needed.
  while (thresholds.size() > 1 &&
         Completion::bytes(instance_.lattice, chosen->storage, chosen->levels, thresholds.size()) >
             effort_.account.room()) {
    thresholds.erase(thresholds.end() - 2);
  }
  auto prepared = std::make_unique<Prepared>(*this, chosen, target, std::move(thresholds));
  count_collected();
  return prepared;
}

void Minimiser::count_collected() {
  const std::uint64_t bytes = instance_.lattice.collected_bytes();
  if (bytes == collected_bytes_) return;
  collected_.push_back(effort_.account.hold(bytes - collected_bytes_));
  collected_bytes_ = bytes;
}

Minimum Minimiser::run(const Target& target, Incumbent best) {
  Minimum minimum{std::move(best), Wide::infinity(), true};
  const bool prunes = options_.rules.has(Rule::lattice);
  std::vector<Look> looks;
  const auto give_up = [&](const Wide& bound) {
    minimum.complete = false;
    minimum.bound = std::min(minimum.bound, std::max(bound, known_.of(target)));
  };
  if (!look_at_all(target, minimum, looks)) give_up({});
  std::stable_sort(looks.begin(), looks.end(),
                   [](const Look& a, const Look& b) { return a.bound < b.bound; });
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const Wide bound = std::max(looks[i].bound, known_.of(target));
    const Wide bar = minimum.best ? minimum.best->first : Wide::infinity();
    if (prunes && bound >= bar) break;  // and so are those after it
    const Wide next = i + 1 < looks.size() ? looks[i + 1].bound : Wide::infinity();
    std::optional<Wide> open = bound;
    try {
      if (!minimum.best || !effort_.stopped()) {
        open = search(std::move(looks[i]), target, minimum.best, std::min(next, minimum.bound));
      }
    } catch (const search::Stopped&) {  // before the search began
    } catch (const search::TooLarge&) {
      if (!minimum.best) throw;
    }
    if (open) give_up(*open);
  }
  if (minimum.best && minimum.bound >= minimum.best->first) {
    minimum.bound = minimum.best->first;
    minimum.complete = true;
  }
  known_.raise(target, minimum.bound);
  return minimum;
}

bool Minimiser::look_at_all(const Target& target, Minimum& minimum, std::vector<Look>& looks) {
  const bool prunes = options_.rules.has(Rule::lattice);
  Int128 latency = kInfinity;
  Int128 energy = kInfinity;
  try {
    for (std::size_t k = 0; k < choices_.size(); ++k) {
      if (prunes && minimum.best && minimum.best->first <= known_.of(target)) return true;
      if (minimum.best && effort_.stopped()) return false;
      auto seen = look(k, target, minimum.best);
      effort_.progress(target, {}, minimum.best ? &minimum.best->first : nullptr,
                       known_.of(target));
      if (!seen) continue;
      latency = std::min(latency, seen->latency);
      energy = std::min(energy, seen->energy);
      looks.push_back(std::move(*seen));
    }
  } catch (const search::Stopped&) {
    return false;
  } catch (const search::TooLarge&) {
    if (!minimum.best) throw;
    return false;
  }
  if (latency < kInfinity) known_.raise_latency(latency);
  if (energy < kInfinity) known_.raise_energy(energy);
  return true;
}

/// Bounds of choice k, and perhaps a better mapping; nothing if the choice is impossible.
std::optional<Minimiser::Look> Minimiser::look(std::size_t k, const Target& target,
                                               Incumbent& best) {
  const auto choice = this->choice(k);
  if (!choice) return std::nullopt;
  auto prepared =
      std::make_unique<Prepared>(*this, choice, target, std::vector<Int128>{target.latency_cap()});
  count_collected();
  const MappingProblem& problem = prepared->problem;
  const bool may_descend = options_.rules.has(Rule::descent) && options_.rules.has(Rule::lattice) &&
                           options_.row_model != RowModel::trace;
  if (may_descend) {
    if (auto found = problem.descend(best ? &best->first : nullptr)) best = std::move(found);
  }
  Look look{k, problem.least_bound(), problem.least_latency(), problem.least_energy(), nullptr};
  const bool keep = choices_.size() <= kKept && effort_.account.roomy();
  if (keep && !trades_off(target.goal())) look.prepared = std::move(prepared);
  return look;
}

/// Branch and bound under one storage choice; returns the open bound if a limit ended it.
/// `elsewhere` bounds what is open under other choices.
std::optional<Wide> Minimiser::search(Look look, const Target& target, Incumbent& best,
                                      const Wide& elsewhere) {
  const auto prepared = look.prepared ? std::move(look.prepared) : prepare(look, target, best);
  MappingProblem& problem = prepared->problem;
  if (best) problem.improved(best->first);
  const search::Limits limits{effort_.nodes_left(), [this] { return effort_.stopped(); },
                              effort_.account.room()};
  Search search(problem, limits,
                [&](const auto& statistics, const Wide* incumbent, const Wide& bound) {
                  effort_.progress(target, statistics, incumbent,
                                   std::max(std::min(bound, elsewhere), known_.of(target)));
                });
  std::vector<MappingNode> roots;
  roots.push_back(problem.root());
  auto outcome = search.run(std::move(roots), std::move(best));
  best = std::move(outcome.incumbent);
  effort_.account.note(outcome.statistics.peak_bytes);
  effort_.spent.nodes += outcome.statistics.nodes;
  effort_.spent.leaves += outcome.statistics.leaves;
  effort_.mappings += problem.mappings();
  return outcome.open_bound;
}

}  // namespace pimbb::mapper
