// Pairwise steps on the mix of cuts, with bisection along each step.
#include "crossbar/assign/allocation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {

namespace {

constexpr double kLeastScale = 1e-9;  // 1 / sqrt(price) is between this and its inverse
constexpr double kSameScale = 1e-13;  // relative distance
constexpr int kNewtonSteps = 80;
constexpr int kHalvings = 12;    // of a step
constexpr double kClose = 1e-7;  // relative distance that is not worth a step
constexpr double kUnit = std::int64_t{1} << kCutBits;

std::vector<double> periods_of(const std::vector<double>& replication) {
  std::vector<double> periods;
  for (const double r : replication) periods.push_back(1 / r);
  return periods;
}

/// min over R in least .. most of floor(weight / R) + cost * R; `near` is about the best R.
Int128 least_priced(Int128 weight, Int128 cost, std::int64_t least, std::int64_t most,
                    double near) {
  auto r = static_cast<std::int64_t>(
      std::clamp(near, static_cast<double>(least), static_cast<double>(most)));
  while (r < most && weight > cost * r * (r + 1)) ++r;
  while (r > least && weight <= cost * r * (r - 1)) --r;
  return weight / r + cost * r;
}

}  // namespace

Allocation::Allocation(const Problem& problem, const Paths& paths)
    : problem_(problem), paths_(paths) {}

double Allocation::value(const Cut& cut, const std::vector<double>& replication) const {
  double sum = 0;
  for (std::size_t f = 0; f < replication.size(); ++f) {
    sum += static_cast<double>(cut.weights[f]) / replication[f];
  }
  return sum / kUnit;
}

std::size_t Allocation::add(const LongestPath& path) {
  Cut cut = paths_.cut(path);
  const auto known = std::ranges::find(cuts_, cut);
  if (known != cuts_.end()) return static_cast<std::size_t>(known - cuts_.begin());
  shares_.push_back(cuts_.empty() ? 1 : 0);
  cuts_.push_back(std::move(cut));
  steps_.push_back(path.steps);
  return cuts_.size() - 1;
}

/// With r = q * sqrt(weight / crossbars), q = 1 / sqrt(price), between its limits, the crossbars
/// used are a piecewise linear function of q: Newton's method, between values known to be below and
/// above.
Allocation::Priced Allocation::allocate(const std::vector<double>& weights, const Box& box) const {
  const auto room = static_cast<double>(problem_.all_crossbars());
  const std::size_t families = weights.size();
  std::vector<double> rates(families);
  for (std::size_t f = 0; f < families; ++f) {
    rates[f] = std::sqrt(weights[f] / static_cast<double>(problem_.families[f].crossbars));
  }
  Priced result;
  result.replication.resize(families);
  double slope = 0;
  const auto used_at = [&](double q) {
    double used = 0;
    slope = 0;
    for (std::size_t f = 0; f < families; ++f) {
      const auto crossbars = static_cast<double>(problem_.families[f].crossbars);
      const auto least = static_cast<double>(box.least[f]);
      const auto most = static_cast<double>(box.most[f]);
      const double r = std::clamp(q * rates[f], least, most);
      if (r > least && r < most) slope += rates[f] * crossbars;
      result.replication[f] = r;
      used += r * crossbars;
    }
    return used;
  };
  double low = kLeastScale;
  double high = 1 / kLeastScale;
  double q = high;
  if (used_at(q) > room) {
    q = 1;
    for (int i = 0; i < kNewtonSteps && high > low * (1 + kSameScale); ++i) {
      const double used = used_at(q);
      (used > room ? high : low) = q;
      if (std::abs(used - room) <= kSameScale * room) break;
      const double next = slope > 0 ? q + (room - used) / slope : 0;
      q = next > low && next < high ? next : std::sqrt(low * high);
    }
  }
  result.price = 1 / (q * q);
  return result;
}

std::optional<Allocation::Mix> Allocation::mix(double price) const {
  constexpr double whole = std::int64_t{1} << kShareBits;
  Mix mix;
  std::int64_t all_shares = 0;
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    const auto share = static_cast<std::int64_t>(std::floor(shares_[k] * (whole - 1)));
    if (share <= 0) continue;
    all_shares += share;
    mix.shares.emplace_back(k, share);
  }
  const double scaled = price * whole * kUnit;
  const auto room = static_cast<double>(problem_.all_crossbars());
  if (all_shares > std::int64_t{1} << kShareBits) return std::nullopt;  // no mix, by rounding
  if (!(scaled < 9e18) || !(scaled * room * room < 1e37)) return std::nullopt;
  mix.price = static_cast<std::int64_t>(scaled);
  return mix;
}

std::vector<Int128> Allocation::weights(const Mix& mix) const {
  std::vector<Int128> weights(problem_.families.size(), 0);
  for (const auto& [k, share] : mix.shares) {
    for (std::size_t f = 0; f < weights.size(); ++f) {
      weights[f] += Int128{cuts_[k].weights[f]} * share;
    }
  }
  return weights;
}

Rational Allocation::exact(const Box& box, const Mix& mix) const {
  const std::vector<Int128> weights = this->weights(mix);
  const Int128 cost = mix.price;
  Int128 bound = -cost * problem_.all_crossbars();
  for (std::size_t f = 0; f < weights.size(); ++f) {
    const Int128 each = cost * problem_.families[f].crossbars;
    const double near = each > 0 ? std::sqrt(to_double(weights[f]) / to_double(each)) : 1e18;
    bound += least_priced(weights[f], each, box.least[f], box.most[f], near);
  }
  if (bound <= 0) return 0;
  const Int128 units = bound >> kShareBits;
  if (units > Int128{std::int64_t{1} << 62}) return 0;
  return {static_cast<std::int64_t>(units), std::int64_t{1} << kCutBits};
}

std::vector<double> Allocation::mixed() const {
  std::vector<double> weights(problem_.families.size(), 0);
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    for (std::size_t f = 0; f < weights.size(); ++f) {
      weights[f] += shares_[k] * static_cast<double>(cuts_[k].weights[f]) / kUnit;
    }
  }
  return weights;
}

std::optional<Allocation::Rounding> Allocation::costliest_rounding(const Box& box) const {
  const std::vector<double> weights = mixed();
  const Priced priced = allocate(weights, box);
  std::optional<Rounding> costliest;
  double most = 0;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    if (box.least[f] == box.most[f]) continue;
    const double each = priced.price * static_cast<double>(problem_.families[f].crossbars);
    const auto cost = [&](double r) { return weights[f] / r + each * r; };
    const double r = priced.replication[f];
    const std::int64_t low =
        std::clamp(static_cast<std::int64_t>(r), box.least[f], box.most[f] - 1);
    const double down = cost(static_cast<double>(low)) - cost(r);
    const double up = cost(static_cast<double>(low + 1)) - cost(r);
    if (std::min(down, up) <= most) continue;
    most = std::min(down, up);
    costliest = {f, low};
  }
  return costliest;
}

std::size_t Allocation::worst_cut(const std::vector<double>& replication, double& mean) const {
  std::size_t worst = 0;
  double least = std::numeric_limits<double>::infinity();
  mean = 0;
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    if (shares_[k] <= 0) continue;
    const double each = value(cuts_[k], replication);
    mean += shares_[k] * each;
    if (each >= least) continue;
    least = each;
    worst = k;
  }
  return worst;
}

void Allocation::move(std::size_t from, std::size_t to, std::vector<double>& weights,
                      const Box& box) {
  const auto moved = [&](double share) {
    std::vector<double> at = weights;
    for (std::size_t f = 0; f < at.size(); ++f) {
      const auto step = static_cast<double>(cuts_[to].weights[f] - cuts_[from].weights[f]);
      at[f] = std::max(0.0, at[f] + share * step / kUnit);
    }
    return at;
  };
  const auto gains_at = [&](double share) {
    const Priced there = allocate(moved(share), box);
    return value(cuts_[to], there.replication) > value(cuts_[from], there.replication);
  };
  double low = 0;
  double high = shares_[from];
  if (gains_at(high)) {
    low = high;
  } else {
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (gains_at(middle) ? low : high) = middle;
    }
  }
  weights = moved(low);
  shares_[to] += low;
  shares_[from] = low == high ? 0 : shares_[from] - low;
}

Allocation::Bound Allocation::bound(const Box& box, int rounds, const std::function<bool()>& stop) {
  const std::vector<double> start(box.most.begin(), box.most.end());
  if (cuts_.empty()) add(paths_.longest(periods_of(start)));
  std::vector<double> weights = mixed();
  Priced now = allocate(weights, box);
  Bound result{0, now.replication, {}};
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds && !(stop && stop()); ++round) {
    const LongestPath path = paths_.longest(periods_of(now.replication));
    if (path.value < least) {
      least = path.value;
      result.replication = now.replication;
    }
    double mean = 0;
    const std::size_t worst = worst_cut(now.replication, mean);
    const std::size_t best = add(path);
    if (worst == best || path.value - mean <= kClose * path.value) break;
    move(worst, best, weights, box);
    now = allocate(weights, box);
  }
  for (const double factor : {0.98, 0.99, 0.995, 1.0, 1.005, 1.01, 1.02}) {
    std::optional<Mix> mixed = mix(now.price * factor);
    if (!mixed) continue;
    const Rational value = exact(box, *mixed);
    if (value <= result.value) continue;
    result.value = value;
    result.mix = std::move(*mixed);
  }
  return result;
}

}  // namespace pimbb::crossbar::assign
