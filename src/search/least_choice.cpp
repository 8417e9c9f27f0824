// Knapsacks, one for each largest peak, in the order of the peaks.
#include "search/least_choice.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace pimbb::search {
namespace {

CostList plus(CostList a, const CostList& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
}

CostList minus(CostList a, const CostList& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
  return a;
}

CostList times(CostList a, const Rational& factor) {
  for (Rational& entry : a) entry *= factor;
  return a;
}

/// Sizes within a room are below 2^63.
Rational rational(Int128 size) { return static_cast<std::int64_t>(size); }

struct Item {
  Int128 size = 0;
  const CostList* cost = nullptr;
  std::size_t option = 0;
};

/// Options of a group that fit, by ascending size and descending cost.
std::vector<Item> useful(const ChoiceGroup& group, Int128 peak, Int128 room) {
  std::vector<Item> items;
  for (std::size_t k = 0; k < group.size(); ++k) {
    if (group[k].peak <= peak && group[k].size <= room) {
      items.push_back({group[k].size, &group[k].cost, k});
    }
  }
  std::ranges::stable_sort(items, [](const Item& a, const Item& b) {
    return a.size != b.size ? a.size < b.size : *a.cost < *b.cost;
  });
  std::vector<Item> kept;
  for (const Item& item : items) {
    if (kept.empty() || *item.cost < *kept.back().cost) kept.push_back(item);
  }
  return kept;
}

/// The room that is saved, and what each unit of it costs, by a step along the hull of a group.
struct Step {
  CostList price;
  std::size_t group = 0;
  std::size_t to = 0;  // item
  Int128 saved = 0;
};

Step step_between(const std::vector<Item>& items, std::size_t group, std::size_t from,
                  std::size_t to) {
  const Int128 saved = items[from].size - items[to].size;
  return {times(minus(*items[to].cost, *items[from].cost), Rational(1) / rational(saved)), group,
          to, saved};
}

/// From the cheapest item to the smallest, by ascending price.
std::vector<Step> hull_steps(const std::vector<Item>& items, std::size_t group) {
  std::vector<std::size_t> corners;
  std::vector<Step> steps;
  for (std::size_t k = items.size(); k-- > 0;) {
    while (corners.size() > 1) {
      const std::size_t before = corners[corners.size() - 2];
      if (steps.back().price < step_between(items, group, before, k).price) break;
      corners.pop_back();
      steps.pop_back();
    }
    if (!corners.empty()) steps.push_back(step_between(items, group, corners.back(), k));
    corners.push_back(k);
  }
  return steps;
}

class Knapsack {
 public:
  Knapsack(const std::vector<ChoiceGroup>& groups, Int128 peak, Int128 room) : room_(room) {
    for (const ChoiceGroup& group : groups) groups_.push_back(useful(group, peak, room));
    possible_ = std::ranges::none_of(groups_, [](const auto& items) { return items.empty(); });
    if (!possible_) return;
    rest_size_.assign(groups_.size() + 1, 0);
    for (std::size_t g = groups_.size(); g-- > 0;) {
      rest_size_[g] = rest_size_[g + 1] + groups_[g].front().size;
    }
    possible_ = rest_size_.front() <= room;
    if (possible_) relax();
  }

  [[nodiscard]] bool possible() const { return possible_; }
  /// What the hulls give.
  [[nodiscard]] const LeastChoice& rounded() const { return rounded_; }
  [[nodiscard]] const CostList& floor() const { return rounded_.floor; }

  /// Whatever is better than `best` replaces it. False if stopped.
  bool improve(std::optional<LeastChoice>& best, const std::function<bool()>& stopped) const {
    std::vector<std::vector<Partial>> layers{{Partial{0, CostList(price_.size()), 0, 0}}};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (stopped && stopped()) return false;
      layers.push_back(extended(layers.back(), g, best));
      if (layers.back().empty()) return true;
    }
    const Partial* partial = &layers.back().back();  // the largest, so the cheapest
    if (best && !(partial->cost < best->cost)) return true;
    LeastChoice choice{std::vector<std::size_t>(groups_.size()), partial->cost, {}};
    for (std::size_t g = groups_.size(); g-- > 0;) {
      choice.options[g] = groups_[g][partial->item].option;
      partial = &layers[g][partial->parent];
    }
    best = std::move(choice);
    return true;
  }

 private:
  struct Partial {
    Int128 size = 0;
    CostList cost;
    std::size_t parent = 0;
    std::size_t item = 0;
  };

  /// Steps along all hulls, cheapest first, until the room is enough.
  void relax() {
    std::vector<std::size_t> at;
    Int128 total = 0;
    std::vector<Step> steps;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      at.push_back(groups_[g].size() - 1);
      total += groups_[g].back().size;
      std::ranges::move(hull_steps(groups_[g], g), std::back_inserter(steps));
    }
    std::ranges::stable_sort(steps, {}, &Step::price);
    price_.assign(groups_.front().front().cost->size(), {});
    for (auto step = steps.begin(); total > room_; ++step) {
      assert(step != steps.end());
      price_ = step->price;
      at[step->group] = step->to;
      total -= step->saved;
    }
    CostList cost(price_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Item& item = groups_[g][at[g]];
      rounded_.options.push_back(item.option);
      cost = plus(std::move(cost), *item.cost);
    }
    rounded_.cost = std::move(cost);
    rest_.assign(groups_.size() + 1, times(price_, Rational() - rational(room_)));
    for (std::size_t g = groups_.size(); g-- > 0;) {
      rest_[g] = plus(rest_[g + 1], least_priced(groups_[g]));
    }
    rounded_.floor = rest_.front();
  }

  [[nodiscard]] CostList priced(const Item& item) const {
    return plus(*item.cost, times(price_, rational(item.size)));
  }
  [[nodiscard]] CostList least_priced(const std::vector<Item>& items) const {
    CostList least = priced(items.front());
    for (const Item& item : items) least = std::min(least, priced(item));
    return least;
  }

  [[nodiscard]] std::vector<Partial> extended(const std::vector<Partial>& partials, std::size_t g,
                                              const std::optional<LeastChoice>& best) const {
    std::vector<Partial> longer;
    for (std::size_t k = 0; k < partials.size(); ++k) {
      for (std::size_t i = 0; i < groups_[g].size(); ++i) {
        const Item& item = groups_[g][i];
        const Int128 size = partials[k].size + item.size;
        if (size + rest_size_[g + 1] > room_) break;  // items grow
        CostList cost = plus(partials[k].cost, *item.cost);
        const CostList bound = plus(plus(cost, times(price_, rational(size))), rest_[g + 1]);
        if (best && !(bound < best->cost)) continue;
        longer.push_back({size, std::move(cost), k, i});
      }
    }
    std::ranges::stable_sort(longer, [](const Partial& a, const Partial& b) {
      return a.size != b.size ? a.size < b.size : a.cost < b.cost;
    });
    std::vector<Partial> kept;
    for (Partial& partial : longer) {
      if (kept.empty() || partial.cost < kept.back().cost) kept.push_back(std::move(partial));
    }
    return kept;
  }

  Int128 room_;
  std::vector<std::vector<Item>> groups_;
  bool possible_ = false;
  std::vector<Int128> rest_size_;  // by group: least size of it and all behind it
  CostList price_;                 // of a unit of size
  std::vector<CostList> rest_;     // by group: least priced costs of it and all behind it
  LeastChoice rounded_;
};

/// Without a limit every group has its least option.
std::optional<LeastChoice> least_of_each(const std::vector<ChoiceGroup>& groups) {
  LeastChoice choice;
  for (const ChoiceGroup& group : groups) {
    const auto least = std::ranges::min_element(group, {}, &ChoiceOption::cost);
    if (least == group.end()) return std::nullopt;
    choice.options.push_back(static_cast<std::size_t>(least - group.begin()));
    choice.cost = choice.cost.empty() ? least->cost : plus(std::move(choice.cost), least->cost);
  }
  choice.floor = choice.cost;
  return choice;
}

std::set<Int128> peaks_of(const std::vector<ChoiceGroup>& groups) {
  std::set<Int128> peaks;
  for (const ChoiceGroup& group : groups) {
    for (const ChoiceOption& option : group) peaks.insert(option.peak);
  }
  return peaks;
}

}  // namespace

std::optional<LeastChoice> least_choice(const std::vector<ChoiceGroup>& groups,
                                        const std::optional<std::int64_t>& room,
                                        const std::function<bool()>& stopped) {
  if (!room || groups.empty()) return least_of_each(groups);
  std::optional<LeastChoice> best;
  std::optional<CostList> open;  // the least floor of what was not searched
  for (const Int128 peak : peaks_of(groups)) {
    if (peak > *room) break;
    const Knapsack knapsack(groups, peak, *room - peak);
    if (!knapsack.possible()) continue;
    if (best && !(knapsack.floor() < best->cost)) continue;
    if (!best || knapsack.rounded().cost < best->cost) best = knapsack.rounded();
    if (!(knapsack.floor() < best->cost)) continue;
    if (!knapsack.improve(best, stopped)) {
      open = open ? std::min(*open, knapsack.floor()) : knapsack.floor();
    }
  }
  if (best) best->floor = open ? std::min(*open, best->cost) : best->cost;
  return best;
}

/// Options arrive by their peaks; a choice that takes the least room is of the smallest ones that
/// have arrived by some peak.
std::optional<SmallestChoice> smallest_choice(const std::vector<ChoiceGroup>& groups) {
  struct Arrival {
    Int128 peak;
    std::size_t group, option;
  };
  std::vector<Arrival> arrivals;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t k = 0; k < groups[g].size(); ++k)
      arrivals.push_back({groups[g][k].peak, g, k});
  }
  std::ranges::stable_sort(arrivals, {}, &Arrival::peak);
  std::vector<std::optional<std::size_t>> smallest(groups.size());
  std::size_t missing = groups.size();
  Int128 sizes = 0;
  std::optional<SmallestChoice> least;
  if (groups.empty()) least.emplace();
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const auto& [peak, g, k] = arrivals[i];
    const Int128 size = groups[g][k].size;
    if (!smallest[g]) {
      --missing;
      sizes += size;
      smallest[g] = k;
    } else if (const Int128 former = groups[g][*smallest[g]].size; size < former) {
      sizes += size - former;
      smallest[g] = k;
    }
    const bool last = i + 1 == arrivals.size() || arrivals[i + 1].peak > peak;
    if (!last || missing > 0 || (least && sizes + peak >= least->room)) continue;
    if (!least) least.emplace();
    least->room = sizes + peak;
    least->options.clear();
    for (const auto& option : smallest) least->options.push_back(*option);
  }
  return least;
}

}  // namespace pimbb::search
