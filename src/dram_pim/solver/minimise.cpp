// Roots of storage choices, and the searches that are left to do.
#include "dram_pim/solver/minimise.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using Search = search::BranchAndBound<MappingProblem>;

/// Choices whose tables are kept between goals, and between root and search, rather than built
/// again.
constexpr std::uint64_t kKept = 16;
/// With fewer choices their tables are cheaper than linear programs.
constexpr std::uint64_t kMany = 64;
/// Tiles of a level whose tables take longer than to tell which of them are hopeless.
constexpr std::size_t kManyInside = std::size_t{1} << 16;

/// The part of the memory that may be in use when tables are made ahead, and that these may take.
constexpr std::uint64_t kPlenty = 8;

/// Whether a mapping of interest costs less than some mappings do.
bool limits(const Target& target, const Incumbent& best) {
  return best || (target.has_caps() && target.front() == nullptr);
}

/// What a mapping of interest is below.
Wide cutoff_of(const Incumbent& best) { return best ? best->first : Wide::infinity(); }

}  // namespace

Minimiser::Minimiser(const Instance& instance, const RowPricing& pricing, const Question& question,
                     Effort& effort, KnownBounds& known, Improve improve, Floors floors,
                     const InsideFloors* inside)
    : instance_(instance),
      pricing_(pricing),
      question_(question),
      effort_(effort),
      known_(known),
      improve_(std::move(improve)),
      floors_(std::move(floors)),
      inside_(inside),
      count_(count_storage_choices(instance.architecture, question.constraints)) {
  const bool relaxed = question.rules.has(Rule::lp);
  if ((relaxed || question.rules.has(Rule::shared)) && count_ >= kMany) {
    bounds_.emplace(StorageBounds{FillPoints(instance, effort.guard()), {}, relaxed});
  }
}

Minimiser::StorageCandidate::StorageCandidate(const Minimiser& m,
                                              const std::vector<TensorFlags>& stores,
                                              const Hopeless& screen, run::Account& account)
    : storage(m.instance_.architecture, m.instance_.workload, m.instance_.scale, stores),
      rows(m.pricing_.under(storage)),
      levels([&] {
        const auto admitted = [&](const TileScreen* tiles) {
          return LevelTiles(
              m.instance_.architecture, m.instance_.lattice, m.instance_.vectors, storage,
              m.question_.rules.has(Rule::spatial) && !rows->depend_on_unrolling(),
              m.instance_.rule, m.effort_.guard(account), m.instance_.constraints, tiles);
        };
        if (!screen) return admitted(nullptr);
        const run::Guard guard = m.effort_.guard(account);
        std::shared_ptr<const InsideFloors> own;
        if (m.inside_ == nullptr) {
          own = inside_floors(m.instance_, storage, m.instance_.architecture.row_buffer(), guard);
        }
        const InsideFloors& inside = own ? *own : *m.inside_;
        const TileScreen tiles(m.instance_, storage, inside, screen, guard);
        return admitted(&tiles);
      }()),
      screened(screen != nullptr) {}

/// A storage choice; null if no PE can hold what it would have to, outside of the dataflow or the
/// constraints, or if nothing of interest is left.
std::shared_ptr<const Minimiser::StorageCandidate> Minimiser::candidate(
    const std::vector<TensorFlags>& stores, const Hopeless& screen, run::Account& account) const {
  if (!instance_.rule.keeps(stores) || !instance_.constraints.keeps(stores)) return nullptr;
  const auto known = built_.find(stores);
  if (known != built_.end()) return known->second;
  const auto built = std::make_shared<StorageCandidate>(*this, stores, screen, account);
  if (built->levels.tiles[0].empty()) return nullptr;
  built->memory.emplace(account.hold(built->levels.bytes()));
  return built;
}

/// For other goals.
void Minimiser::keep(const std::shared_ptr<const StorageCandidate>& chosen) {
  if (chosen->screened || count_ > kKept || !effort_.account.roomy()) return;
  built_.emplace(chosen->storage.stores(), chosen);
}

Minimiser::Tables::Tables(const Minimiser& m, std::shared_ptr<const StorageCandidate> chosen,
                          const Target& target, std::vector<Int128> thresholds,
                          const Incumbent& best, run::Account& account)
    : candidate(std::move(chosen)),
      memory(account.hold(
          CostToGo::bytes(candidate->storage, candidate->levels.sizes(), thresholds.size()))),
      cost_to_go(m.instance_.lattice, candidate->storage, candidate->levels, std::move(thresholds),
                 m.instance_.rule, {[effort = &m.effort_] { return effort->stopped(); }},
                 m.hopeless(*candidate, target, best)) {}

Minimiser::PreparedSearch::PreparedSearch(const Minimiser& m, std::unique_ptr<Tables> of_choice,
                                          const Target& target, const Incumbent& best,
                                          std::function<void(Solved)> new_point)
    : tables(std::move(of_choice)),
      problem(m.instance_, tables->candidate->storage, tables->candidate->levels,
              *tables->candidate->rows, tables->cost_to_go, target,
              {m.question_.rules, [effort = &m.effort_] { return effort->stopped(); },
               m.question_.below.has_value(), best ? std::optional(best->first) : std::nullopt,
               std::move(new_point)}),
      root_bounds(m.effort_.account.hold(problem.bytes())) {}

/// For layers with so many tiles that it takes less time to tell which of them are of interest.
Hopeless Minimiser::screen(const Target& target, const Incumbent& best) const {
  const std::size_t levels = instance_.architecture.row_buffer();
  const std::uint64_t bytes = TileScreen::bytes(levels, instance_.lattice.size()) +
                              InsideFloors::bytes(levels, instance_.lattice.size());
  if (!limits(target, best) || !question_.rules.has(Rule::lattice) ||
      !question_.rules.has(Rule::tiles) ||
      !TileScreen::is_worth_it(instance_.lattice.size(), target.has_caps()) ||
      bytes > effort_.account.room()) {
    return {};
  }
  return [&target, cutoff = cutoff_of(best)](const Costs& least) {
    return !target.keeps_caps(least) || target.value(least) >= cutoff;
  };
}

bool Minimiser::leaves_out_hopeless(const StorageCandidate& chosen, const Target& target,
                                    const Incumbent& best) const {
  const std::size_t level = instance_.architecture.row_buffer() - 1;
  return limits(target, best) && question_.rules.has(Rule::lattice) &&
         question_.rules.has(Rule::tiles) && chosen.levels.tiles[level].size() >= kManyInside;
}

/// Whether no mapping with a tile at the level inside the row buffer is below `best`; empty if that
/// is not worth asking. Every mapping costs at least what the cheapest arrival does.
CostToGo::Hopeless Minimiser::hopeless(const StorageCandidate& chosen, const Target& target,
                                       const Incumbent& best) const {
  if (!leaves_out_hopeless(chosen, target, best)) return {};
  Sums least;
  least.latency = least.energy = least.activations = kInfinity;
  for (std::size_t i = 0; i < instance_.arrivals.size(); ++i) {
    const Arrival arrival = instance_.arrivals[i];
    least.latency = std::min(least.latency, arrival.least.latency);
    least.energy = std::min(least.energy, arrival.least.energy);
    least.activations = std::min(least.activations, arrival.least.activations);
  }
  return [this, &storage = chosen.storage, &target, least, cutoff = cutoff_of(best)](
             const CostToGo& tables, TileIndex tile, Tensor t, const CostToGo::Entry& rest) {
    Sums sums = least;
    const std::size_t level = instance_.architecture.row_buffer() - 1;
    sums.add(storage.fill(level, instance_.lattice[tile], t, 1), storage.open_count());
    return target.bound(sums, tables, rest, 0) >= cutoff;
  };
}

/// For the search of a choice whose root was evaluated; null if nothing better is left.
std::unique_ptr<Minimiser::PreparedSearch> Minimiser::prepare(const RootEvaluation& root,
                                                              const Target& target,
                                                              const Incumbent& best) {
  const bool same = root.candidate && root.cutoff == cutoff_of(best);
  auto chosen =
      same ? root.candidate : candidate(root.stores, screen(target, best), effort_.account);
  if (!chosen) return nullptr;
  keep(chosen);
  return std::make_unique<PreparedSearch>(
      *this, tables(std::move(chosen), target, best, effort_.account), target, best);
}

/// With one threshold of latency. Several make stronger bounds for goals that trade latency for
/// energy, but their tables take longer than the nodes that they save.
std::unique_ptr<Minimiser::Tables> Minimiser::tables(std::shared_ptr<const StorageCandidate> chosen,
                                                     const Target& target, const Incumbent& best,
                                                     run::Account& account) const {
  return std::make_unique<Tables>(*this, std::move(chosen), target,
                                  std::vector{target.latency_cap()}, best, account);
}

Minimum Minimiser::run(const Target& target, Incumbent best) {
  GoalSearch goal{target,
                  StorageTree(instance_, bounds_ ? &*bounds_ : nullptr, target, effort_.guard()),
                  {std::move(best), Wide::infinity(), true},
                  {}};
  if (const auto cap = target.own_cap()) goal.beyond_cap = *cap + Wide::from(1);
  evaluate_roots(goal);
  goal.ahead.reset();
  search_up_to(Wide::infinity(), goal);
  effort_.spent.lp_solves += goal.tree.effort().solves;
  effort_.spent.lp_iterations += goal.tree.effort().iterations;
  Minimum minimum = std::move(goal.minimum);
  if (minimum.best && minimum.bound >= minimum.best->first) {
    minimum.bound = minimum.best->first;
    minimum.complete = true;
  }
  known_.raise(target, minimum.bound);
  return minimum;
}

/// Gives the tree tables that all choices share, if there is room for them beside those of a
/// choice: at once if energies matter, otherwise if latencies do and the layer is not settled soon.
void Minimiser::share_tables(GoalSearch& goal) {
  if (!bounds_ || !question_.rules.has(Rule::shared) || goal.sharing_decided) return;
  const Target& target = goal.target;
  const bool energy = target.uses_energy();
  if (!energy && !(target.uses_latency() && goal.tree.is_long())) return;
  goal.sharing_decided = true;  // a tree that begins again leaves out its first choices only
  const PartialStorage all = all_storage(instance_);
  const std::uint64_t bytes = SharedTables::bytes(instance_, all);
  if (bytes > effort_.account.room() / 2) return;
  Int128 limit = target.latency_cap();
  if (const Wide* cutoff = goal.cutoff()) {
    limit = std::min(limit, target.useful_latency(*cutoff, instance_.scale.mac_energy));
  }
  goal.memory.emplace(effort_.account.hold(bytes));
  const SharedCost cost = energy ? SharedCost::energy : SharedCost::latency;
  goal.shared = std::make_unique<SharedTables>(instance_, all, cost, limit, effort_.guard());
  if (energy) {
    goal.tree.use(goal.shared.get());
  } else {
    goal.tree.begin_again(*goal.shared);
  }
}

/// Makes the tables again, for the latencies that a better mapping can have now that its least
/// energy is known. They are worth this only if there are choices that they exclude: after 2, 16,
/// 128, ... of them.
void Minimiser::narrow_tables(GoalSearch& goal) {
  if (!goal.shared || goal.shared->cost() != SharedCost::energy) return;
  if (goal.cutoff() == nullptr || goal.choices < goal.narrow_at) return;
  goal.narrow_at *= 8;
  const Int128 limit = goal.target.useful_latency(*goal.cutoff(), goal.shared->least());
  if (limit >= goal.shared->limit()) return;
  goal.tree.use(nullptr);
  goal.shared->narrow(limit, effort_.guard());
  goal.tree.use(goal.shared.get());
}

/// Evaluates every choice that the tree does not leave out, or until there is nothing to gain.
void Minimiser::evaluate_roots(GoalSearch& goal) {
  while (true) {
    std::optional<Turn> next;
    try {
      share_tables(goal);
      narrow_tables(goal);
      next = next_turn(goal);
    } catch (const run::Stopped&) {
      return leave_open(goal.tree.open_bound(), goal);
    }
    if (!next) break;
    const Wide bound = next->choice.bound;
    if (bounds_) search_up_to(bound, goal);
    if (cannot_improve(bound, goal)) return;  // nor can those after it
    if (too_dear(next->choice.stores, goal)) continue;
    const Wide open = std::min(bound, goal.tree.open_bound());
    if (goal.minimum.best && effort_.stopped()) return leave_open(open, goal);
    try {
      evaluate_root(*next, goal);
    } catch (const run::Stopped&) {
      return leave_open(open, goal);
    } catch (const run::TooLarge&) {
      if (!goal.minimum.best) throw;
      return leave_open(open, goal);
    }
    effort_.progress(goal.target, {}, goal.incumbent(), known_.of(goal.target));
  }
  if (goal.choices < count_) return;  // what was left out may take less time, or less energy
  if (goal.latency < kInfinity) known_.raise_latency(goal.latency);
  if (goal.energy < kInfinity) known_.raise_energy(goal.energy);
}

/// The choice whose turn it is; empty: none is left.
std::optional<Minimiser::Turn> Minimiser::next_turn(GoalSearch& goal) {
  if (auto turn = std::exchange(goal.ahead, {})) return turn;
  auto next = goal.tree.next(goal.cutoff());
  if (!next) return std::nullopt;
  return Turn{*std::move(next), nullptr};
}

/// Evaluates a choice. Beside it, if there is a thread for it, the tables of the next one are made:
/// what one thread must do alone for one of them then stops nobody. Where tables depend on the
/// incumbent, this begins when it is known whether this choice has a better one.
void Minimiser::evaluate_root(Turn& turn, GoalSearch& goal) {
  ++effort_.spent.choices;
  const search::YoungestFirst rank{goal.choices++};
  const bool screened = inside_ != nullptr || screen(goal.target, goal.minimum.best);
  const bool later = TileScreen::is_worth_it(instance_.lattice.size(), goal.target.has_caps());
  StartedRoot started;
  std::optional<RootEvaluation> root;
  const auto start = [&] { started = start_root(turn, goal.target, goal.minimum.best); };
  if (later) start();
  beside_next(goal, [&] {
    if (!later) start();
    root = finish_root(turn.choice, std::move(started));
  });
  if (root && root->prepared) keep(root->prepared->tables->candidate);
  if (!root) {
    if (screened) goal.latency = goal.energy = 0;  // of what is no better, nothing is known
    return;
  }
  goal.latency = std::min(goal.latency, root->all_latency);
  goal.energy = std::min(goal.energy, root->all_energy);
  root->bound = std::max(root->bound, turn.choice.bound);
  const Wide bound = root->bound;
  goal.evaluated.push(bound, rank, std::move(*root));
}

/// Does a part of an evaluation, and makes the tables of the next choice beside it.
void Minimiser::beside_next(GoalSearch& goal, const std::function<void()>& evaluate) {
  const bool ahead = begin_ahead(goal);
  const Incumbent before = ahead ? goal.minimum.best : std::nullopt;
  const Hopeless now = screen(goal.target, before);
  run::parallel_for(ahead ? 2 : 1, [&](std::size_t k) {
    if (k == 0) {
      evaluate();
    } else {
      make_ahead(*goal.ahead, goal.target, before, now);
    }
  });
}

/// Takes the next choice from the tree; true: its tables are to be made ahead of its turn. That is
/// where choices are so few that all have their turn, and memory is plentiful.
bool Minimiser::begin_ahead(GoalSearch& goal) const {
  const run::Account& account = effort_.account;
  if (run::thread_room() == 1 || count_ > kKept || bounds_) return false;
  if (account.used() > account.limit() / kPlenty) return false;
  auto next = goal.tree.next(goal.cutoff());
  while (next && too_dear(next->stores, goal)) next = goal.tree.next(goal.cutoff());
  if (!next) return false;
  goal.ahead = Turn{*std::move(next), nullptr};
  if (cannot_improve(goal.ahead->choice.bound, goal)) return false;  // nor can those after it
  const std::uint64_t most = std::min(account.room(), account.limit() / kPlenty);
  goal.ahead->made = std::make_unique<Ahead>(most);
  return true;
}

/// Makes the tables of a choice as if it were its turn, beside the run's own memory. `screen`: that
/// of the incumbent.
void Minimiser::make_ahead(Turn& turn, const Target& target, const Incumbent& best,
                           const Hopeless& screen) const {
  Ahead& made = *turn.made;
  try {
    auto chosen = candidate(turn.choice.stores, screen, made.account);
    if (!chosen) {
      made.tables.emplace();
      return;
    }
    if (only_better(*chosen, target, best)) made.cutoff = cutoff_of(best);
    made.tables = tables(std::move(chosen), target, best, made.account);
  } catch (const run::Stopped&) {  // left to its turn
  } catch (const run::TooLarge&) {
  }
}

/// Whether a choice, or its tables, have only what a mapping better than the incumbent can have.
bool Minimiser::only_better(const StorageCandidate& chosen, const Target& target,
                            const Incumbent& best) const {
  return chosen.screened || leaves_out_hopeless(chosen, target, best);
}

/// The tables of a choice whose turn has come, if they were made and are what would be made now.
/// Their memory counts as the run's from now on: it is as if they were made now. Where nothing was
/// of interest, nothing is: since then, the incumbent can only have become better.
std::optional<std::unique_ptr<Minimiser::Tables>> Minimiser::take(Turn& turn, const Target& target,
                                                                  const Incumbent& best) {
  if (!turn.made || !turn.made->tables) return std::nullopt;
  const auto ahead = std::move(turn.made);
  auto made = *std::move(ahead->tables);
  if (!made) return made;
  run::Account& account = effort_.account;
  const StorageCandidate& chosen = *made->candidate;
  const bool same = ahead->cutoff
                        ? *ahead->cutoff == cutoff_of(best)
                        : !screen(target, best) && !leaves_out_hopeless(chosen, target, best);
  if (!same || account.used() + ahead->account.used() >= account.limit() / 2) return std::nullopt;
  account.note(ahead->account.peak());
  chosen.memory->move_to(account);
  made->memory.move_to(account);
  return made;
}

/// Whether a part of the space with this bound has nothing better than the incumbent.
bool Minimiser::cannot_improve(const Wide& bound, const GoalSearch& goal) const {
  const Wide* cutoff = goal.cutoff();
  if (cutoff != nullptr && bound >= *cutoff) return true;
  if (!question_.rules.has(Rule::lattice)) return false;
  return cutoff == nullptr ? bound == Wide::infinity() : known_.of(goal.target) >= *cutoff;
}

/// Whether what is known of a storage choice leaves nothing within the caps, or nothing better than
/// the incumbent: every goal rises with every cost.
bool Minimiser::too_dear(const std::vector<TensorFlags>& stores, const GoalSearch& goal) const {
  const auto floor = floors_.find(stores);
  if (floor == floors_.end()) return false;
  const Wide* cutoff = goal.cutoff();
  return !goal.target.keeps_caps(floor->second) ||
         (cutoff != nullptr && goal.target.value(floor->second) >= *cutoff);
}

/// Notes that a part of the space with this lower bound was not searched to the end.
void Minimiser::leave_open(const Wide& bound, GoalSearch& goal) const {
  goal.minimum.complete = false;
  goal.minimum.bound = std::min(goal.minimum.bound, std::max(bound, known_.of(goal.target)));
}

/// Tables of a choice, and perhaps a better mapping.
Minimiser::StartedRoot Minimiser::start_root(Turn& turn, const Target& target, Incumbent& best) {
  auto known = take(turn, target, best);
  if (!known) {
    auto chosen = candidate(turn.choice.stores, screen(target, best), effort_.account);
    if (!chosen) return {};
    known = tables(std::move(chosen), target, best, effort_.account);
  }
  auto of_choice = *std::move(known);
  if (!of_choice) return {};
  const Wide cutoff = cutoff_of(best);
  const bool of_better = inside_ != nullptr || only_better(*of_choice->candidate, target, best);
  auto prepared = std::make_unique<PreparedSearch>(*this, std::move(of_choice), target, best);
  if (question_.rules.has(Rule::lattice) && question_.rules.has(Rule::descent)) {
    auto found = prepared->problem.descend(best ? &best->first : nullptr);
    if (found) best = std::move(found);
  }
  return {std::move(prepared), of_better, cutoff};
}

/// Bounds of a choice; nothing if it is impossible.
std::optional<Minimiser::RootEvaluation> Minimiser::finish_root(const StorageChoice& choice,
                                                                StartedRoot started) const {
  if (!started.prepared) return std::nullopt;
  const RootBounds& bounds = started.prepared->problem.root_bounds();
  RootEvaluation root{choice.stores,  question_.rules.has(Rule::lattice) ? bounds.bound : Wide{},
                      bounds.latency, bounds.energy,
                      nullptr,        nullptr,
                      started.cutoff};
  if (started.of_better) root.all_latency = root.all_energy = 0;
  const auto chosen = started.prepared->tables->candidate;
  if (count_ <= kKept && effort_.account.roomy()) {
    root.prepared = std::move(started.prepared);
  } else if (count_ <= kKept && chosen->screened) {
    root.candidate = chosen;
  }
  return root;
}

/// Searches evaluated choices in the order of their bounds, as far as these are within `limit`.
void Minimiser::search_up_to(const Wide& limit, GoalSearch& goal) {
  while (!goal.evaluated.empty() && goal.evaluated.front().bound <= limit) {
    search(goal.evaluated.pop().part, goal);
  }
}

void Minimiser::search(RootEvaluation root, GoalSearch& goal) {
  const Wide bound = root.bound;
  if (cannot_improve(bound, goal)) return;
  if (goal.minimum.best && effort_.stopped()) return leave_open(bound, goal);
  try {
    if (const auto open = branch_and_bound(std::move(root), goal)) leave_open(*open, goal);
  } catch (const run::Stopped&) {  // before the search began
    leave_open(bound, goal);
  } catch (const run::TooLarge&) {
    if (!goal.minimum.best) throw;
    leave_open(bound, goal);
  }
}

/// Branch and bound under one storage choice; returns the open bound if a limit ended it.
std::optional<Wide> Minimiser::branch_and_bound(RootEvaluation root, GoalSearch& goal) {
  Incumbent& best = goal.minimum.best;
  const auto prepared = root.prepared ? std::move(root.prepared) : prepare(root, goal.target, best);
  if (!prepared) return std::nullopt;
  MappingProblem& problem = prepared->problem;
  problem.limit_labels(effort_.account.room() / 4);
  if (best) problem.improved(best->first);
  const Wide elsewhere = std::min({goal.tree.open_bound(), goal.minimum.bound,
                                   goal.evaluated.least_bound().value_or(Wide::infinity())});
  const search::TreeLimits limits{effort_.nodes_left(), [this] { return effort_.stopped(); },
                                  effort_.account.room()};
  const auto of_use = [&](const Incumbent& from) {
    return goal.improved_from != cutoff_of(from);  // or it would find what it found before
  };
  const auto taken = [&](const Incumbent& from) { goal.improved_from = cutoff_of(from); };
  const auto improve = [&](std::size_t part, const Incumbent& incumbent,
                           const std::function<bool()>& enough) {
    return improve_.search(part, goal.target, incumbent, enough);
  };
  Search search(problem, limits,
                [&](const auto& statistics, const Wide* incumbent, const Wide& bound) {
                  effort_.progress(goal.target, statistics, incumbent,
                                   std::max(std::min(bound, elsewhere), known_.of(goal.target)));
                },
                {improve_.parts, improve, of_use, taken});
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
