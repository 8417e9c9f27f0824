// Lines, hulls, and the regions of phases that overlap.
#include "dram_pim/device/slice_search.hpp"

#include <algorithm>
#include <cassert>

#include "dram_pim/mapper/scale.hpp"

namespace pimbb::dram_pim::device {
namespace {

/// Caps that keep line <= most, if a single cost is on it. False if nothing keeps it.
bool add_line_cap(Region& region, const Line& line, const Rational& most) {
  const Rational rest = most - line.constant;
  if (rest.sign() < 0) return false;
  if (line.activations.sign() > 0) {
    region.caps.push_back({Goal::activations, rest / line.activations});
  } else if (line.energy.sign() == 0) {
    if (line.latency.sign() > 0) region.caps.push_back({Goal::latency, rest / line.latency});
  } else if (line.latency.sign() == 0) {
    region.caps.push_back({Goal::energy, rest / line.energy});
  } else if (!region.blend) {
    region.blend = {line.latency / line.energy, 1};
    region.caps.push_back({Goal::blended, rest / line.energy});
  } else {
    // Mappings keep another line exactly: both meet in one point, unless they are parallel.
    const auto& [a, b] = *region.blend;
    const auto other = std::ranges::find(region.caps, Goal::blended, &GoalCap::goal);
    assert(other != region.caps.end());
    const Rational det = a * line.energy - b * line.latency;
    if (det.sign() == 0) return true;
    const Rational latency = (other->most * line.energy - b * rest) / det;
    const Rational energy = (a * rest - other->most * line.latency) / det;
    if (latency.sign() < 0 || energy.sign() < 0) return false;
    region.caps.push_back({Goal::latency, latency});
    region.caps.push_back({Goal::energy, energy});
  }
  return true;
}

/// One cap for each goal, in a fixed order: equal questions are asked once.
std::vector<GoalCap> merged(std::vector<GoalCap> caps) {
  std::ranges::stable_sort(caps, [](const GoalCap& a, const GoalCap& b) {
    return a.goal != b.goal ? a.goal < b.goal : a.most < b.most;
  });
  const auto repeated =
      std::unique(caps.begin(), caps.end(),
                  [](const GoalCap& a, const GoalCap& b) { return a.goal == b.goal; });
  caps.erase(repeated, caps.end());
  return caps;
}

/// latency * energy where the latency is the same for all mappings of a region.
Line product_line(const Region& region) {
  assert(region.stretch.sign() == 0);
  const Line energy = region.energy_line();
  return {region.time * energy.constant, 0, region.time * energy.energy, 0};
}

std::optional<Better> better_of(std::optional<Better> a, std::optional<Better> b) {
  if (!a) return b;
  if (!b) return a;
  return b->value < a->value ? b : a;
}

}  // namespace

Rational SliceSearch::HullWalk::product(const Rational& latency, const Rational& energy) const {
  const GoalCosts at{latency, energy, 0};
  return value_of(region.latency_line(), at) * value_of(region.energy_line(), at);
}

bool SliceSearch::HullWalk::worth(const Rational& bound) const {
  return !below || bound < *below || (ties && bound == *below);
}

void SliceSearch::HullWalk::meet(const Point& point) {
  const Rational value = product(point.costs.latency, point.costs.energy);
  if (!worth(value)) return;
  if (!ties) {
    below = value;
    found.clear();
  }
  found.push_back(point);
}

/// A mapping of the slice that minimises `goals` among those of a region.
std::optional<SliceSearch::Point> SliceSearch::ask(const Region& region, std::vector<Goal> goals,
                                                   const Weights& weights, const Limit& below) {
  if (below && below->sign() <= 0) return std::nullopt;
  Objective objective = question_.objective;
  objective.goals = std::move(goals);
  if (const Weights& both = region.blend ? region.blend : weights) {
    objective.alpha = both->first / both->second;
    objective.beta = 1;
  }
  const slices::SliceAnswer answer =
      solver_.least(slice_->layer, objective, merged(region.caps), below, slice_->choices);
  if (!answer.settled) stopped_ = true;
  if (answer.solution == nullptr) return std::nullopt;
  const Metrics& m = *answer.solution->metrics;
  return Point{{m.latency, m.energy, m.activations()}, answer.solution};
}

std::optional<Better> SliceSearch::least_on(const Region& region, const Line& line,
                                            const Limit& below) {
  if (below && line.constant >= *below) return std::nullopt;
  const auto rest = [&](const Rational& weight) -> Limit {
    if (!below || weight.sign() == 0) return std::nullopt;
    return (*below - line.constant) / weight;
  };
  std::optional<Point> point;
  if (line.activations.sign() > 0) {
    point = ask(region, {Goal::activations}, {}, rest(line.activations));
  } else if (line.energy.sign() == 0) {
    point = ask(region, {Goal::latency}, {}, rest(line.latency));
  } else if (line.latency.sign() == 0) {
    point = ask(region, {Goal::energy}, {}, rest(line.energy));
  } else if (region.blend) {
    const bool faster = line.latency * region.blend->second >= line.energy * region.blend->first;
    point = ask(region, {faster ? Goal::latency : Goal::energy}, {}, {});
  } else {
    point = ask(region, {Goal::blended}, std::pair(line.latency, line.energy), rest(line.energy));
  }
  if (!point) return std::nullopt;
  const Rational value = value_of(line, point->costs);
  if (below && value >= *below) return std::nullopt;
  return Better{point->solution, value};
}

/// Both ends of the hull, and what lies between. The slice's floor bounds what an end may cost.
void SliceSearch::walk(HullWalk& hull) {
  const Region& r = hull.region;
  const auto fastest_below = [&]() -> Limit {
    if (!hull.below || hull.ties) return std::nullopt;
    const Rational energy = value_of(r.energy_line(), slice_->floor);
    if (energy.sign() == 0) return std::nullopt;
    return (*hull.below / energy - r.time) / r.stretch;
  };
  const std::optional<Point> fast = ask(r, {Goal::latency, Goal::energy}, {}, fastest_below());
  if (!fast) return;
  hull.meet(*fast);
  const auto thrifty_below = [&]() -> Limit {
    if (!hull.below || hull.ties) return std::nullopt;
    const Rational latency = value_of(r.latency_line(), fast->costs);
    if (latency.sign() == 0) return std::nullopt;
    return (*hull.below / latency - r.energy - r.power * latency) / r.units;
  };
  const std::optional<Point> thrifty = ask(r, {Goal::energy, Goal::latency}, {}, thrifty_below());
  if (!thrifty) return;
  hull.meet(*thrifty);
  between(hull, *fast, *thrifty);
}

/// The vertices below the chord from `a`, which is faster, to `b`.
void SliceSearch::between(HullWalk& hull, const Point& a, const Point& b) {
  if (a.costs.latency >= b.costs.latency || a.costs.energy <= b.costs.energy) return;
  if (!hull.worth(hull.product(a.costs.latency, b.costs.energy))) return;
  const std::pair weights(a.costs.energy - b.costs.energy, b.costs.latency - a.costs.latency);
  const Rational chord = weights.first / weights.second * a.costs.latency + a.costs.energy;
  const std::optional<Point> c = ask(hull.region, {Goal::blended}, weights, chord);
  if (!c) return;
  hull.meet(*c);
  between(hull, a, *c);
  between(hull, *c, b);
}

/// The part of a region where the product may be below `below`: where each factor is, if the other
/// one is at its floor. The least product is on the hull of this part as well.
std::optional<Region> SliceSearch::narrowed(Region region, const Rational& below) const {
  const Rational latency = value_of(region.latency_line(), slice_->floor);
  const Rational energy = value_of(region.energy_line(), slice_->floor);
  if (latency.sign() > 0) {
    const Rational most = (below / latency - region.energy - region.power * latency) / region.units;
    if (most < slice_->floor.energy) return std::nullopt;
    region.caps.push_back({Goal::energy, most});
  }
  if (energy.sign() > 0) {
    const Rational most = (below / energy - region.time) / region.stretch;
    if (most < slice_->floor.latency) return std::nullopt;
    region.caps.push_back({Goal::latency, most});
  }
  return region;
}

std::optional<Better> SliceSearch::least_in(const Region& region, Goal goal, const Limit& below) {
  if (goal != Goal::edp) return least_on(region, region.line(question_.objective, goal), below);
  if (region.stretch.sign() == 0) return least_on(region, product_line(region), below);
  std::optional<Region> part = region;
  if (below) part = narrowed(region, *below);
  if (!part) return std::nullopt;
  HullWalk hull{*part, below, false, {}};
  walk(hull);
  if (hull.found.empty()) return std::nullopt;
  const Point& best = hull.found.front();
  return Better{best.solution, hull.product(best.costs.latency, best.costs.energy)};
}

/// The question's caps and those of attained activations, in terms of the slice. Limits of the
/// latency are those of a region.
std::vector<GoalCap> SliceSearch::caps_of(const Offer& offer,
                                          const std::vector<GoalCap>& attained) const {
  std::vector<GoalCap> caps;
  for (const GoalCap& a : attained) {
    if (a.goal == Goal::activations) caps.push_back({a.goal, a.most / offer.units});
  }
  return caps;
}

/// Phases that overlap: with s L <= c the slice's latency does not matter, so the least energy is
/// the best; any other mapping is of use only if it costs less energy than that.
std::vector<Region> SliceSearch::regions(const Offer& offer, const std::vector<GoalCap>& attained) {
  Region whole{offer.time,
               device_.stretch(),
               offer.energy,
               device_.static_power,
               offer.units,
               caps_of(offer, attained),
               {}};
  if (device_.phases == Phases::sequential) return {whole};
  Region hidden = whole;
  hidden.time = device_.launch + offer.time;
  hidden.stretch = 0;
  hidden.caps.push_back({Goal::latency, offer.time / device_.stretch()});
  Region beyond = whole;
  beyond.time = device_.launch;
  const std::optional<Point> thrifty = ask(hidden, {Goal::energy}, {}, {});
  if (!thrifty) return {beyond};
  const Rational step = mapper::make_scale(device_.unit, slice_->layer).energy(1);
  const Rational less = thrifty->costs.energy - step;
  if (less.sign() < 0) return {hidden};
  beyond.caps.push_back({Goal::energy, less});
  return {hidden, beyond};
}

/// The parts of a region whose mappings keep the optimum of an earlier goal.
std::vector<Region> SliceSearch::keeping(Region region, const GoalCap& attained) {
  if (attained.goal == Goal::activations) return {region};  // caps_of()
  if (attained.goal != Goal::edp) {
    const Line line = region.line(question_.objective, attained.goal);
    if (!add_line_cap(region, line, attained.most)) return {};
    return {region};
  }
  if (region.stretch.sign() == 0) {
    if (!add_line_cap(region, product_line(region), attained.most)) return {};
    return {region};
  }
  HullWalk hull{region, attained.most, true, {}};
  walk(hull);
  std::vector<Region> parts;
  for (const Point& vertex : hull.found) {
    Region part = region;
    // Where the energy is 0, every latency attains the product 0.
    if (attained.most.sign() > 0) part.caps.push_back({Goal::latency, vertex.costs.latency});
    part.caps.push_back({Goal::energy, vertex.costs.energy});
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Phases that overlap, and the latency alone: the fastest mapping is the best.
std::optional<Better> SliceSearch::fastest(const Offer& offer, const Limit& below,
                                           const std::vector<GoalCap>& caps) {
  const Rational hidden = device_.launch + offer.time;
  if (below && hidden >= *below) return std::nullopt;
  const Region region{
      device_.launch, device_.stretch(), offer.energy, device_.static_power, offer.units, caps, {}};
  std::optional<Better> best = least_on(region, region.latency_line(), below);
  if (best) best->value = max(best->value, hidden);
  return best;
}

std::optional<Better> SliceSearch::least(const Slice& slice, const Offer& offer, Goal goal,
                                         const std::vector<GoalCap>& attained,
                                         const std::optional<Rational>& below) {
  slice_ = &slice;
  const bool first =
      std::ranges::all_of(attained, [](const GoalCap& a) { return a.goal == Goal::activations; });
  const bool overlapped = device_.phases == Phases::overlapped;
  if (overlapped && first && goal == Goal::latency) {
    return fastest(offer, below, caps_of(offer, attained));
  }
  const bool no_latency =
      goal == Goal::activations || (goal == Goal::energy && device_.static_power.sign() == 0);
  std::vector<Region> parts;
  if (overlapped && first && no_latency) {
    parts = {Region{device_.launch,
                    device_.stretch(),
                    offer.energy,
                    device_.static_power,
                    offer.units,
                    caps_of(offer, attained),
                    {}}};
  } else {
    parts = regions(offer, attained);
  }
  for (const GoalCap& kept : attained) {
    std::vector<Region> next;
    for (Region& part : parts) {
      std::ranges::move(keeping(std::move(part), kept), std::back_inserter(next));
    }
    parts = std::move(next);
  }
  std::optional<Better> best;
  std::optional<Rational> limit = below;
  for (const Region& part : parts) {
    best = better_of(best, least_in(part, goal, limit));
    if (best) limit = best->value;
  }
  return best;
}

}  // namespace pimbb::dram_pim::device
