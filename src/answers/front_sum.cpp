// Sums in integers where they fit 96 bits, else in rationals.
#include "answers/front_sum.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "exact/rational_impl.hpp"

namespace pimbb::answers {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::size_t kMostAxes = 3;
constexpr std::size_t kHurried = 64;  // points, once time is over
/// Thinning keeps sums apart by a share of 1 / 2^20 or a multiple of it.
constexpr int kShareBits = 20;
constexpr std::int64_t kShares = std::int64_t{1} << kShareBits;
constexpr int kSumBits = 96;  // that leaves as many as a share has

template <class Number>
using Costs = std::array<Number, kMostAxes>;  // 0 on a missing axis

template <class Number>
struct Sum {
  Costs<Number> costs{};
  std::uint32_t before = 0;  // the sum of the parts before, by its number
  std::uint32_t point = 0;   // of the last part
};
template <class Number>
using Sums = std::vector<Sum<Number>>;

/// No more than (1 + shares / 2^20) value.
Int128 stretched(Int128 value, std::int64_t shares) {
  const Int128 whole = value >> kShareBits;
  const Int128 rest = value - (whole << kShareBits);
  return value + whole * shares + ((rest * shares) >> kShareBits);
}
Rational stretched(const Rational& value, std::int64_t shares) {
  return value + value * Rational(shares, kShares);
}

template <class Number>
bool no_larger(const Costs<Number>& a, const Costs<Number>& b) {
  return a[0] <= b[0] && a[1] <= b[1] && a[2] <= b[2];
}

/// Leaves what no other sum dominates, in lexicographic order; of equal ones the first.
template <class Number>
void drop_dominated(Sums<Number>& sums) {
  std::ranges::stable_sort(sums, {}, &Sum<Number>::costs);
  // Of what came before, which is no larger on the first axis: the least on the third axis, by the
  // second one; steps go down.
  std::map<Number, Number> steps;
  std::erase_if(sums, [&](const Sum<Number>& sum) {
    const auto& [x, y, z] = sum.costs;
    auto next = steps.upper_bound(y);
    if (next != steps.begin() && std::prev(next)->second <= z) return true;
    while (next != steps.end() && next->second >= z) next = steps.erase(next);
    steps.insert_or_assign(y, z);
    return false;
  });
}

/// Keeps sums such that each is no larger than one that is dropped, stretched by the shares. Sums
/// in lexicographic order. Each kept one is the last that still covers the first one not covered:
/// on two axes no choice keeps fewer.
template <class Number>
Sums<Number> thinned(const Sums<Number>& sums, std::int64_t shares) {
  Sums<Number> kept;
  std::vector<char> covered(sums.size(), 0);
  for (std::size_t first = 0; first < sums.size(); ++first) {
    if (covered[first] != 0) continue;
    Costs<Number> most;
    for (std::size_t k = 0; k < kMostAxes; ++k) {
      most[k] = stretched(sums[first].costs[k], shares);
    }
    std::size_t chosen = first;
    for (std::size_t s = first + 1; s < sums.size() && sums[s].costs[0] <= most[0]; ++s) {
      if (no_larger(sums[s].costs, most)) chosen = s;
    }
    const Costs<Number>& costs = sums[chosen].costs;
    for (std::size_t s = first; s < sums.size(); ++s) {
      if (covered[s] != 0) continue;
      Costs<Number> limit;
      for (std::size_t k = 0; k < kMostAxes; ++k) limit[k] = stretched(sums[s].costs[k], shares);
      if (no_larger(costs, limit)) {
        covered[s] = 1;
      } else if (sums[s].costs[2] == Number(0) && s > chosen) {
        break;  // on two axes what is covered has no gaps
      }
    }
    kept.push_back(sums[chosen]);
  }
  std::ranges::sort(kept, {}, &Sum<Number>::costs);
  return kept;
}

/// The least shares, or about as few, that keep no more than `most` sums.
template <class Number>
std::int64_t shares_for(const Sums<Number>& sums, std::size_t most) {
  std::int64_t shares = 1;
  while (thinned(sums, shares).size() > most && shares < 64 * kShares) shares *= 2;
  return shares;
}

/// Sums of parts in numbers of one kind.
template <class Number>
class Summing {
 public:
  Summing(std::vector<Sums<Number>> parts, const SumLimits& limits)
      : parts_(std::move(parts)), limits_(limits) {}

  /// The number of a sum's point of each part, after run().
  [[nodiscard]] std::vector<std::uint32_t> chosen(std::size_t sum) const {
    std::vector<std::uint32_t> points(parts_.size());
    for (std::size_t p = parts_.size(); p-- > 0;) {
      points[p] = steps_[p][sum].point;
      sum = steps_[p][sum].before;
    }
    return points;
  }
  [[nodiscard]] const Sums<Number>& sums() const { return steps_.back(); }
  [[nodiscard]] const Rational& factor() const { return factor_; }

  void run() {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      Sums<Number> sums = parts_[p];
      if (p > 0) sums = added(steps_.back(), parts_[p]);
      drop_dominated(sums);
      thin(sums, p + 1 == parts_.size());
      steps_.push_back(std::move(sums));
    }
  }

 private:
  static Sums<Number> added(const Sums<Number>& before, const Sums<Number>& part) {
    Sums<Number> sums;
    sums.reserve(before.size() * part.size());
    for (std::size_t b = 0; b < before.size(); ++b) {
      for (const Sum<Number>& point : part) {
        Sum<Number>& sum = sums.emplace_back();
        for (std::size_t k = 0; k < kMostAxes; ++k) {
          sum.costs[k] = before[b].costs[k] + point.costs[k];
        }
        sum.before = static_cast<std::uint32_t>(b);
        sum.point = point.point;
      }
    }
    return sums;
  }

  /// A half of what is allowed goes to the steps between, all that is left to the last one. (A sum
  /// within 1 + E of another one is so after the same is added to both.)
  void thin(Sums<Number>& sums, bool last) {
    Rational allowed = (Rational(1) + limits_.within) / factor_ - 1;
    if (!last) {
      allowed = std::min(limits_.within, Rational(1)) /
                (2 * static_cast<std::int64_t>(std::max<std::size_t>(parts_.size(), 1)));
    }
    take(sums, shares_of(allowed));
    const std::size_t most = limits_.stop && limits_.stop() ? kHurried : limits_.most;
    if (sums.size() > most) take(sums, shares_for(sums, most));
  }

  static std::int64_t shares_of(const Rational& allowed) {
    if (allowed.sign() <= 0) return 0;
    const auto& exact = allowed.impl().value;
    const cpp_int shares = (numerator(exact) << kShareBits) / denominator(exact);
    return shares > 64 * kShares ? 64 * kShares : shares.convert_to<std::int64_t>();
  }

  void take(Sums<Number>& sums, std::int64_t shares) {
    if (shares == 0) return;
    Sums<Number> kept = thinned(sums, shares);
    if (kept.size() == sums.size()) return;
    sums = std::move(kept);
    factor_ *= Rational(1) + Rational(shares, kShares);
  }

  std::vector<Sums<Number>> parts_;
  const SumLimits& limits_;
  std::vector<Sums<Number>> steps_;  // sums of the first parts
  Rational factor_ = 1;
};

/// By axis the least common denominator of all costs; nothing if sums have too many bits.
std::optional<std::vector<cpp_int>> units_of(const std::vector<std::vector<Vector>>& parts) {
  const std::size_t axes = parts.front().front().size();
  std::vector<cpp_int> units(axes, 1);
  for (std::size_t k = 0; k < axes; ++k) {
    for (const auto& points : parts) {
      for (const Vector& point : points) {
        units[k] = lcm(units[k], cpp_int(denominator(point[k].impl().value)));
      }
    }
    cpp_int sum = 0;
    for (const auto& points : parts) {
      const Rational most =
          std::ranges::max(points, {}, [k](const Vector& point) { return point[k]; })[k];
      const auto& exact = most.impl().value;
      sum += numerator(exact) * units[k] / denominator(exact);
    }
    if (sum > (cpp_int(1) << kSumBits)) return std::nullopt;
  }
  return units;
}

template <class Number, class Convert>
std::vector<Sums<Number>> converted(const std::vector<std::vector<Vector>>& parts,
                                    const Convert& convert) {
  std::vector<Sums<Number>> numbers;
  for (const auto& points : parts) {
    Sums<Number>& sums = numbers.emplace_back();
    for (std::size_t p = 0; p < points.size(); ++p) {
      Sum<Number>& sum = sums.emplace_back();
      sum.point = static_cast<std::uint32_t>(p);
      for (std::size_t k = 0; k < points[p].size(); ++k) sum.costs[k] = convert(points[p][k], k);
    }
  }
  return numbers;
}

/// The points of each part, times its factor.
std::vector<std::vector<Vector>> weighted(std::span<const SumPart> parts) {
  std::vector<std::vector<Vector>> all;
  for (const SumPart& part : parts) {
    auto& points = all.emplace_back(part.points);
    for (Vector& point : points) {
      for (Rational& cost : point) cost *= part.times;
    }
  }
  return all;
}

template <class Number>
FrontSum result_of(const Summing<Number>& summing, const std::vector<std::vector<Vector>>& parts) {
  FrontSum front;
  front.within = summing.factor() - 1;
  for (std::size_t s = 0; s < summing.sums().size(); ++s) {
    FrontSum::Point& point = front.points.emplace_back();
    point.chosen = summing.chosen(s);
    point.costs = Vector(parts.front().front().size());
    for (std::size_t p = 0; p < parts.size(); ++p) {
      for (std::size_t k = 0; k < point.costs.size(); ++k) {
        point.costs[k] += parts[p][point.chosen[p]][k];
      }
    }
  }
  return front;
}

/// Groups of neighbours by the first axis become the least of each on every axis.
void coarsen(std::vector<Vector>& points, std::size_t most) {
  std::ranges::sort(points);
  std::vector<Vector> groups;
  const std::size_t size = (points.size() + most - 1) / most;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (p % size == 0) {
      groups.push_back(points[p]);
      continue;
    }
    for (std::size_t k = 0; k < points[p].size(); ++k) {
      groups.back()[k] = std::min(groups.back()[k], points[p][k]);
    }
  }
  points = std::move(groups);
}

void drop_dominated_vectors(std::vector<Vector>& points) {
  std::ranges::sort(points);
  std::vector<Vector> kept;
  for (const Vector& point : points) {
    if (std::ranges::none_of(kept, [&](const Vector& other) { return no_worse(other, point); })) {
      kept.push_back(point);
    }
  }
  points = std::move(kept);
}

}  // namespace

FrontSum front_of_sums(std::span<const SumPart> parts, const SumLimits& limits) {
  const std::vector<std::vector<Vector>> points = weighted(parts);
  if (const auto units = units_of(points)) {
    Summing<Int128> summing(converted<Int128>(points,
                                              [&](const Rational& cost, std::size_t axis) {
                                                const auto& exact = cost.impl().value;
                                                const cpp_int scaled = numerator(exact) *
                                                                       (*units)[axis] /
                                                                       denominator(exact);
                                                return scaled.convert_to<Int128>();
                                              }),
                            limits);
    summing.run();
    return result_of(summing, points);
  }
  Summing<Rational> summing(
      converted<Rational>(points, [](const Rational& cost, std::size_t) { return cost; }), limits);
  summing.run();
  return result_of(summing, points);
}

std::vector<Vector> floor_of_sums(std::span<const SumPart> parts, std::size_t most) {
  std::vector<Vector> sums;
  for (const auto& points : weighted(parts)) {
    std::vector<Vector> next;
    if (sums.empty()) next = points;
    for (const Vector& sum : sums) {
      for (const Vector& point : points) {
        Vector& both = next.emplace_back(sum);
        for (std::size_t k = 0; k < both.size(); ++k) both[k] += point[k];
      }
    }
    drop_dominated_vectors(next);
    if (next.size() > most) {
      coarsen(next, most);
      drop_dominated_vectors(next);
    }
    sums = std::move(next);
  }
  return sums;
}

}  // namespace pimbb::answers
