// Sums and comparisons of lists; their integers.
#include "search/value.hpp"

#include <algorithm>
#include <numeric>

#include "exact/rational_impl.hpp"

namespace pimbb::search {
namespace {

using boost::multiprecision::cpp_int;

/// Goals side by side need fewer bits than the infinite integer has.
constexpr int kBits = 123;

/// The least common multiple; nothing if it is too large.
std::optional<std::int64_t> common(std::int64_t unit, const Rational& goal) {
  std::int64_t below = 0;
  if (const auto denominator = goal.denominator()) {
    below = *denominator;
  } else {
    const cpp_int large = boost::multiprecision::denominator(goal.impl().value);
    if (large > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    below = static_cast<std::int64_t>(large);
  }
  if (unit % below == 0) return unit;
  std::int64_t both = 0;
  if (__builtin_mul_overflow(unit, below / std::gcd(unit, below), &both)) return std::nullopt;
  return both;
}

}  // namespace

Value& Value::operator+=(const Value& other) {
  infinite_ = infinite_ || other.infinite_;
  if (infinite_) {
    goals_.clear();
    return *this;
  }
  for (std::size_t g = 0; g < goals_.size(); ++g) goals_[g] += other.goals_[g];
  return *this;
}

bool operator<(const Value& a, const Value& b) {
  if (a.infinite_ || b.infinite_) return !a.infinite_;
  return std::ranges::lexicographical_compare(a.goals_, b.goals_);
}

std::optional<Int128> Packing::count(const Rational& goal, std::int64_t unit) {
  if (const auto denominator = goal.denominator()) {
    if (unit % *denominator != 0) return std::nullopt;
    if (const auto count = goal.in_units(unit)) return *count;
  }
  const auto scaled = goal.impl().value * unit;
  if (boost::multiprecision::denominator(scaled) != 1) return std::nullopt;
  const cpp_int large = numerator(scaled);
  if (abs(large) >= cpp_int(kInfiniteInteger)) return std::nullopt;
  return static_cast<Int128>(large);
}

int Packing::bits_of_sum(Int128 most) const {
  if (most > kInfiniteInteger / static_cast<Int128>(terms_)) return kBits + 1;
  const Int128 sum = most * static_cast<Int128>(terms_);
  int bits = 1;
  while (sum >> bits != 0) ++bits;
  return bits;
}

std::optional<Int128> Packing::integer(const Value& value) const {
  if (value.infinite()) return kInfiniteInteger;
  Int128 all = 0;
  for (std::size_t g = 0; g < units_.size(); ++g) {
    const auto own = count(value.goals()[g], units_[g].unit);
    if (!own || *own < 0 || *own > units_[g].most) return std::nullopt;
    all = (all << units_[g].bits) + *own;
  }
  return all;
}

bool Packing::admit(const Value& value) {
  if (value.infinite()) return true;
  int all = 0;
  for (std::size_t g = 0; g < units_.size(); ++g) {
    GoalUnit& own = units_[g];
    const auto unit = common(own.unit, value.goals()[g]);
    if (!unit) return false;
    if (own.most > kInfiniteInteger / (*unit / own.unit)) return false;
    own.most *= *unit / own.unit;
    own.unit = *unit;
    const auto needed = count(value.goals()[g], own.unit);
    if (!needed || *needed < 0) return false;
    if (*needed > own.most) own.most = 2 * *needed;
    own.bits = bits_of_sum(own.most);
    all += own.bits;
  }
  return all <= kBits;
}

Value Packing::value(Int128 integer) const {
  if (integer >= kInfiniteInteger) return {};
  std::vector<Rational> goals(units_.size());
  for (std::size_t g = units_.size(); g-- > 0;) {
    const Int128 sums = Int128{1} << units_[g].bits;
    goals[g] = to_rational(integer % sums) / Rational(units_[g].unit);
    integer /= sums;
  }
  return Value(std::move(goals));
}

}  // namespace pimbb::search
