// Contents of a core are vectors of array groups, one number for each node.
#include "crossbar/exhaustion.hpp"

#include <algorithm>
#include <set>

#include "crossbar/cost/latency.hpp"

namespace testkit {

using namespace pimbb::crossbar;

namespace {

using Content = std::vector<std::int64_t>;

/// The time of a core by its definition, cycle by cycle.
std::int64_t time_of(const Architecture& a, const Partition& p, const Replication& replication,
                     const Content& content) {
  std::int64_t time = 0;
  for (std::int64_t t = 0;; ++t) {
    std::int64_t active = 0;
    for (std::size_t v = 0; v < content.size(); ++v) {
      const std::int64_t cycles = (p.arrays[v].windows + replication[v] - 1) / replication[v];
      if (cycles > t) active += content[v];
    }
    if (active == 0) return time;
    time += std::max(active * a.mvm.interval, a.mvm.time);
  }
}

/// All contents that obey the limits of a core.
class Contents {
 public:
  Contents(const Architecture& a, const Partition& p, Content most)
      : a_(a), p_(p), most_(std::move(most)), now_(most_.size(), 0) {
    add(0, a_.core.crossbars, a_.core.max_nodes);
  }

  std::vector<Content> all;

 private:
  void add(std::size_t v, std::int64_t room, std::int64_t nodes) {
    if (v == now_.size()) {
      all.push_back(now_);
      return;
    }
    for (std::int64_t n = 0; n <= most_[v] && n * p_.arrays[v].width <= room; ++n) {
      if (n > 0 && nodes == 0) break;
      now_[v] = n;
      add(v + 1, room - n * p_.arrays[v].width, nodes - (n > 0 ? 1 : 0));
    }
    now_[v] = 0;
  }

  const Architecture& a_;
  const Partition& p_;
  Content most_;
  Content now_;
};

Content groups_of(const Partition& p, const Replication& replication) {
  Content groups;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    groups.push_back(p.arrays[v].groups * replication[v]);
  }
  return groups;
}

/// The rest of `left` without `content`, unless there is not as much.
std::optional<Content> minus(const Content& left, const Content& content) {
  Content rest(left.size());
  for (std::size_t v = 0; v < left.size(); ++v) {
    rest[v] = left[v] - content[v];
    if (rest[v] < 0) return std::nullopt;
  }
  return rest;
}

/// Packs what is left into the remaining cores; states that failed are not tried again.
class Packing {
 public:
  Packing(const Partition& p, std::vector<Content> contents, std::int64_t crossbars)
      : p_(p), contents_(std::move(contents)), crossbars_(crossbars) {}

  bool pack(std::int64_t cores, const Content& left) {
    std::int64_t wanted = 0;
    for (std::size_t v = 0; v < left.size(); ++v) wanted += left[v] * p_.arrays[v].width;
    if (wanted == 0) return true;
    if (cores == 0 || wanted > cores * crossbars_) return false;
    if (!failed_.insert({cores, left}).second) return false;
    return std::ranges::any_of(contents_, [&](const Content& content) {
      const std::optional<Content> rest = minus(left, content);
      return rest && pack(cores - 1, *rest);
    });
  }

 private:
  const Partition& p_;
  std::vector<Content> contents_;
  std::int64_t crossbars_;
  std::set<std::pair<std::int64_t, Content>> failed_;
};

}  // namespace

std::vector<Replication> replications(const Architecture& a, const Partition& p) {
  std::vector<Replication> all;
  Replication now(p.arrays.size(), 1);
  const std::function<void(std::size_t, std::int64_t)> add = [&](std::size_t v, std::int64_t room) {
    if (v == now.size()) {
      all.push_back(now);
      return;
    }
    const std::int64_t one = p.arrays[v].groups * p.arrays[v].width;
    for (std::int64_t r = 1; r <= p.arrays[v].windows && r * one <= room; ++r) {
      now[v] = r;
      add(v + 1, room - r * one);
    }
  };
  add(0, a.all_cores() * a.core.crossbars);
  return all;
}

std::vector<Replication> family_replications(const Architecture& a, const Partition& p) {
  std::vector<Replication> all = replications(a, p);
  std::erase_if(all, [&](const Replication& r) {
    for (std::size_t v = 0; v < r.size(); ++v) {
      if (r[v] != r[p.arrays[v].family]) return true;
    }
    return false;
  });
  return all;
}

bool fits(const Architecture& a, const Partition& p, const Replication& replication,
          std::optional<std::int64_t> deadline) {
  const Content groups = groups_of(p, replication);
  std::vector<Content> contents = Contents(a, p, groups).all;
  std::erase_if(contents, [&](const Content& content) {
    return deadline && time_of(a, p, replication, content) >= *deadline;
  });
  return Packing(p, std::move(contents), a.core.crossbars).pack(a.all_cores(), groups);
}

void for_each_mapping(const Architecture& a, const Partition& p, const Replication& replication,
                      const std::function<void(const Mapping&)>& visit) {
  const Content groups = groups_of(p, replication);
  const std::vector<Content> contents = Contents(a, p, groups).all;
  Mapping mapping{replication,
                  std::vector<std::vector<Share>>(static_cast<std::size_t>(a.all_cores()))};
  const std::function<void(std::size_t, const Content&)> fill = [&](std::size_t c,
                                                                    const Content& left) {
    if (c == mapping.cores.size()) {
      if (std::ranges::count(left, 0) == static_cast<std::ptrdiff_t>(left.size())) visit(mapping);
      return;
    }
    for (const Content& content : contents) {
      const std::optional<Content> rest = minus(left, content);
      if (!rest) continue;
      mapping.cores[c].clear();
      for (std::size_t v = 0; v < content.size(); ++v) {
        if (content[v] > 0) mapping.cores[c].push_back({v, content[v]});
      }
      fill(c + 1, *rest);
    }
  };
  fill(0, groups);
}

/// Replications by ascending `ll`, each with its least `ht`, if that is less than those before
/// have.
std::vector<std::vector<pimbb::Rational>> front_by_exhaustion(const Architecture& a,
                                                              const Partition& p) {
  using pimbb::Rational;
  std::vector<std::pair<Rational, Replication>> all;
  for (Replication& r : family_replications(a, p)) {
    const Rational ll = cost::latency(a, p, {r, {}}, cost::RateRule::provider);
    all.emplace_back(ll, std::move(r));
  }
  std::ranges::sort(all);
  std::vector<std::vector<Rational>> front;
  std::optional<std::int64_t> least;
  for (const auto& [ll, r] : all) {
    while (fits(a, p, r, least)) {
      // the least time in [low, high), of which high is too long
      std::int64_t low = 0;
      std::int64_t high = least.value_or(std::int64_t{1} << 40);
      while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fits(a, p, r, middle) ? high : low) = middle;
      }
      least = low;
      if (!front.empty() && front.back()[1] == ll) front.pop_back();
      front.push_back({Rational(low), ll});
    }
  }
  std::ranges::sort(front);
  return front;
}

}  // namespace testkit
