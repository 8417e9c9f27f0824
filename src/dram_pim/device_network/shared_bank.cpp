// Shares and their choice.
#include "dram_pim/device_network/shared_bank.hpp"

#include <algorithm>
#include <cassert>
#include <map>

#include "dram_pim/device_network/time_share.hpp"
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
                       const std::vector<std::vector<std::size_t>>& variants,
                       const StaySpace& stays)
    : answers_(answers),
      shapes_(shapes),
      members_(members),
      variants_(variants),
      capacity_(answers.device().unit.levels.back().capacity),
      stays_(stays) {}

LeastSums SharedBank::least(const Objective& sums, const network::SumsTask& /*task*/) {
  objective_ = sums;
  room_.reset();
  reason_.clear();
  unfinished_ = false;
  price_stays();  // first: a bound of the total needs all of them, and answers take all of the time
  if (!ask_whole_layers()) return keep(std::nullopt, {});
  open_stays();
  std::optional<Selection> selection = settle_freely();
  if (capacity_ && !fits_freely(selection)) {
    open_the_rest();
    selection = select(false);
  }
  Values floor(objective_.goals.size());
  for (; selection; selection = select(false)) {
    if (stays_.complete && selection->of_all_ways) floor = selection->floor;
    const bool own = objective_.goals == answers_.question().objective.goals;
    if (own) report(objective_.goals.front(), nullptr, floor.front());
    if (complete(*selection)) return keep(selection, floor);
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
  return keep(known, floor);
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

/// Bounds of all costs of the variants for tensors that stay, once; none if the time was over
/// before all of them were listed: they would bound nothing.
void SharedBank::price_stays() {
  if (stopped() && !stays_.complete) return;
  std::vector<std::size_t> all;
  for (const auto& variants : stays_.variants) {
    for (const StayVariant& stay : variants) all.push_back(stay.variant);
  }
  if (stay_floors_.size() < all.size()) stay_floors_ = answers_.floors(all, Floor::tightened);
}

/// Calls visit(shape, variant, its bounds) for all variants for tensors that stay, if they are
/// priced.
template <class Visit>
void SharedBank::for_each_stay(Visit visit) const {
  if (stay_floors_.empty()) return;
  auto floor = stay_floors_.begin();
  for (std::size_t s = 0; s < stays_.variants.size(); ++s) {
    for (const StayVariant& stay : stays_.variants[s]) visit(s, stay, *floor++);
  }
}

/// Parts for all tensors that may stay, at their bounds.
void SharedBank::open_stays() {
  price_stays();
  for_each_stay([&](std::size_t shape, const StayVariant& stay, const GoalCosts& floor) {
    if (stay.extra) return;
    Part part{stay.variant, {}, floor_values(floor)};
    part.sharp = false;
    parts_[shape].push_back(std::move(part));
  });
}

Values SharedBank::floor_values(const GoalCosts& floor) const {
  Values values;
  for (const Goal goal : objective_.goals) values.push_back(objective_.value(goal, floor));
  return values;
}

/// The best choice, whatever the banks have room for; as long as it has parts that stay and were
/// not asked about, these are.
std::optional<SharedBank::Selection> SharedBank::settle_freely() {
  std::optional<Selection> free = select(false);
  if (stay_floors_.empty()) return free;
  while (free && !complete(*free) && !stopped() && ask_more(*free)) free = select(false);
  return free;
}

/// Whether the banks have room for that choice, or for what is known of it if there is no time for
/// more.
bool SharedBank::fits_freely(std::optional<Selection> free) {
  if (free && !complete(*free)) free = stopped() ? select(true) : std::nullopt;
  if (!free) return false;
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
    const std::size_t whole = parts_[s].size();
    for (std::size_t k = 0; k < whole; ++k) divide({s, k});
    for (std::size_t k = 1; k < variants_[s].size(); ++k) {
      add_part(s, variants_[s][k], {}, floor);
    }
  }
  for_each_stay([&](std::size_t shape, const StayVariant& stay, const GoalCosts& floor) {
    if (stay.extra) add_part(shape, stay.variant, {}, floor_values(floor));
  });
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

/// What a layer of a shape may be mapped to, or may be hoped for.
std::vector<SharedBank::Entry> SharedBank::entries_of(std::size_t shape, bool known_only) {
  std::vector<Entry> entries;
  for (std::size_t k = 0; k < parts_[shape].size(); ++k) {
    if (auto entry = entry_of({shape, k}, true)) entries.push_back(*std::move(entry));
    if (known_only) continue;
    if (auto entry = entry_of({shape, k}, false)) entries.push_back(*std::move(entry));
  }
  return entries;
}

/// The entries of one layer of a chain between its states; `numbers`: which entries they are.
std::vector<search::PathOption> SharedBank::path_options(const Chain& chain, std::size_t layer,
                                                         const std::vector<Entry>& entries,
                                                         std::vector<std::size_t>& numbers) const {
  const Rational& weight = shapes_.layers[chain.shapes[layer]].workload.weight;
  const std::vector<StayOption>& stays = chain.options[layer];
  std::vector<search::PathOption> options;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    const std::size_t variant = parts_[entry.place.shape][entry.place.part].variant;
    search::PathOption option{0, 0, entry.need.weight, entry.need.io, {}};
    if (answers_.variant(variant).given) {
      const auto stay = std::ranges::lower_bound(stays, variant, {}, &StayOption::variant);
      if (stay == stays.end() || stay->variant != variant) continue;  // of other chains
      option.from = stay->before;
      option.to = stay->after;
    }
    option.cost = scaled(entry.cost, weight);
    options.push_back(std::move(option));
    numbers.push_back(k);
  }
  return options;
}

/// Single layers: each entry; chains: the paths of which no other is better. `all`: false if some
/// may be missing.
std::vector<SharedBank::Way> SharedBank::ways_of(const Chain& chain,
                                                 const std::vector<std::vector<Entry>>& entries,
                                                 bool& all) const {
  std::vector<Way> ways;
  std::vector<std::vector<std::size_t>> numbers(chain.shapes.size());
  std::vector<std::vector<search::PathOption>> layers;
  for (std::size_t i = 0; i < chain.shapes.size(); ++i) {
    layers.push_back(path_options(chain, i, entries[chain.shapes[i]], numbers[i]));
  }
  if (layers.size() == 1) {
    for (std::size_t k = 0; k < layers[0].size(); ++k) {
      search::PathOption& option = layers[0][k];
      ways.push_back({{numbers[0][k]}, {false}, option.size, option.peak, std::move(option.cost)});
    }
    return ways;
  }
  search::LeastPaths paths =
      search::least_paths(layers, room_.has_value(), [this] { return stopped(); });
  all = all && paths.complete;
  for (search::Path& path : paths.paths) {
    Way way{{}, {}, path.size, path.peak, std::move(path.cost)};
    for (std::size_t i = 0; i < layers.size(); ++i) {
      way.entries.push_back(numbers[i][path.options[i]]);
      way.stays.push_back(layers[i][path.options[i]].to != 0);
    }
    ways.push_back(std::move(way));
  }
  return ways;
}

/// The least choice of a part for every layer; those that are not known only at their bounds.
std::optional<SharedBank::Selection> SharedBank::select(bool known_only) {
  std::vector<std::vector<Entry>> entries;
  for (std::size_t s = 0; s < parts_.size(); ++s) entries.push_back(entries_of(s, known_only));
  std::vector<std::vector<Way>> ways;
  std::vector<search::ChoiceGroup> groups;
  bool all = true;
  for (const Chain& chain : stays_.chains) {
    ways.push_back(ways_of(chain, entries, all));
    for (const ChainMember& member : chain.members) {
      search::ChoiceGroup& group = groups.emplace_back();
      for (const Way& way : ways.back()) {
        group.push_back(
            {member.repetitions * way.size, way.peak, scaled(way.cost, member.repetitions)});
      }
    }
  }
  auto choice = search::least_choice(groups, room_, [this] { return stopped(); });
  if (!choice) return std::nullopt;
  Selection selection{{}, std::move(choice->cost), std::move(choice->floor), all};
  std::size_t g = 0;
  for (std::size_t c = 0; c < stays_.chains.size(); ++c) {
    const Chain& chain = stays_.chains[c];
    for (std::size_t m = 0; m < chain.members.size(); ++m, ++g) {
      const Way& way = ways[c][choice->options[g]];
      for (std::size_t i = 0; i < chain.shapes.size(); ++i) {
        selection.chosen.push_back({chain.members[m].repetitions,
                                    entries[chain.shapes[i]][way.entries[i]], c, m, i,
                                    way.stays[i]});
      }
    }
  }
  return selection;
}

/// Whether the selection is of mappings that are the best of their parts.
bool SharedBank::complete(const Selection& selection) {
  return std::ranges::all_of(selection.chosen, [&](const Chosen& chosen) {
    return chosen.entry.known && part(chosen.entry.place).settled();
  });
}

/// Tightens the bounds of parts that were chosen for the first time. False if there are none.
bool SharedBank::sharpen(const Selection& selection) {
  std::vector<Place> places;
  std::vector<std::size_t> variants;
  for (const Chosen& chosen : selection.chosen) {
    Part& of = part(chosen.entry.place);
    if (chosen.entry.known || of.sharp) continue;
    of.sharp = true;
    places.push_back(chosen.entry.place);
    variants.push_back(of.variant);
  }
  const std::vector<GoalCosts> floors = answers_.floors(variants, Floor::over_divisors);
  for (std::size_t k = 0; k < places.size(); ++k) {
    Values& floor = part(places[k]).floor;
    floor = std::max(floor, floor_values(floors[k]));
  }
  return !places.empty();
}

/// Solves the parts of a selection that were not asked about, within the room that it leaves: what
/// is found fits together. False if there are none.
bool SharedBank::ask_more(const Selection& selection) {
  if (sharpen(selection)) return true;
  Int128 sizes = 0;
  std::int64_t peak = 0;
  std::int64_t repetitions = 0;
  std::map<std::pair<std::size_t, std::size_t>, BankNeed> open;
  for (const Chosen& chosen : selection.chosen) {
    const Entry& entry = chosen.entry;
    sizes += Int128{chosen.repetitions} * entry.need.weight;
    peak = std::max(peak, entry.need.io);
    if (part(entry.place).solution != nullptr) continue;
    repetitions += chosen.repetitions;
    open.emplace(std::pair(entry.place.shape, entry.place.part), entry.need);
  }
  if (open.empty()) return false;
  const std::int64_t half =
      room_ ? static_cast<std::int64_t>((*room_ - sizes - peak) / 2) : BankShare::kAll;
  std::vector<Place> places;
  std::vector<Asked> asked;
  for (const auto& [key, need] : open) {
    const Place place{key.first, key.second};
    if (room_ && !cut(place, {need.weight + half / repetitions, peak + half})) continue;
    places.push_back(place);
    asked.push_back({part(place).variant, part(place).share});
  }
  const std::vector<const DeviceSolution*> solutions = answers_.solve(asked, objective_);
  for (std::size_t k = 0; k < places.size(); ++k) learn(places[k], *solutions[k]);
  return true;
}

/// When a limit has ended the search too early: any mappings that fit together, of slices that need
/// as little as possible.
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
        group.push_back({Int128{need.weight} * shapes_.layers[s].repetitions, need.io, {}});
        variants.back().push_back(variant);
      }
    }
  }
  const auto choice = search::smallest_choice(groups);
  if (!choice || choice->room > *room_) return;
  Int128 peak = 0;
  for (std::size_t s = 0; s < groups.size(); ++s) {
    peak = std::max(peak, groups[s][choice->options[s]].peak);
  }
  const Int128 half = (*room_ - choice->room) / 2;
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
  const std::optional<double> left = answers_.left();
  if (!left) return false;
  const std::optional<std::uint64_t> nodes = answers_.limits().node_limit;
  std::optional<Place> worst;
  Rational widest;
  for (const Chosen& chosen : selection.chosen) {
    const Entry& entry = chosen.entry;
    const Part& of = part(entry.place);
    if (of.settled() || of.solution->goals.empty()) continue;
    if (!time_again(*left, of.solution->seconds)) continue;
    // Cut short by the limit of nodes, it would end at the same place.
    if (nodes && of.solution->nodes >= *nodes) continue;
    const Rational gap = shapes_.layers[entry.place.shape].workload.weight * chosen.repetitions *
                         (of.solution->goals.front().value - of.floor.front());
    if (worst && gap <= widest) continue;
    worst = entry.place;
    widest = gap;
  }
  if (!worst) return false;
  const Part& of = part(*worst);
  const std::optional<double> seconds = time_again(*left, of.solution->seconds);
  const auto solutions = answers_.solve({{of.variant, of.share, seconds}}, objective_);
  learn(*worst, *solutions.front());
  return true;
}

/// Keeps a selection of mappings; without one, what is best for each layer alone.
LeastSums SharedBank::keep(const std::optional<Selection>& selection, const Values& floor) {
  std::vector<Pick>& picks = found_.emplace_back().picks;
  if (!selection) {
    for (std::size_t s = 0; s < parts_.size(); ++s) {
      const Part& first = parts_[s].front();
      picks.push_back({s, shapes_.layers[s].repetitions, first.variant, first.solution});
    }
    return {};
  }
  LeastSums sums{true, selection->cost, std::min(floor, selection->cost), {0, 0, 0}};
  for (const Chosen& chosen : selection->chosen) {
    const Part& of = part(chosen.entry.place);
    const std::size_t shape = chosen.entry.place.shape;
    const Rational times = shapes_.layers[shape].workload.weight * chosen.repetitions;
    const GoalCosts costs = of.solution->metrics->costs();
    sums.totals.latency += times * costs.latency;
    sums.totals.energy += times * costs.energy;
    sums.totals.activations += times * costs.activations;
    const auto same = std::ranges::find(picks, of.solution, &Pick::solution);
    if (same == picks.end()) {
      picks.push_back({shape, chosen.repetitions, of.variant, of.solution});
    } else {
      same->repetitions += chosen.repetitions;
    }
  }
  for (std::size_t k = 0; k + 1 < selection->chosen.size(); ++k) {
    const Chosen& chosen = selection->chosen[k];
    if (!chosen.stays) continue;
    const auto pick = [&](const Chosen& of) {
      const Part& known = part(of.entry.place);
      return Pick{of.entry.place.shape, of.repetitions, known.variant, known.solution};
    };
    found_.back().stays.push_back(
        {chosen.chain, chosen.member, chosen.layer, pick(chosen), pick(selection->chosen[k + 1])});
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
  const auto least = search::smallest_choice(groups);
  if (!least || least->room <= *capacity_) return std::nullopt;
  const bool huge = least->room > Int128{std::numeric_limits<std::int64_t>::max()};
  return "a unit's bank has " + std::to_string(*capacity_) +
         " bytes; the weights that stay there and one layer's input and " + "output need " +
         (huge ? "more than 2^63" : std::to_string(static_cast<std::int64_t>(least->room))) +
         " at least";
}

/// The weights of a slice's blend are those of the device times refresh and units
/// (device/region.hpp): alpha' = (alpha + beta power) stretch / (beta units) for 1. They fit if the
/// numerator of alpha' fits beside the unit of the energy, and its denominator beside that of the
/// latency.
search::Blend SharedBank::fitting(const search::Blend& direction) {
  const Device& device = answers_.device();
  std::optional<Rational> most_alpha;
  std::optional<Rational> most_beta;
  const Rational limit = Rational::parse("1e37");  // below 2^126
  for (const NetworkLayer& shape : shapes_.layers) {
    const Workload largest = with_bounds(shape.workload, shape.workload.tops());
    const mapper::Scale scale = mapper::make_scale(device.unit, largest);
    most_alpha = std::min(most_alpha.value_or(limit * scale.energy(1)), limit * scale.energy(1));
    most_beta = std::min(most_beta.value_or(limit * scale.latency(1)), limit * scale.latency(1));
  }
  const auto fits = [&](const search::Blend& blend) {
    if (blend.beta.sign() == 0) return true;
    const search::Blend own = search::coprime(
        {(blend.alpha + blend.beta * device.static_power) * device.stretch(), blend.beta});
    return own.alpha < *most_alpha && own.beta * device.units() < *most_beta;
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
  if (!stays_.complete) return Rational();
  std::vector<Rational> floors = answers_.energy_floors(first);
  price_stays();
  for_each_stay([&](std::size_t shape, const StayVariant&, const GoalCosts& floor) {
    floors[shape] = std::min(floors[shape], floor.energy);
  });
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
