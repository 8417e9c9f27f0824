// Beginnings of paths, by the state in which they end.
#include "search/least_paths.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

namespace pimbb::search {
namespace {

/// A beginning of a path.
struct Label {
  Int128 size = 0;
  Int128 peak = 0;
  CostList cost;
  std::size_t before = 0;  // number of the label that it continues
  std::size_t option = 0;
};

class PathSearch {
 public:
  PathSearch(const std::vector<std::vector<PathOption>>& layers, bool bounded,
             const std::function<bool()>& stopped)
      : layers_(layers), bounded_(bounded), stopped_(stopped) {}

  LeastPaths run() {
    for (std::size_t i = 0; i < layers_.size(); ++i) extend(i);
    LeastPaths found;
    const auto& last = ends_.back();
    const auto home = last.find(0);
    if (home != last.end()) {
      for (const std::size_t label : home->second) found.paths.push_back(path_to(label));
    }
    found.complete = complete_;
    return found;
  }

 private:
  /// Labels by the state in which they end.
  using Ends = std::map<std::int64_t, std::vector<std::size_t>>;

  void extend(std::size_t i) {
    std::vector<Label>& labels = labels_.emplace_back();
    Ends ends;
    for (std::size_t k = 0; k < layers_[i].size(); ++k) {
      const PathOption& option = layers_[i][k];
      if (i == 0) {
        if (option.from == 0) add(labels, ends, {option.size, option.peak, option.cost, 0, k});
        continue;
      }
      const auto begin = ends_.back().find(option.from);
      if (begin == ends_.back().end()) continue;
      for (const std::size_t before : begin->second) {
        add(labels, ends, continued(labels_[i - 1][before], option, before, k));
      }
    }
    ends_.push_back(std::move(ends));
  }

  static Label continued(const Label& label, const PathOption& option, std::size_t before,
                         std::size_t number) {
    assert(label.cost.size() == option.cost.size());
    Label next{label.size + option.size, std::max(label.peak, option.peak), label.cost, before,
               number};
    for (std::size_t g = 0; g < next.cost.size(); ++g) next.cost[g] += option.cost[g];
    return next;
  }

  [[nodiscard]] bool no_worse(const Label& a, const Label& b) const {
    if (bounded_ && (a.size > b.size || a.peak > b.peak)) return false;
    return !(b.cost < a.cost);
  }

  /// Keeps a label unless another one of its state is no worse; those that it beats go.
  void add(std::vector<Label>& labels, Ends& ends, Label label) {
    std::vector<std::size_t>& same = ends[layers_[labels_.size() - 1][label.option].to];
    const auto beaten = [&](std::size_t other) { return no_worse(labels[other], label); };
    if (std::ranges::any_of(same, beaten)) return;
    std::erase_if(same, [&](std::size_t other) { return no_worse(label, labels[other]); });
    same.push_back(labels.size());
    labels.push_back(std::move(label));
    if (same.size() > 2 && is_stopped()) thin_out(labels, same);
  }

  bool is_stopped() {
    constexpr unsigned kEvery = 256;
    if (complete_ && stopped_ && ++looks_ % kEvery == 0 && stopped_()) complete_ = false;
    return !complete_;
  }

  /// Leaves the cheapest and the smallest label.
  static void thin_out(const std::vector<Label>& labels, std::vector<std::size_t>& same) {
    const auto cheapest = std::ranges::min_element(
        same, [&](std::size_t a, std::size_t b) { return labels[a].cost < labels[b].cost; });
    const auto smallest = std::ranges::min_element(
        same, {}, [&](std::size_t a) { return std::pair(labels[a].size + labels[a].peak, a); });
    std::vector<std::size_t> left{*cheapest};
    if (*smallest != *cheapest) left.push_back(*smallest);
    same = std::move(left);
  }

  [[nodiscard]] Path path_to(std::size_t number) const {
    const Label& end = labels_.back()[number];
    Path path{std::vector<std::size_t>(layers_.size()), end.size, end.peak, end.cost};
    for (std::size_t i = layers_.size(); i-- > 0;) {
      path.options[i] = labels_[i][number].option;
      number = labels_[i][number].before;
    }
    return path;
  }

  const std::vector<std::vector<PathOption>>& layers_;
  const bool bounded_;
  const std::function<bool()>& stopped_;
  std::vector<std::vector<Label>> labels_;  // by layer
  std::vector<Ends> ends_;
  bool complete_ = true;
  unsigned looks_ = 0;
};

}  // namespace

LeastPaths least_paths(const std::vector<std::vector<PathOption>>& layers, bool bounded,
                       const std::function<bool()>& stopped) {
  assert(!layers.empty());
  return PathSearch(layers, bounded, stopped).run();
}

}  // namespace pimbb::search
