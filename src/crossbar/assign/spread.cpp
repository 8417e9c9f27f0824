// A placement chooses the core of each array group.
#include "crossbar/assign/spread.hpp"

#include <algorithm>
#include <numeric>

#include "crossbar/partition/filling.hpp"

namespace pimbb::crossbar::assign {
namespace {

/// Array groups to cores, evenly.
class Spreading {
 public:
  explicit Spreading(const Problem& problem)
      : filling_(problem.a, problem.p), groups_(static_cast<std::size_t>(problem.cores), 0) {}

  /// To the core with fewest array groups of the node, then of all.
  bool put(std::size_t array, std::int64_t groups) {
    std::optional<std::size_t> best;
    std::pair<std::int64_t, std::int64_t> least;
    for (std::size_t c = 0; c < groups_.size(); ++c) {
      if (filling_.room(c, array) < groups) continue;
      const std::pair held{filling_.held(c, array), groups_[c]};
      if (best && held >= least) continue;
      best = c;
      least = held;
    }
    if (!best) return false;
    filling_.put(*best, array, groups);
    groups_[*best] += groups;
    return true;
  }

  [[nodiscard]] const partition::Filling& filling() const { return filling_; }

 private:
  partition::Filling filling_;
  std::vector<std::int64_t> groups_;  // of all nodes, by core
};

/// Arrays by decreasing measure.
template <class Measure>
std::vector<std::size_t> by_decreasing(const Problem& problem, const Measure& measure) {
  std::vector<std::size_t> order(problem.p.arrays.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>{}, measure);
  return order;
}

}  // namespace

std::optional<Mapping> spread(const Problem& problem,
                              const std::vector<std::int64_t>& replication) {
  const std::vector<std::int64_t> r = problem.by_array(replication);
  const std::vector<ArrayNode>& arrays = problem.p.arrays;
  Spreading cores(problem);
  const auto size = [&](std::size_t v) { return arrays[v].groups * arrays[v].width; };
  for (const std::size_t v : by_decreasing(problem, size)) {
    for (std::int64_t replica = 0; replica < r[v]; ++replica) {
      if (cores.put(v, arrays[v].groups)) continue;
      for (std::int64_t group = 0; group < arrays[v].groups; ++group) {
        if (!cores.put(v, 1)) return std::nullopt;
      }
    }
  }
  return Mapping{r, cores.filling().mapping().cores};
}

std::optional<Mapping> first_fit(const Problem& problem,
                                 const std::vector<std::int64_t>& replication) {
  const std::vector<std::int64_t> r = problem.by_array(replication);
  const std::vector<ArrayNode>& arrays = problem.p.arrays;
  partition::Filling filling(problem.a, problem.p);
  for (const std::size_t v :
       by_decreasing(problem, [&](std::size_t array) { return arrays[array].width; })) {
    if (filling.put_first_fit(v, arrays[v].groups * r[v]) > 0) return std::nullopt;
  }
  return Mapping{r, filling.mapping().cores};
}

}  // namespace pimbb::crossbar::assign
