// Parts of the space, best bound first.
#include "dram_pim/network/agreement.hpp"

#include <algorithm>
#include <numeric>

#include "exact/rounding.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// Layers of a part that are solved before it is compared with the others again.
constexpr std::size_t kAtOnce = 4;
/// Nodes of a layer's first search in a part; the next ones have 64 times as many.
constexpr std::uint64_t kFirstNodes = 4096;
constexpr int kMostTries = 8;

Values scaled(const Rational& times, Values values) {
  for (Rational& value : values) value *= times;
  return values;
}

}  // namespace

AgreementSearch::AgreementSearch(LayerPool& pool, const JointOptions& joint, Report report)
    : pool_(pool), joint_(joint), report_(std::move(report)), heaviest_first_(pool.size()) {
  std::iota(heaviest_first_.begin(), heaviest_first_.end(), 0);
  std::ranges::stable_sort(heaviest_first_, std::ranges::greater{}, [&](std::size_t i) {
    return times(pool_.layer(i)) * pool_.layer(i).workload.macs();
  });
}

Outcome AgreementSearch::run(const Objective& objective, const SumsTask& task) {
  objective_ = objective;
  open_.clear();
  parts_ = 0;
  dived_ = false;
  best_.reset();
  ceiling_.reset();
  for (const auto& layers : agreements_) {
    Values value = value_of(layers);
    if (!ceiling_ || value < *ceiling_) ceiling_ = std::move(value);
  }
  if (auto whole = root()) push(std::move(*whole));
  while (auto next = open_.next(best_ ? &best_value_ : nullptr)) {
    Part part = std::move(next->part);
    if (report_) report_(objective_, best_ ? best_value_.data() : nullptr, part.floor[0]);
    const bool enough = task.enough && !(part.floor[0] < *task.enough);
    if (best_ && (task.rough || enough)) {
      open_.leave_open(part.floor);
      break;
    }
    const bool complete = unsolved(part).empty() && ways_to_decide(part).empty();
    if (pool_.stopped() && !complete) {
      open_.leave_open(part.floor);
      if (!best_) keep_at_once(part);
      break;
    }
    visit(std::move(part));
  }
  return outcome();
}

/// Nothing if a layer is known to have no mapping at all, as constraints may want it.
std::optional<AgreementSearch::Part> AgreementSearch::root() {
  Part part;
  part.id = parts_++;
  part.demand.stores.resize(pool_.architecture().levels.size());
  part.demand.order.inside.resize(pool_.architecture().levels.size());
  part.layers.resize(pool_.size());
  part.tries.resize(pool_.size());
  part.floors.assign(pool_.size(), Values(objective_.goals.size()));
  add_up(part);
  if (take_known(part)) return part;
  leave_if_unknown(part);
  return std::nullopt;
}

void AgreementSearch::push(Part part) {
  const auto unsolved = static_cast<std::size_t>(std::ranges::count(part.layers, nullptr));
  const std::uint64_t id = part.id;
  Values floor = part.floor;
  open_.push(std::move(floor), {unsolved, id}, std::move(part));
}

std::vector<std::size_t> AgreementSearch::unsolved(const Part& part) const {
  std::vector<std::size_t> layers;
  std::ranges::copy_if(heaviest_first_, std::back_inserter(layers),
                       [&](std::size_t i) { return part.layers[i] == nullptr; });
  return layers;
}

/// Takes what the pool knows; false if some layer has no mapping in this part.
bool AgreementSearch::take_known(Part& part) const {
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    Values floor;
    if (part.layers[i] == nullptr) part.layers[i] = pool_.find(i, part.demand, objective_);
    if (part.layers[i] != nullptr) {
      if (!part.layers[i]->mapping) return false;
      floor = floor_of(part.layers[i]->goals);
    } else {
      floor = pool_.floor(i, part.demand, objective_);
    }
    part.floors[i] = std::max(part.floors[i], scaled(times(pool_.layer(i)), std::move(floor)));
  }
  add_up(part);
  return true;
}

void AgreementSearch::add_up(Part& part) const {
  part.floor.assign(objective_.goals.size(), {});
  for (const Values& floor : part.floors) part.floor += floor;
}

void AgreementSearch::visit(Part part) {
  const std::vector<std::size_t> open = unsolved(part);
  // Where something is known of every layer already, deciding first saves solving the relaxation.
  const bool decide_first =
      joint_.fix_bypass && open.size() == pool_.size() &&
      std::ranges::all_of(part.floors, [](const Values& floor) { return floor[0].sign() > 0; });
  std::vector<Demand> ways;
  if (decide_first || open.empty()) ways = ways_to_decide(part);
  if (ways.empty() && !open.empty()) {
    if (solve_some(part)) push(std::move(part));
    return;
  }
  if (ways.empty()) {
    keep(part);
    open_.leave_open(part.floor);  // its value, unless a limit has cut a layer short
  }
  if (open.empty() && !ways.empty() && !dived_) dive(part);
  // There are more partial orders than anyone can try; where a limit has cut layers short, deciding
  // more of them proves nothing more.
  const bool cut_short = std::ranges::any_of(part.layers, [](const Solution* layer) {
    return layer != nullptr && layer->status != Status::optimal;
  });
  if (joint_.fix_permutation && cut_short && !ways.empty()) {
    open_.leave_open(part.floor);
    if (!best_) keep_at_once(part);
    return;
  }
  for (Demand& way : ways) {
    if (auto smaller = child(part, std::move(way))) push(std::move(*smaller));
  }
}

/// False if a layer has no mapping in this part.
bool AgreementSearch::solve_some(Part& part, bool at_length) {
  std::vector<std::size_t> open = unsolved(part);
  std::ranges::stable_sort(open, {}, [&](std::size_t i) { return part.tries[i]; });
  open.resize(std::min(open.size(), kAtOnce));
  std::vector<LayerPool::Asked> layers;
  for (const std::size_t i : open) {
    LayerPool::Asked& asked = layers.emplace_back(limited(part, i));
    const bool short_at_first = asked.at_most && !pool_.limits().node_limit;
    if (short_at_first && !at_length && part.tries[i] < kMostTries) {
      asked.nodes = kFirstNodes << (6 * part.tries[i]++);
    }
  }
  // With a layer beyond its limit every mapping of the part costs more than what is known.
  if (!pool_.solve(layers, part.demand, objective_)) return false;
  if (take_known(part)) return true;
  leave_if_unknown(part);
  return false;
}

/// The least value of an agreement that is known, if there is one.
const Values* AgreementSearch::known_value() const {
  if (best_ && (!ceiling_ || best_value_ < *ceiling_)) return &best_value_;
  return ceiling_ ? &*ceiling_ : nullptr;
}

/// A layer of a part that is to be no worse than an agreement that is known: with what this leaves
/// beside the bounds of the other layers. Where it leaves nothing for the first goal, every layer
/// has to keep its bound of that, and the second goal is limited in the same way. Rounded, as a
/// limit that a layer exceeds becomes its bound.
LayerPool::Asked AgreementSearch::limited(const Part& part, std::size_t layer) const {
  LayerPool::Asked asked{layer, {}, {}, {}};
  const Values* known = known_value();
  // Parts that differ in loop orders alone use the same optima of layers again and again.
  const bool unlimited = !joint_.fix_bypass || is_heuristic(pool_.question().method);
  if (known == nullptr || unlimited) return asked;
  const Rational times = network::times(pool_.layer(layer));
  const Values& own = part.floors[layer];
  const auto rest = [&](std::size_t goal) {
    return max(0, ((*known)[goal] - part.floor[goal] + own[goal]) / times);
  };
  const bool tied = (*known)[0] == part.floor[0];
  asked.at_most = tied ? rest(0) : few_digits_above(rest(0));
  if (tied && objective_.goals.size() > 1) {
    asked.cap = GoalCap{objective_.goals[1], few_digits_above(rest(1))};
  }
  return asked;
}

/// Leaves a part open that lacks a mapping only because a limit ended the search for one.
void AgreementSearch::leave_if_unknown(const Part& part) {
  const bool unknown = std::ranges::any_of(part.layers, [](const Solution* layer) {
    return layer != nullptr && layer->status == Status::unknown;
  });
  const bool impossible = std::ranges::any_of(part.layers, [](const Solution* layer) {
    return layer != nullptr && layer->status == Status::infeasible;
  });
  if (unknown && !impossible) open_.leave_open(part.floor);
}

std::optional<AgreementSearch::Part> AgreementSearch::child(const Part& part, Demand demand) {
  Part smaller = part;
  smaller.id = parts_++;
  smaller.demand = std::move(demand);
  for (const Solution*& layer : smaller.layers) {
    const bool stays =
        layer != nullptr && layer->status == Status::optimal &&
        smaller.demand.kept_by(pool_.architecture(), *layer->mapping, pool_.question().row_model);
    if (!stays) layer = nullptr;
  }
  if (!take_known(smaller)) {
    leave_if_unknown(smaller);
    return std::nullopt;
  }
  return smaller;
}

/// Demands that together cover the part, each decided further; none if its layers agree.
std::vector<Demand> AgreementSearch::ways_to_decide(const Part& part) const {
  const Architecture& a = pool_.architecture();
  for (std::size_t m = 0; joint_.fix_bypass && m < a.row_buffer(); ++m) {
    if (!a.levels[m].bypass_free || part.demand.stores[m]) continue;
    const Solution* first = part.layers.front();
    const bool agree =
        first != nullptr && std::ranges::all_of(part.layers, [&](const Solution* s) {
          return s != nullptr && s->mapping->levels[m].stores == first->mapping->levels[m].stores;
        });
    if (!agree) return ways_to_store(part.demand, m);
  }
  return joint_.fix_permutation && unsolved(part).empty() ? ways_to_order(part)
                                                          : std::vector<Demand>{};
}

/// One pair of dimensions that the mappings need the one way and the other.
std::vector<Demand> AgreementSearch::ways_to_order(const Part& part) const {
  LoopPrecedence pairs;
  for (const Solution* layer : part.layers) {
    unite(pairs, needs(pool_.architecture(), *layer->mapping, pool_.question().row_model));
  }
  if (!has_cycle(pairs)) return {};
  unite(pairs, part.demand.order);
  const Pair pair = *open_pair(pairs, part.demand.order);
  std::vector<Demand> ways(2, part.demand);
  ways[0].order = with(part.demand.order, pair);
  ways[1].order = with(part.demand.order, {pair.level, pair.outer, pair.inner});
  return ways;
}

/// A part in which everything is decided: what the heaviest layers of `part` do, and what the
/// others do where that leaves them free.
AgreementSearch::Part AgreementSearch::likely(const Part& part) {
  const Mapping& heaviest = *part.layers[heaviest_first_.front()]->mapping;
  Part decided = part;
  decided.id = parts_++;
  const Architecture& a = pool_.architecture();
  for (std::size_t m = 0; joint_.fix_bypass && m < a.row_buffer(); ++m) {
    if (a.levels[m].bypass_free) decided.demand.stores[m] = heaviest.levels[m].stores;
  }
  LoopPrecedence pairs = part.demand.order;
  for (const std::size_t i : heaviest_first_) {
    LoopPrecedence more = pairs;
    unite(more, needs(a, *part.layers[i]->mapping, pool_.question().row_model));
    if (joint_.fix_permutation && !has_cycle(more)) pairs = std::move(more);
  }
  if (joint_.fix_permutation) decided.demand.order = precedence_of(permutations(pairs));
  return decided;
}

/// A first agreement, so that a limit finds something, and bounds something to be compared with.
void AgreementSearch::dive(const Part& part) {
  dived_ = true;
  if (joint_.fix_bypass) know_some(part);
  auto decided = child(part, likely(part).demand);
  while (decided && !pool_.stopped()) {
    if (unsolved(*decided).empty()) return keep(*decided);
    if (!solve_some(*decided, true)) return;
  }
}

std::vector<Demand> AgreementSearch::ways_to_store(const Demand& demand, std::size_t level) const {
  const TensorFlags may = pool_.architecture().storable(level);
  std::vector<Demand> ways;
  for (unsigned stored = 1U << kTensors; stored-- > 0;) {
    Demand& way = ways.emplace_back(demand);
    way.stores[level].emplace();
    for (std::size_t t = 0; t < kTensors; ++t) {
      (*way.stores[level])[t] = (stored >> t & 1U) != 0;
      if ((*way.stores[level])[t] && !may[t]) {
        ways.pop_back();
        break;
      }
    }
  }
  return ways;
}

/// A part whose layers agree.
void AgreementSearch::keep(const Part& part) {
  Values value = value_of(part.layers);
  agreements_.push_back(part.layers);
  if (best_ && value >= best_value_) return;
  best_ = part;
  best_value_ = std::move(value);
}

Values AgreementSearch::value_of(const std::vector<const Solution*>& layers) const {
  Values value(objective_.goals.size());
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    value += scaled(times(pool_.layer(i)), values_of(objective_, *layers[i]->metrics));
  }
  return value;
}

/// What a local search finds if every level with a choice stores all that it may, or nothing.
std::optional<AgreementSearch::Part> AgreementSearch::at_once(const Part& part, bool full) {
  const Architecture& a = pool_.architecture();
  Part decided = part;
  if (joint_.fix_permutation) {
    decided.demand.order = precedence_of(permutations(part.demand.order));
  }
  for (std::size_t m = 0; joint_.fix_bypass && m < a.row_buffer(); ++m) {
    if (!a.levels[m].bypass_free || decided.demand.stores[m]) continue;
    decided.demand.stores[m] = full ? a.storable(m) : TensorFlags{};
  }
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    decided.layers[i] = &pool_.at_once(i, decided.demand, objective_);
  }
  const auto has_mapping = [](const Solution* s) { return s->metrics.has_value(); };
  if (!std::ranges::all_of(decided.layers, has_mapping)) return std::nullopt;
  return decided;
}

/// Where time is up before anything else is known.
void AgreementSearch::keep_at_once(const Part& part) {
  for (const bool full : {true, false}) {
    if (const auto decided = at_once(part, full)) keep(*decided);
    if (!joint_.fix_bypass) return;
  }
}

/// Agreements of no great quality, but with them no layer is searched without a limit.
void AgreementSearch::know_some(const Part& part) {
  for (const bool full : {true, false}) {
    const auto decided = at_once(part, full);
    if (!decided) continue;
    Values value = value_of(decided->layers);
    if (!ceiling_ || value < *ceiling_) ceiling_ = std::move(value);
  }
}

Outcome AgreementSearch::outcome() const {
  Outcome outcome;
  outcome.parts = parts_;
  outcome.unfinished = !best_ && open_.least_bound().has_value();
  if (!best_) return outcome;
  outcome.layers = best_->layers;
  outcome.value = best_value_;
  outcome.floor = std::min(best_value_, open_.least_bound().value_or(best_value_));
  return outcome;
}

}  // namespace pimbb::dram_pim::network
