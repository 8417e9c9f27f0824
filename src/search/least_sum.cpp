// Elimination forwards, choices backwards, minima found anew where these come by.
#include "search/least_sum.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace pimbb::search {
namespace {

/// Variables in the order of their elimination: one with the fewest neighbours first, each time.
std::vector<std::size_t> order_of(std::size_t count,
                                  const std::vector<std::vector<std::size_t>>& tables) {
  std::vector<std::set<std::size_t>> neighbours(count);
  const auto join = [&](const auto& group) {
    for (const std::size_t a : group) {
      for (const std::size_t b : group) {
        if (a != b) neighbours[a].insert(b);
      }
    }
  };
  for (const auto& variables : tables) join(variables);
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

}  // namespace

template <class Number>
LeastSum<Number>::LeastSum(std::vector<std::size_t> domains, std::vector<Table> tables, Number zero,
                           Number infinite)
    : domains_(std::move(domains)),
      zero_(std::move(zero)),
      infinite_(std::move(infinite)),
      tables_(tables.size()),
      values_(domains_.size()) {
  std::vector<std::vector<std::size_t>> variables;
  std::vector<std::size_t> open;
  for (Table& table : tables) {
    std::vector<std::size_t> sizes;
    for (const std::size_t v : table.variables) sizes.push_back(domains_[v]);
    variables.push_back(table.variables);
    open.push_back(sources_.size());
    Source& source =
        sources_.emplace_back(Source{std::move(table.variables), GrowingTable<Number>(sizes)});
    for (std::size_t k = 0; k < table.numbers.size(); ++k) {
      source.numbers[k] = std::move(table.numbers[k]);
    }
  }
  for (const std::size_t v : order_of(domains_.size(), variables)) eliminate(v, open);
}

/// `open`: sources that are part of no step yet.
template <class Number>
void LeastSum<Number>::eliminate(std::size_t variable, std::vector<std::size_t>& open) {
  const auto mentions = [&](std::size_t s) {
    return std::ranges::count(sources_[s].variables, variable) > 0;
  };
  Step& step = steps_.emplace_back();
  step.variable = variable;
  std::ranges::copy_if(open, std::back_inserter(step.inputs), mentions);
  std::erase_if(open, mentions);
  std::set<std::size_t> neighbours;
  for (const std::size_t s : step.inputs) {
    sources_[s].step = steps_.size() - 1;
    neighbours.insert(sources_[s].variables.begin(), sources_[s].variables.end());
  }
  neighbours.erase(variable);
  Place variables(neighbours.begin(), neighbours.end());
  std::vector<std::size_t> sizes;
  for (const std::size_t v : variables) sizes.push_back(domains_[v]);
  step.result = sources_.size();
  step.attains = GrowingTable<Attained>(sizes);
  open.push_back(step.result);
  Place place(sizes.size());
  const std::vector<char> free(sizes.size(), 0);
  sources_.push_back({std::move(variables), GrowingTable<Number>(sizes)});
  for_each_place(sizes, free, place, [&] {
    for (std::size_t k = 0; k < place.size(); ++k) {
      values_[sources_[step.result].variables[k]] = place[k];
    }
    find(step, step.attains.offset(place));
  });
}

template <class Number>
void LeastSum<Number>::raise(std::size_t table, const std::vector<std::size_t>& place,
                             Number number) {
  Source& source = sources_[table];
  Number& known = source.numbers[source.numbers.offset(place)];
  before_suppositions_.keep(known);
  known = std::move(number);
  raised(source);
}

/// A number of this source, and so perhaps of the results of all steps that follow.
template <class Number>
void LeastSum<Number>::raised(const Source& source) {
  for (std::size_t k = source.step; k < steps_.size() && steps_[k].raised < choices_;
       k = sources_[steps_[k].result].step) {
    before_suppositions_.keep(steps_[k].raised);
    steps_[k].raised = choices_;
  }
}

template <class Number>
void LeastSum<Number>::split(std::size_t variable, std::size_t value) {
  ++domains_[variable];
  for (Source& source : sources_) {
    const auto at = std::ranges::find(source.variables, variable) - source.variables.begin();
    if (static_cast<std::size_t>(at) == source.variables.size()) continue;
    source.numbers.repeat(static_cast<std::size_t>(at), value);
  }
  for (Step& step : steps_) {
    const Place& neighbours = sources_[step.result].variables;
    const auto at = std::ranges::find(neighbours, variable) - neighbours.begin();
    if (static_cast<std::size_t>(at) == neighbours.size()) continue;
    step.attains.repeat(static_cast<std::size_t>(at), value);
  }
}

template <class Number>
std::vector<std::size_t> LeastSum<Number>::choice() {
  ++choices_;
  for (std::size_t k = steps_.size(); k-- > 0;) {
    Step& step = steps_[k];
    settle(step);
    values_[step.variable] = step.attains[offset_in(step)].value;
  }
  return values_;
}

template <class Number>
const Number& LeastSum<Number>::number(std::size_t table,
                                       const std::vector<std::size_t>& choice) const {
  const Source& source = sources_[table];
  Place place;
  for (const std::size_t v : source.variables) place.push_back(choice[v]);
  return source.numbers[source.numbers.offset(place)];
}

/// Of the place that the neighbours' values are.
template <class Number>
std::size_t LeastSum<Number>::offset_in(const Step& step) const {
  const Place& neighbours = sources_[step.result].variables;
  std::size_t offset = 0;
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    offset += values_[neighbours[k]] * step.attains.step(k);
  }
  return offset;
}

/// Finds the minimum of a step, given its neighbours' values, until those that it is made of are
/// exact. Whether it is another number than before. Changes values of variables that were
/// eliminated before, and that of its own.
template <class Number>
bool LeastSum<Number>::settle(Step& step) {
  const std::size_t offset = offset_in(step);
  Attained& attained = step.attains[offset];
  if (attained.choice > step.raised) return false;
  bool higher = false;
  for (bool exact = false; !exact;) {
    higher = find(step, offset) || higher;
    exact = true;
    for (const std::size_t s : step.inputs) {
      if (s < tables_) continue;
      values_[step.variable] = attained.value;
      if (settle(steps_[s - tables_])) exact = false;
    }
  }
  attained.choice = choices_;
  return higher;
}

/// The minimum of a step, given its neighbours' values, from what is known of others. Whether it is
/// another number than before.
template <class Number>
bool LeastSum<Number>::find(Step& step, std::size_t offset) {
  values_[step.variable] = 0;
  lines_.clear();
  for (const std::size_t s : step.inputs) {
    const Source& input = sources_[s];
    std::size_t first = 0;
    std::size_t along = 0;
    for (std::size_t k = 0; k < input.variables.size(); ++k) {
      first += values_[input.variables[k]] * input.numbers.step(k);
      if (input.variables[k] == step.variable) along = input.numbers.step(k);
    }
    lines_.push_back({&input.numbers[first], along});
  }
  Number best = infinite_;
  const std::size_t at = least(lines_, domains_[step.variable], best);
  before_suppositions_.keep(step.attains[offset]);
  step.attains[offset].value = static_cast<std::uint32_t>(at);
  Number& known = sources_[step.result].numbers[offset];
  const bool other = known < best;
  before_suppositions_.keep(known);
  known = std::move(best);
  return other;
}

/// The least sum of the lines, and where it is. A part of a sum that is not below the best one is
/// enough to know that the sum is not.
template <class Number>
std::size_t LeastSum<Number>::least(const std::vector<Line>& lines, std::size_t length,
                                    Number& best) {
  if (lines.empty()) {
    best = zero_;
    return 0;
  }
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

template class LeastSum<Int128>;
template class LeastSum<Value>;

}  // namespace pimbb::search
