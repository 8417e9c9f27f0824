// Shares and their choice.
#include "dram_pim/device_network/shared_bank.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "dram_pim/mapper/scale.hpp"

namespace pimbb::dram_pim::device_network {
namespace {

using network::LeastSums;
using network::Values;

Values values_of(const DeviceSolution& solution) {
  Values values;
  for (const GoalResult& goal : solution.goals) values.push_back(goal.value);
  return values;
}

Values scaled(Values values, const Rational& factor) {
  for (Rational& value : values) value *= factor;
  return values;
}

}  // namespace

bool SharedBank::Part::settled() const {
  return solution != nullptr &&
         (solution->status == Status::optimal || solution->status == Status::infeasible);
}

SharedBank::SharedBank(LayerAnswers& answers, const Network& shapes,
                       const std::vector<std::vector<std::int64_t>>& members,
                       const std::vector<std::vector<std::size_t>>& variants)
    : answers_(answers),
      shapes_(shapes),
      members_(members),
      variants_(variants),
      capacity_(answers.device().unit.levels.back().capacity) {}

LeastSums SharedBank::least(const Objective& sums) {
  objective_ = sums;
  room_.reset();
  reason_.clear();
  unfinished_ = false;
  if (!ask_whole_layers()) return keep(std::nullopt, {});
  if (capacity_ && !fits_freely()) open_the_rest();
  std::optional<Selection> selection = select(false);
  for (; selection; selection = select(false)) {
    const bool own = objective_.goals == answers_.question().objective.goals;
    if (own) report(objective_.goals.front(), nullptr, selection->floor.front());
    if (complete(*selection)) return keep(selection, selection->floor);
    if (stopped()) break;
    if (!ask_more(*selection) && !ask_again(*selection)) break;
  }
  if (!selection) {
    reason_ = too_small().value_or("no mappings of all layers together fit a unit's bank of " +
                                   std::to_string(*capacity_) + " bytes");
    return keep(std::nullopt, {});
  }
  std::optional<Selection> known = select(true);
  if (!known && room_) {
    ask_smallest();
    known = select(true);
  }
  if (!known && room_) reason_ = too_small().value_or("");
  unfinished_ = !known && reason_.empty();
  return keep(known, selection->floor);
}

/// False if a layer has no mapping at all.
bool SharedBank::ask_whole_layers() {
  parts_.assign(shapes_.layers.size(), {});
  std::vector<Asked> asked;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const std::size_t variant = variants_[s].front();
    parts_[s].push_back({variant, {}, Values(objective_.goals.size())});
    asked.push_back({variant, {}});
  }
  const std::vector<const DeviceSolution*> solutions = answers_.solve(asked, objective_);
  for (std::size_t s = 0; s < parts_.size(); ++s) learn({s, 0}, *solutions[s]);
  return std::ranges::none_of(parts_, [](const auto& parts) { return parts.front().gone; });
}

/// Whether the banks have room for what is best for each layer alone.
bool SharedBank::fits_freely() {
  const std::optional<Selection> free = select(false);
  if (!free || !complete(*free)) return false;
  Int128 weights = 0;
  std::int64_t io = 0;
  for (const Chosen& chosen : free->chosen) {
    const BankNeed need = need_of(part(chosen.entry.place));
    weights += Int128{chosen.repetitions} * need.weight;
    io = std::max(io, need.io);
  }
  return weights + io <= *capacity_;
}

void SharedBank::open_the_rest() {
  room_ = capacity_;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const Values floor = parts_[s].front().floor;
    divide({s, 0});
    for (std::size_t k = 1; k < variants_[s].size(); ++k) {
      add_part(s, variants_[s][k], {}, floor);
    }
  }
}

void SharedBank::learn(const Place& place, const DeviceSolution& solution) {
  Part& of = part(place);
  const bool better = !of.mapped() || solution.status == Status::optimal ||
                      (solution.mapping && values_of(solution) < values_of(*of.solution));
  if (better) of.solution = &solution;
  if (solution.status == Status::infeasible) {
    of.gone = true;
    return;
  }
  if (solution.goals.size() == objective_.goals.size()) {
    of.floor = std::max(of.floor, network::floor_of(solution.goals));
  }
  if (room_) divide(place);
}

/// What is left of the share beside its best mapping: slices that need less.
void SharedBank::divide(const Place& place) {
  const Part whole = part(place);
  if (!whole.settled() || !whole.mapped()) return;
  const BankNeed best = need_of(whole);
  BankShare less_weight = whole.share;
  less_weight.most.weight = best.weight - 1;
  BankShare less_io = whole.share;
  less_io.above.weight = std::max(less_io.above.weight, best.weight - 1);
  less_io.most.io = best.io - 1;
  add_part(place.shape, whole.variant, less_weight, whole.floor);
  add_part(place.shape, whole.variant, less_io, whole.floor);
}

void SharedBank::add_part(std::size_t shape, std::size_t variant, const BankShare& share,
                          Values floor) {
  if (corner(variant, share)) parts_[shape].push_back({variant, share, std::move(floor)});
}

/// The least weight and the least input and output of a share's slices.
std::optional<BankNeed> SharedBank::corner(std::size_t variant, const BankShare& share) {
  std::optional<BankNeed> least;
  for (const BankNeed& need : answers_.needs(variant)) {
    if (!share.admits(need)) continue;
    if (!least) least = need;
    least->weight = std::min(least->weight, need.weight);
    least->io = std::min(least->io, need.io);
  }
  return least;
}

BankNeed SharedBank::need_of(const Part& part) const {
  const Variant& v = answers_.variant(part.variant);
  return bank_need(answers_.device(), *v.layer, v.moves, part.solution->mapping->slice);
}

std::optional<SharedBank::Entry> SharedBank::entry_of(const Place& place, bool known) {
  const Part& of = part(place);
  if (of.gone || (known ? !of.mapped() : of.settled())) return std::nullopt;
  Entry entry{place, known, {}, known ? values_of(*of.solution) : of.floor};
  if (room_) entry.need = known ? need_of(of) : *corner(of.variant, of.share);
  return entry;
}

/// The least choice of a part for every layer; those that are not known only at their bounds.
std::optional<SharedBank::Selection> SharedBank::select(bool known_only) {
  std::vector<Chosen> candidates;
  std::vector<search::ChoiceGroup> groups;
  std::vector<std::size_t> first;  // candidate of a group
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    std::vector<Entry> entries;
    for (std::size_t k = 0; k < parts_[s].size(); ++k) {
      if (auto entry = entry_of({s, k}, true)) entries.push_back(*std::move(entry));
      if (known_only) continue;
      if (auto entry = entry_of({s, k}, false)) entries.push_back(*std::move(entry));
    }
    for (const std::int64_t repetitions : members_[s]) {
      const Rational times = shapes_.layers[s].workload.weight * repetitions;
      search::ChoiceGroup& group = groups.emplace_back();
      first.push_back(candidates.size());
      for (const Entry& entry : entries) {
        group.push_back(
            {Int128{repetitions} * entry.need.weight, entry.need.io, scaled(entry.cost, times)});
        candidates.push_back({repetitions, entry});
      }
    }
  }
  auto choice = search::least_choice(groups, room_, [this] { return stopped(); });
  if (!choice) return std::nullopt;
  Selection selection{{}, std::move(choice->cost), std::move(choice->floor)};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    selection.chosen.push_back(candidates[first[g] + choice->options[g]]);
  }
  return selection;
}

/// Whether the selection is of mappings that are the best of their parts.
bool SharedBank::complete(const Selection& selection) {
  return std::ranges::all_of(selection.chosen, [&](const Chosen& chosen) {
    return chosen.entry.known && part(chosen.entry.place).settled();
  });
}

/// Solves the parts of a selection that were not asked about, within the room that it leaves: what
/// is found fits together. False if there are none.
bool SharedBank::ask_more(const Selection& selection) {
  Int128 sizes = 0;
  std::int64_t peak = 0;
  std::int64_t repetitions = 0;
  std::map<std::pair<std::size_t, std::size_t>, BankNeed> open;
  for (const auto& [times, entry] : selection.chosen) {
    sizes += Int128{times} * entry.need.weight;
    peak = std::max(peak, entry.need.io);
    if (part(entry.place).solution != nullptr) continue;
    repetitions += times;
    open.emplace(std::pair(entry.place.shape, entry.place.part), entry.need);
  }
  if (open.empty()) return false;
  assert(room_);
  const auto half = static_cast<std::int64_t>((*room_ - sizes - peak) / 2);
  std::vector<Place> places;
  std::vector<Asked> asked;
  for (const auto& [key, need] : open) {
    const Place place{key.first, key.second};
    if (!cut(place, {need.weight + half / repetitions, peak + half})) continue;
    places.push_back(place);
    asked.push_back({part(place).variant, part(place).share});
  }
  const std::vector<const DeviceSolution*> solutions = answers_.solve(asked, objective_);
  for (std::size_t k = 0; k < places.size(); ++k) learn(places[k], *solutions[k]);
  return true;
}

/// When a limit has ended the search too early: any mappings that fit together, of slices that need
/// about as little as possible.
void SharedBank::ask_smallest() {
  std::vector<search::ChoiceGroup> groups;
  std::vector<std::vector<std::size_t>> variants;  // by group and option
  std::int64_t repetitions = 0;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    search::ChoiceGroup& group = groups.emplace_back();
    variants.emplace_back();
    repetitions += shapes_.layers[s].repetitions;
    for (const std::size_t variant : variants_[s]) {
      for (const BankNeed& need : answers_.needs(variant)) {
        const Rational weights = Rational(need.weight) * shapes_.layers[s].repetitions;
        const Int128 size = Int128{need.weight} * shapes_.layers[s].repetitions;
        group.push_back({size, need.io, {weights}});
        variants.back().push_back(variant);
      }
    }
  }
  const auto choice = search::least_choice(groups, room_);
  if (!choice) return;
  Int128 sizes = 0;
  Int128 peak = 0;
  for (std::size_t s = 0; s < groups.size(); ++s) {
    sizes += groups[s][choice->options[s]].size;
    peak = std::max(peak, groups[s][choice->options[s]].peak);
  }
  const Int128 half = (*room_ - sizes - peak) / 2;
  std::vector<Asked> asked;
  for (std::size_t s = 0; s < groups.size(); ++s) {
    const Int128 own = groups[s][choice->options[s]].size / shapes_.layers[s].repetitions;
    BankShare share;
    share.most.weight = static_cast<std::int64_t>(own + half / repetitions);
    share.most.io = static_cast<std::int64_t>(peak + half);
    asked.push_back({variants[s][choice->options[s]], share});
    parts_[s].push_back({asked.back().variant, share, Values(objective_.goals.size())});
  }
  const std::vector<const DeviceSolution*> solutions = answers_.solve(asked, objective_);
  for (std::size_t s = 0; s < groups.size(); ++s) {
    Part& smallest = parts_[s].back();
    smallest.solution = solutions[s];
    smallest.gone = !smallest.mapped();
  }
}

/// Divides a part in two or three, of which the first needs `most` at most and stays in its place.
/// False if it is empty.
bool SharedBank::cut(const Place& place, const BankNeed& most) {
  const Part whole = part(place);
  BankShare inside = whole.share;
  inside.most.weight = std::min(inside.most.weight, most.weight);
  inside.most.io = std::min(inside.most.io, most.io);
  BankShare more_weight = whole.share;
  more_weight.above.weight = inside.most.weight;
  BankShare more_io = whole.share;
  more_io.most.weight = inside.most.weight;
  more_io.above.io = inside.most.io;
  add_part(place.shape, whole.variant, more_weight, whole.floor);
  add_part(place.shape, whole.variant, more_io, whole.floor);
  Part& rest = part(place);
  rest.share = inside;
  rest.gone = !corner(rest.variant, inside);
  return !rest.gone;
}

/// Under a time limit: the part with the widest gap once more, in at least twice the time.
bool SharedBank::ask_again(const Selection& selection) {
  constexpr double kLeast = 0.01;  // seconds that are worth another search
  const std::optional<double> left = answers_.left();
  if (!left) return false;
  std::optional<Place> worst;
  Rational widest;
  for (const auto& [times, entry] : selection.chosen) {
    const Part& of = part(entry.place);
    if (of.settled() || of.solution->goals.empty()) continue;
    if (*left < std::max(kLeast, 2 * of.solution->seconds)) continue;
    const Rational gap = shapes_.layers[entry.place.shape].workload.weight * times *
                         (of.solution->goals.front().value - of.floor.front());
    if (worst && gap <= widest) continue;
    worst = entry.place;
    widest = gap;
  }
  if (!worst) return false;
  const Part& of = part(*worst);
  const double seconds = std::max(2 * of.solution->seconds, *left / 2);
  const auto solutions = answers_.solve({{of.variant, of.share, seconds}}, objective_);
  learn(*worst, *solutions.front());
  return true;
}

/// Keeps a selection of mappings; without one, what is best for each layer alone.
LeastSums SharedBank::keep(const std::optional<Selection>& selection, const Values& floor) {
  std::vector<Pick>& picks = found_.emplace_back();
  if (!selection) {
    for (std::size_t s = 0; s < parts_.size(); ++s) {
      const Part& first = parts_[s].front();
      picks.push_back({s, shapes_.layers[s].repetitions, first.variant, first.solution});
    }
    return {};
  }
  LeastSums sums{true, selection->cost, std::min(floor, selection->cost), {0, 0, 0}};
  for (const auto& [repetitions, entry] : selection->chosen) {
    const Part& of = part(entry.place);
    const Rational times = shapes_.layers[entry.place.shape].workload.weight * repetitions;
    const GoalCosts costs = of.solution->metrics->costs();
    sums.totals.latency += times * costs.latency;
    sums.totals.energy += times * costs.energy;
    sums.totals.activations += times * costs.activations;
    const auto same = std::ranges::find(picks, of.solution, &Pick::solution);
    if (same == picks.end()) {
      picks.push_back({entry.place.shape, repetitions, of.variant, of.solution});
    } else {
      same->repetitions += repetitions;
    }
  }
  return sums;
}

/// What is missing, if not even the least needs of all slices fit.
std::optional<std::string> SharedBank::too_small() {
  std::vector<search::ChoiceGroup> groups;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    for (const std::int64_t repetitions : members_[s]) {
      search::ChoiceGroup& group = groups.emplace_back();
      for (const std::size_t variant : variants_[s]) {
        for (const BankNeed& need : answers_.needs(variant)) {
          group.push_back({Int128{repetitions} * need.weight, need.io, {}});
        }
      }
    }
  }
  const std::optional<Int128> least = search::least_room(groups);
  if (!least || *least <= *capacity_) return std::nullopt;
  const bool huge = *least > Int128{std::numeric_limits<std::int64_t>::max()};
  return "a unit's bank has " + std::to_string(*capacity_) +
         " bytes; the weights that stay there and one layer's input and " + "output need " +
         (huge ? "more than 2^63" : std::to_string(static_cast<std::int64_t>(*least))) +
         " at least";
}

/// The weights of a slice's blend are those of the device times refresh and units
/// (device/region.hpp): alpha' = (alpha + beta power) stretch / (beta units) for 1. They fit if the
/// numerator of alpha' fits beside the unit of the energy, and its denominator beside that of the
/// latency.
search::Blend SharedBank::fitting(const search::Blend& direction) {
  const Device& device = answers_.device();
  Rational most_alpha;
  Rational most_beta;
  const Rational limit = Rational::parse("1e37");  // below 2^126
  for (std::size_t v = 0; v < answers_.size(); ++v) {
    const Workload& layer = *answers_.variant(v).layer;
    const mapper::Scale scale = mapper::make_scale(device.unit, with_bounds(layer, layer.tops()));
    most_alpha = v == 0 ? limit * scale.energy(1) : std::min(most_alpha, limit * scale.energy(1));
    most_beta = v == 0 ? limit * scale.latency(1) : std::min(most_beta, limit * scale.latency(1));
  }
  const auto fits = [&](const search::Blend& blend) {
    if (blend.beta.sign() == 0) return true;
    const search::Blend own = search::coprime(
        {(blend.alpha + blend.beta * device.static_power) * device.stretch(), blend.beta});
    return own.alpha < most_alpha && own.beta * device.units() < most_beta;
  };
  search::Blend blend = direction;
  for (unsigned bits = 96; bits >= 1 && !fits(blend); bits /= 2) {
    blend = search::coarser(direction, bits);
  }
  return blend;
}

/// The bounds of searches that are over as soon as they have one.
std::optional<Rational> SharedBank::energy_floor() {
  std::vector<std::size_t> first;
  for (const std::vector<std::size_t>& variants : variants_) first.push_back(variants.front());
  const std::vector<Rational> floors = answers_.energy_floors(first);
  Rational sum;
  for (std::size_t s = 0; s < floors.size(); ++s) {
    sum += network::times(shapes_.layers[s]) * floors[s];
  }
  return sum;
}

void SharedBank::report(Goal goal, const Rational* best, const Rational& bound) {
  const RunLimits& limits = answers_.limits();
  if (!limits.on_progress) return;
  Progress progress;
  progress.goal = name(goal);
  if (best != nullptr) progress.incumbent = best->to_double();
  progress.bound = bound.to_double();
  progress.nodes = answers_.spent().nodes;
  progress.seconds = answers_.seconds();
  limits.on_progress(progress);
}

}  // namespace pimbb::dram_pim::device_network
