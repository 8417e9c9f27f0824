// Twice as many at a time until they find no room, then half as many.
#include "crossbar/answers/more_replicas.hpp"

#include <algorithm>
#include <vector>

#include "crossbar/cost/throughput.hpp"
#include "crossbar/partition/filling.hpp"

namespace pimbb::crossbar::classes {
namespace {

class ReplicaAdder {
 public:
  ReplicaAdder(const assign::Problem& problem, Mapping mapping, std::int64_t deadline)
      : problem_(problem),
        deadline_(deadline),
        filling_(problem.a, problem.p, std::move(mapping)) {}

  [[nodiscard]] const Mapping& mapping() const { return filling_.mapping(); }

  void add_all(const assign::Family& family) {
    std::int64_t step = 1;
    while (add(family, step)) step *= 2;
    for (step /= 2; step > 0; step /= 2) add(family, step);
  }

 private:
  struct Put {
    std::size_t core;
    std::size_t array;
    std::int64_t groups;
  };

  /// So many replicas; none if not all find room. No core gets later by their cycles: these are no
  /// more than before.
  bool add(const assign::Family& family, std::int64_t replicas) {
    const std::int64_t before = filling_.mapping().replication[family.arrays.front()];
    if (before + replicas > family.windows) return false;
    for (const std::size_t v : family.arrays) filling_.replication(v) = before + replicas;
    std::vector<Put> puts;
    for (const std::size_t v : family.arrays) {
      if (put(v, problem_.p.arrays[v].groups * replicas, puts)) continue;
      for (const Put& each : puts) filling_.take(each.core, each.array, each.groups);
      for (const std::size_t u : family.arrays) filling_.replication(u) = before;
      return false;
    }
    return true;
  }

  /// Whether all array groups find room.
  bool put(std::size_t array, std::int64_t groups, std::vector<Put>& puts) {
    for (std::size_t core = 0; core < filling_.mapping().cores.size() && groups > 0; ++core) {
      const std::int64_t n = most_in(core, array, groups);
      if (n == 0) continue;
      filling_.put(core, array, n);
      puts.push_back({core, array, n});
      groups -= n;
    }
    return groups == 0;
  }

  [[nodiscard]] std::int64_t most_in(std::size_t core, std::size_t array, std::int64_t groups) {
    std::int64_t low = 0;
    std::int64_t high = std::min(groups, filling_.room(core, array));
    while (low < high) {
      const std::int64_t middle = high - (high - low) / 2;
      filling_.put(core, array, middle);
      const Mapping& mapping = filling_.mapping();
      const bool in_time =
          cost::core_time(problem_.a, problem_.p, mapping, mapping.cores[core]) <= deadline_;
      filling_.take(core, array, middle);
      if (in_time) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  const assign::Problem& problem_;
  std::int64_t deadline_;
  partition::Filling filling_;
};

}  // namespace

Mapping with_more_replicas(const assign::Problem& problem, Mapping mapping, std::int64_t deadline,
                           std::size_t first, const std::function<bool()>& stop) {
  ReplicaAdder adder(problem, std::move(mapping), deadline);
  const std::size_t count = problem.families.size();
  for (std::size_t i = 0; i < count && !(stop && stop()); ++i) {
    adder.add_all(problem.families[(first + i) % count]);
  }
  return adder.mapping();
}

}  // namespace pimbb::crossbar::classes
