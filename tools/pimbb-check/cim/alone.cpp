// Dynamic programming over levels from the DRAM inwards and plots from the full extents backwards.
#include "alone.hpp"

#include <algorithm>

namespace pimbb_check::cim {

void Rest::take(const Rest& other) {
  if (!other.possible) return;
  energy = possible ? std::min(energy, other.energy) : other.energy;
  time = possible ? std::min(time, other.time) : other.time;
  possible = true;
}

Alone::Alone(const Space& space) : space_(space), p_(space.problem()) {
  for (std::size_t t = 0; t < 3; ++t) {
    weigh(t);
    for (std::size_t m = p_.levels.size(); m-- > 0;) {
      if (!p_.levels[m].stores[t]) continue;
      fill(t, false, m);
      if (t == kOutput) fill(t, true, m);
    }
    start_[t] = leave(t, false, kMac, 0);
  }
}

void Alone::weigh(std::size_t t) {
  left_[t].resize(space_.plots(t));
  for (auto& weights : weight_[t]) weights.resize(space_.plots(t));
  for (std::size_t plot = 0; plot < space_.plots(t); ++plot) {
    std::int64_t left = 1;
    std::int64_t largest = 1;
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!relevant(t, j)) continue;
      const Place& place = space_.place_of_plot(t, plot, j);
      left *= place.left;
      largest = std::max(largest, place.largest);
    }
    // Loops outside a relevant loop, and outside the next one after it.
    const std::int64_t outside = (left + largest - 1) / largest;
    const std::int64_t further = (outside + largest - 1) / largest;
    left_[t][plot] = left;
    weight_[t][0][plot] = ways(t) * left;
    weight_[t][1][plot] = t == kOutput ? 2 * outside : further;
  }
}

bool Alone::fits(std::size_t t, bool psum, std::size_t m, std::size_t plot,
                 std::int64_t copies) const {
  const auto& size = p_.levels[m].size;
  return !size || copies * space_.bits(t, m, plot, psum) <= *size;
}

Rest Alone::ended(std::size_t t, bool psum, std::size_t m, std::size_t plot) const {
  Rest rest;
  if (plot + 1 != space_.plots(t)) return rest;
  rest.possible = true;
  if (m == p_.dram()) return rest;
  rest.energy = space_.boot_out[t] + (m == kMac ? 0 : space_.boot_in(t, m, plot, psum));
  rest.time = ways(t) * space_.boot[t];
  return rest;
}

Rest Alone::leave(std::size_t t, bool psum, std::size_t m, std::size_t plot) const {
  const bool inside = m == kMac;  // of all levels
  const bool allowed = !inside && p_.doubling != Doubling::off && p_.levels[m].may_double[t];
  const bool forced = allowed && p_.doubling == Doubling::on;
  Rest best = ended(t, psum, m, plot);
  const bool hidden = allowed && fits(t, psum, m, plot, 2);
  if (forced && !hidden) return best;
  std::int64_t weight = forced ? INT64_MAX : weight_[t][0][plot];
  if (hidden) weight = std::min(weight, weight_[t][1][plot]);
  // The first block of outputs has partial sums if anything reduces; further out that depends on
  // loops to come, and the cheaper precision counts.
  const bool partial =
      t == kOutput && ((inside && space_.reductions > 1) || p_.psum_bits < p_.bits[kOutput]);
  for (std::size_t to = inside ? 0 : m + 1; to < p_.levels.size(); ++to) {
    if (!p_.levels[to].stores[t]) continue;
    Rest way = placed_[t][partial][to][plot];
    if (space_.moves(t, to)) {
      way.energy += space_.energy(t, to, partial, m, psum, plot) * left_[t][plot];
      if (p_.semantics == Semantics::recursion) {
        way.time += weight * space_.time(t, to, plot, partial, inside);
      }
    }
    if (inside && to != p_.innermost(t)) way.energy += space_.charged(t);
    best.take(way);
  }
  return best;
}

void Alone::fill(std::size_t t, bool psum, std::size_t m) {
  const std::size_t plots = space_.plots(t);
  std::vector<Rest>& placed = placed_[t][psum][m];
  std::vector<Rest>& leaving = leaving_[t][psum][m];
  placed.resize(plots);
  leaving.resize(plots);
  for (std::size_t plot = plots; plot-- > 0;) {
    if (!fits(t, psum, m, plot, 1)) continue;
    leaving[plot] = placed[plot] = leave(t, psum, m, plot);
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!relevant(t, j)) continue;
      const std::size_t stride = space_.plot_stride(t, j);
      const std::size_t at = plot / stride % space_.places(j).size();
      for (const Step& step : space_.places(j)[at].steps) {
        placed[plot].take(placed[plot + (step.to - at) * stride]);
      }
    }
  }
}

bool closed_at_once(const Problem& p, const Units& units, const Scheme& scheme,
                    const Claim& claim) {
  Factors whole = scheme.unrolled();
  for (std::size_t j = 0; j < kDims; ++j) whole[j] *= scheme.extents[j];
  const Time latency = scheme.products() * units.product;
  Energy dynamic = Energy{units.activation} * scheme.products() * scheme.cores();
  for (std::size_t t = 0; t < 3; ++t) {
    const std::int64_t bits = std::min(p.bits_of(t, false), p.bits_of(t, true));
    dynamic += Energy{p.elements(t, whole)} * bits * units.out(p, t, p.dram());
  }
  return claim.closes(latency, units.total(dynamic, latency));
}

bool closed_by_bound(const Space& space, const Alone& alone, const Claim& claim) {
  Time latency = space.products * space.units().product;
  Energy dynamic = space.activations();
  Time slowest = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    const Rest& rest = alone.start(t);
    if (!rest.possible) return true;
    slowest = std::max(slowest, rest.time);
    dynamic += rest.energy;
  }
  if (space.problem().semantics == Semantics::recursion) latency += slowest;
  const Int128 total = claim.with_energy() ? space.units().total(dynamic, latency) : Int128{0};
  return claim.closes(latency, total);
}

}  // namespace pimbb_check::cim
