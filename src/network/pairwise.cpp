// Elimination forwards, choices backwards.
#include "network/pairwise.hpp"

#include <algorithm>
#include <set>

namespace pimbb::network {
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

/// The values of a table's variables within an assignment of all.
std::size_t place_in(const Table& table, const std::vector<std::size_t>& domains,
                     const std::vector<std::size_t>& choice) {
  std::size_t place = 0;
  for (const std::size_t v : table.variables) place = place * domains[v] + choice[v];
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

struct Eliminated {
  std::size_t variable;
  Table scope;                       ///< its neighbours then; no values
  std::vector<std::size_t> attains;  ///< the best value of `variable`, by theirs
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

Minimiser least_sum(const std::vector<std::size_t>& domains, std::vector<Table> tables,
                    const Value& zero) {
  std::vector<std::size_t> choice(domains.size(), 0);
  std::vector<Eliminated> done;
  if (!domains.empty()) {
    for (const std::size_t v : order_of(domains.size(), tables)) {
      const auto mentions = [&](const Table& t) { return std::ranges::count(t.variables, v) > 0; };
      const auto others = std::stable_partition(tables.begin(), tables.end(), mentions);
      std::set<std::size_t> neighbours;
      for (auto t = tables.begin(); t != others; ++t) {
        neighbours.insert(t->variables.begin(), t->variables.end());
      }
      neighbours.erase(v);
      Eliminated step{v, {{neighbours.begin(), neighbours.end()}, {}}, {}};
      Table sum{step.scope.variables, {}};
      Value value;
      do {
        Value best;
        std::size_t at = 0;
        for (choice[v] = 0; choice[v] < domains[v]; ++choice[v]) {
          value = zero;
          for (auto t = tables.begin(); t != others && !value.infinite(); ++t) {
            value += t->values[place_in(*t, domains, choice)];
          }
          if (value < best) {
            std::swap(best, value);
            at = choice[v];
          }
        }
        choice[v] = 0;
        sum.values.push_back(std::move(best));
        step.attains.push_back(at);
      } while (advance(sum.variables, domains, choice));
      tables.erase(tables.begin(), others);
      tables.push_back(std::move(sum));
      done.push_back(std::move(step));
    }
  }
  Minimiser result{zero, {}};
  for (const Table& constant : tables) result.value += constant.values[0];
  if (result.value.infinite()) return result;
  for (std::size_t k = done.size(); k-- > 0;) {
    choice[done[k].variable] = done[k].attains[place_in(done[k].scope, domains, choice)];
  }
  result.choice = std::move(choice);
  return result;
}

}  // namespace pimbb::network
