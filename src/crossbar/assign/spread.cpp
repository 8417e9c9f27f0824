// Cores with what they hold; a placement chooses the core of each array group.
#include "crossbar/assign/spread.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb::crossbar::assign {
namespace {

struct Shelf {  // a core
  std::vector<Share> shares;
  std::int64_t room = 0;
  std::int64_t groups = 0;

  [[nodiscard]] std::int64_t of(std::size_t array) const {
    const auto share = std::ranges::find(shares, array, &Share::array);
    return share == shares.end() ? 0 : share->groups;
  }
};

class Shelves {
 public:
  explicit Shelves(const Problem& problem)
      : problem_(problem), cores_(static_cast<std::size_t>(problem.cores)) {
    for (Shelf& core : cores_) core.room = problem.crossbars;
  }

  /// How many array groups a core may still take.
  [[nodiscard]] std::int64_t room(std::size_t c, std::size_t array) const {
    const Shelf& core = cores_[c];
    const auto most = static_cast<std::size_t>(problem_.a.core.max_nodes);
    if (core.shares.size() >= most && core.of(array) == 0) return 0;
    return core.room / problem_.p.arrays[array].width;
  }

  void put(std::size_t c, std::size_t array, std::int64_t groups) {
    Shelf& core = cores_[c];
    const auto share = std::ranges::find(core.shares, array, &Share::array);
    if (share == core.shares.end()) {
      core.shares.push_back({array, groups});
    } else {
      share->groups += groups;
    }
    core.room -= groups * problem_.p.arrays[array].width;
    core.groups += groups;
  }

  /// To the core with fewest array groups of the node, then of all.
  bool put_evenly(std::size_t array, std::int64_t groups) {
    std::optional<std::size_t> best;
    std::pair<std::int64_t, std::int64_t> least;
    for (std::size_t c = 0; c < cores_.size(); ++c) {
      if (room(c, array) < groups) continue;
      const std::pair held{cores_[c].of(array), cores_[c].groups};
      if (best && held >= least) continue;
      best = c;
      least = held;
    }
    if (best) put(*best, array, groups);
    return best.has_value();
  }

  [[nodiscard]] std::size_t count() const { return cores_.size(); }

  Mapping take(const std::vector<std::int64_t>& replication) && {
    Mapping mapping{replication, {}};
    for (Shelf& core : cores_) {
      std::ranges::sort(core.shares, {}, &Share::array);
      mapping.cores.push_back(std::move(core.shares));
    }
    return mapping;
  }

 private:
  const Problem& problem_;
  std::vector<Shelf> cores_;
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
  Shelves cores(problem);
  const auto size = [&](std::size_t v) { return arrays[v].groups * arrays[v].width; };
  for (const std::size_t v : by_decreasing(problem, size)) {
    for (std::int64_t replica = 0; replica < r[v]; ++replica) {
      if (cores.put_evenly(v, arrays[v].groups)) continue;
      for (std::int64_t group = 0; group < arrays[v].groups; ++group) {
        if (!cores.put_evenly(v, 1)) return std::nullopt;
      }
    }
  }
  return std::move(cores).take(r);
}

std::optional<Mapping> first_fit(const Problem& problem,
                                 const std::vector<std::int64_t>& replication) {
  const std::vector<std::int64_t> r = problem.by_array(replication);
  const std::vector<ArrayNode>& arrays = problem.p.arrays;
  Shelves cores(problem);
  for (const std::size_t v :
       by_decreasing(problem, [&](std::size_t array) { return arrays[array].width; })) {
    std::int64_t left = arrays[v].groups * r[v];
    for (std::size_t c = 0; c < cores.count() && left > 0; ++c) {
      const std::int64_t groups = std::min(left, cores.room(c, v));
      if (groups > 0) cores.put(c, v, groups);
      left -= groups;
    }
    if (left > 0) return std::nullopt;
  }
  return std::move(cores).take(r);
}

}  // namespace pimbb::crossbar::assign
