// Elimination forwards, choices backwards.
#include "search/least_sum.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "exact/int128.hpp"

namespace pimbb::search {
namespace {

/// Variables in the order of their elimination: one with the fewest neighbours first, each time.
std::vector<std::size_t> order_of(std::size_t count, const std::vector<Table>& tables) {
  std::vector<std::set<std::size_t>> neighbours(count);
  const auto join = [&](const auto& group) {
    for (const std::size_t a : group) {
      for (const std::size_t b : group) {
        if (a != b) neighbours[a].insert(b);
      }
    }
  };
  for (const Table& table : tables) join(table.variables);
  std::set<std::size_t> left;
  for (std::size_t v = 0; v < count; ++v) left.insert(v);
  std::vector<std::size_t> order;
  while (!left.empty()) {
    const std::size_t next =
        *std::ranges::min_element(left, {}, [&](std::size_t v) { return neighbours[v].size(); });
    left.erase(next);
    for (const std::size_t v : neighbours[next]) neighbours[v].erase(next);
    join(std::set<std::size_t>(neighbours[next]));
    order.push_back(next);
  }
  return order;
}

/// The place in a table over `variables` that an assignment of all leads to.
std::size_t place_in(const std::vector<std::size_t>& variables,
                     const std::vector<std::size_t>& domains,
                     const std::vector<std::size_t>& choice) {
  std::size_t place = 0;
  for (const std::size_t v : variables) {
    assert(choice[v] < domains[v]);
    place = place * domains[v] + choice[v];
  }
  return place;
}

/// The next assignment of `variables`; false after the last.
bool advance(const std::vector<std::size_t>& variables, const std::vector<std::size_t>& domains,
             std::vector<std::size_t>& choice) {
  for (std::size_t k = variables.size(); k-- > 0;) {
    if (++choice[variables[k]] < domains[variables[k]]) return true;
    choice[variables[k]] = 0;
  }
  return false;
}

constexpr Int128 kInfinite = Int128{1} << 126;
void set_infinite(Int128& value) { value = kInfinite; }
bool is_infinite(Int128 value) { return value == kInfinite; }
void set_infinite(Value& value) { value = Value(); }
bool is_infinite(const Value& value) { return value.infinite(); }

/// Over `Number`s: Int128, or Value where that is too small.
template <class Number>
class Elimination {
 public:
  Elimination(const std::vector<std::size_t>& domains, std::vector<TableOf<Number>> tables,
              Number zero)
      : domains_(domains),
        tables_(std::move(tables)),
        zero_(std::move(zero)),
        choice_(domains.size(), 0) {}

  /// A choice of least sum; if that is infinite, any.
  std::vector<std::size_t> run(const std::vector<std::size_t>& order) {
    for (const std::size_t v : order) eliminate(v);
    for (std::size_t k = done_.size(); k-- > 0;) {
      const Eliminated& step = done_[k];
      choice_[step.variable] = step.attains[place_in(step.neighbours, domains_, choice_)];
    }
    return choice_;
  }

 private:
  struct Eliminated {
    std::size_t variable = 0;
    std::vector<std::size_t> neighbours;  ///< when it was eliminated
    std::vector<std::size_t> attains;     ///< the best value of `variable`, by theirs
  };
  /// The values of a table along the variable that is eliminated, its neighbours having theirs.
  struct Line {
    const Number* first;
    std::size_t step;
  };

  void eliminate(std::size_t v) {
    const auto mentions = [&](const TableOf<Number>& t) {
      return std::ranges::count(t.variables, v) > 0;
    };
    const auto others = std::stable_partition(tables_.begin(), tables_.end(), mentions);
    std::set<std::size_t> neighbours;
    for (auto t = tables_.begin(); t != others; ++t) {
      neighbours.insert(t->variables.begin(), t->variables.end());
    }
    neighbours.erase(v);
    Eliminated step{v, {neighbours.begin(), neighbours.end()}, {}};
    TableOf<Number> sum{step.neighbours, {}};
    std::vector<Line> lines(static_cast<std::size_t>(others - tables_.begin()));
    do {
      for (std::size_t t = 0; t < lines.size(); ++t) lines[t] = line(tables_[t], v);
      step.attains.push_back(least(lines, domains_[v], sum.values.emplace_back()));
    } while (advance(step.neighbours, domains_, choice_));
    tables_.erase(tables_.begin(), others);
    tables_.push_back(std::move(sum));
    done_.push_back(std::move(step));
  }

  [[nodiscard]] Line line(const TableOf<Number>& table, std::size_t v) const {
    std::size_t step = 1;
    for (std::size_t k = table.variables.size(); table.variables[k - 1] != v; --k) {
      step *= domains_[table.variables[k - 1]];
    }
    return {table.values.data() + place_in(table.variables, domains_, choice_), step};
  }

  /// The least sum of the lines, and where it is.
  std::size_t least(const std::vector<Line>& lines, std::size_t length, Number& best) {
    set_infinite(best);
    std::size_t at = 0;
    for (std::size_t k = 0; k < length; ++k) {
      sum_ = zero_;
      for (const Line& line : lines) {
        const Number& more = line.first[k * line.step];
        if (is_infinite(more)) {
          set_infinite(sum_);
          break;
        }
        sum_ += more;
      }
      if (!(sum_ < best)) continue;
      std::swap(best, sum_);
      at = k;
    }
    return at;
  }

  const std::vector<std::size_t>& domains_;
  std::vector<TableOf<Number>> tables_;
  Number zero_;
  Number sum_{};
  std::vector<std::size_t> choice_;
  std::vector<Eliminated> done_;
};

/// Lists of goals as integers: each goal in units of its own, side by side, the first on top. With
/// so many bits for each that sums of one value a table do not run into the goal above, integers
/// add and compare as the lists do.
class Packing {
 public:
  /// Nothing if a value is negative, or too many bits are needed.
  static std::optional<std::vector<TableOf<Int128>>> of(const std::vector<Table>& tables,
                                                        std::size_t goals) {
    Packing packing;
    for (std::size_t g = 0; g < goals; ++g) {
      if (!packing.add_goal(tables, g)) return std::nullopt;
    }
    std::vector<TableOf<Int128>> packed;
    for (const Table& table : tables) {
      packed.push_back({table.variables, {}});
      for (const Value& v : table.values) packed.back().values.push_back(packing.integer(v));
    }
    return packed;
  }

 private:
  struct GoalUnit {
    std::int64_t unit;  ///< one of the goal is this many
    int bits;           ///< of the largest sum
  };

  bool add_goal(const std::vector<Table>& tables, std::size_t goal) {
    std::int64_t unit = 1;
    for (const Table& table : tables) {
      for (const Value& value : table.values) {
        if (value.infinite()) continue;
        const auto below = value.goals()[goal].denominator();
        if (!below || !grow(unit, *below)) return false;
      }
    }
    Int128 most = 0;
    for (const Table& table : tables) {
      std::int64_t largest = 0;
      for (const Value& value : table.values) {
        if (value.infinite()) continue;
        const auto count = value.goals()[goal].in_units(unit);
        if (!count || *count < 0) return false;
        largest = std::max(largest, *count);
      }
      most += largest;
    }
    int bits = 1;
    while (most >> bits != 0) ++bits;
    goals_.push_back({unit, bits});
    bits_ += bits;
    return bits_ < kBits;
  }

  /// The least common multiple; false if it is too large.
  static bool grow(std::int64_t& unit, std::int64_t denominator) {
    if (unit % denominator == 0) return true;
    return !__builtin_mul_overflow(unit, denominator / std::gcd(unit, denominator), &unit);
  }

  [[nodiscard]] Int128 integer(const Value& value) const {
    if (value.infinite()) return kInfinite;
    Int128 all = 0;
    for (std::size_t g = 0; g < goals_.size(); ++g) {
      all = (all << goals_[g].bits) + *value.goals()[g].in_units(goals_[g].unit);
    }
    return all;
  }

  static constexpr int kBits = 126;  // kInfinite is 2^126
  std::vector<GoalUnit> goals_;
  int bits_ = 0;
};

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

LeastSum least_sum(const std::vector<std::size_t>& domains, const std::vector<Table>& tables,
                   const Value& zero) {
  const std::vector<std::size_t> order = order_of(domains.size(), tables);
  LeastSum least{zero, {}};
  if (auto packed = Packing::of(tables, zero.goals().size())) {
    least.choice = Elimination<Int128>(domains, std::move(*packed), 0).run(order);
  } else {
    least.choice = Elimination<Value>(domains, tables, zero).run(order);
  }
  for (const Table& table : tables) {
    least.value += table.values[place_in(table.variables, domains, least.choice)];
  }
  if (least.value.infinite()) least.choice.clear();
  return least;
}

}  // namespace pimbb::search
