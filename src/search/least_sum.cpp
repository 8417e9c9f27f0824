// Elimination forwards, choices backwards.
#include "search/least_sum.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace pimbb::search {
namespace {

/// Variables in the order of their elimination: one with the fewest neighbours first, each time.
template <class Number>
std::vector<std::size_t> order_of(std::size_t count, const std::vector<TableView<Number>>& tables) {
  std::vector<std::set<std::size_t>> neighbours(count);
  const auto join = [&](const auto& group) {
    for (const std::size_t a : group) {
      for (const std::size_t b : group) {
        if (a != b) neighbours[a].insert(b);
      }
    }
  };
  for (const TableView<Number>& table : tables) join(table.variables);
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

void set_infinite(Int128& value) { value = kInfiniteInteger; }
void set_infinite(Value& value) { value = Value(); }

template <class Number>
class Elimination {
 public:
  Elimination(const std::vector<std::size_t>& domains, std::vector<TableView<Number>> tables,
              Number zero)
      : domains_(domains),
        tables_(std::move(tables)),
        zero_(std::move(zero)),
        choice_(domains.size(), 0) {}

  std::vector<std::size_t> run() {
    for (const std::size_t v : order_of(domains_.size(), tables_)) eliminate(v);
    for (std::size_t k = done_.size(); k-- > 0;) {
      const Eliminated& step = done_[k];
      std::size_t place = 0;
      for (const std::size_t v : step.neighbours) place = place * domains_[v] + choice_[v];
      choice_[step.variable] = step.attains[place];
    }
    return choice_;
  }

 private:
  struct Eliminated {
    std::size_t variable = 0;
    std::vector<std::size_t> neighbours;  ///< when it was eliminated
    std::vector<std::size_t> attains;     ///< the best value of `variable`, by theirs
    std::vector<Number> sums;             ///< with it
  };
  /// The values of a table along the variable that is eliminated, its neighbours having theirs.
  struct Line {
    const Number* first;
    std::size_t step;
  };

  void eliminate(std::size_t v) {
    const auto mentions = [&](const TableView<Number>& t) {
      return std::ranges::count(t.variables, v) > 0;
    };
    const auto others = std::stable_partition(tables_.begin(), tables_.end(), mentions);
    std::set<std::size_t> neighbours;
    for (auto t = tables_.begin(); t != others; ++t) {
      neighbours.insert(t->variables.begin(), t->variables.end());
    }
    neighbours.erase(v);
    Eliminated& step = done_.emplace_back();
    step.variable = v;
    step.neighbours.assign(neighbours.begin(), neighbours.end());
    std::vector<Line> lines(static_cast<std::size_t>(others - tables_.begin()));
    do {
      for (std::size_t t = 0; t < lines.size(); ++t) lines[t] = line(tables_[t], v);
      step.attains.push_back(least(lines, domains_[v], step.sums.emplace_back()));
    } while (advance(step.neighbours));
    tables_.erase(tables_.begin(), others);
    tables_.push_back(view(step));
  }

  /// The next assignment of `variables`; false after the last.
  bool advance(const std::vector<std::size_t>& variables) {
    for (std::size_t k = variables.size(); k-- > 0;) {
      if (++choice_[variables[k]] < domains_[variables[k]]) return true;
      choice_[variables[k]] = 0;
    }
    return false;
  }

  [[nodiscard]] TableView<Number> view(const Eliminated& step) const {
    TableView<Number> view{step.neighbours, step.sums.data(), {}};
    view.steps.resize(step.neighbours.size());
    std::size_t size = 1;
    for (std::size_t k = view.steps.size(); k-- > 0;) {
      view.steps[k] = size;
      size *= domains_[step.neighbours[k]];
    }
    return view;
  }

  [[nodiscard]] Line line(const TableView<Number>& table, std::size_t v) const {
    const auto at = std::ranges::find(table.variables, v) - table.variables.begin();
    return {&table.at(choice_), table.steps[static_cast<std::size_t>(at)]};
  }

  /// The least sum of the lines, and where it is. A part of a sum that is not below the best one is
  /// enough to know that the sum is not.
  std::size_t least(const std::vector<Line>& lines, std::size_t length, Number& best) {
    if (lines.empty()) {
      best = zero_;
      return 0;
    }
    set_infinite(best);
    std::size_t at = 0;
    for (std::size_t k = 0; k < length; ++k) {
      const Number& first = lines[0].first[k * lines[0].step];
      if (!(first < best)) continue;
      sum_ = first;
      for (std::size_t t = 1; t < lines.size() && sum_ < best; ++t) {
        sum_ += lines[t].first[k * lines[t].step];
      }
      if (!(sum_ < best)) continue;
      std::swap(best, sum_);
      at = k;
    }
    return at;
  }

  const std::vector<std::size_t>& domains_;
  std::vector<TableView<Number>> tables_;
  Number zero_;
  Number sum_{};
  std::vector<std::size_t> choice_;
  std::deque<Eliminated> done_;  // what tables_ refer to
};

}  // namespace

template <class Number>
std::vector<std::size_t> least_sum(const std::vector<std::size_t>& domains,
                                   std::vector<TableView<Number>> tables, const Number& zero) {
  return Elimination<Number>(domains, std::move(tables), zero).run();
}

template std::vector<std::size_t> least_sum(const std::vector<std::size_t>&,
                                            std::vector<TableView<Int128>>, const Int128&);
template std::vector<std::size_t> least_sum(const std::vector<std::size_t>&,
                                            std::vector<TableView<Value>>, const Value&);

}  // namespace pimbb::search
