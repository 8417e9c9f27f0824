// Families of parts, and the replications that are worth trying.
#include "crossbar/assign/problem.hpp"

#include <algorithm>
#include <numeric>

#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {

Problem::Problem(const Architecture& architecture, const Partition& partition)
    : a(architecture),
      p(partition),
      cores(architecture.all_cores()),
      crossbars(architecture.core.crossbars),
      quantum(std::gcd(architecture.mvm.time, architecture.mvm.interval)) {
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    if (array.family == v) families.push_back({{}, array.windows, 0, 0});
    Family& family = families.back();
    family.arrays.push_back(v);
    family.groups += array.groups;
    family.crossbars += array.groups * array.width;
  }
}

bool Problem::has_room(const std::vector<std::int64_t>& by_family) const {
  Int128 used = 0;
  for (std::size_t f = 0; f < families.size(); ++f) {
    used += Int128{families[f].crossbars} * by_family[f];
  }
  return used <= all_crossbars();
}

std::int64_t Problem::all_groups(const std::vector<std::int64_t>& by_family) const {
  std::int64_t sum = 0;
  for (std::size_t f = 0; f < families.size(); ++f) sum += families[f].groups * by_family[f];
  return sum;
}

std::vector<std::int64_t> Problem::least_replication(std::int64_t cycles) const {
  std::vector<std::int64_t> replication;
  for (const Family& family : families) replication.push_back(ceil_div(family.windows, cycles));
  return replication;
}

std::vector<std::int64_t> Problem::by_array(const std::vector<std::int64_t>& by_family) const {
  std::vector<std::int64_t> replication(p.arrays.size());
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (const std::size_t v : families[f].arrays) replication[v] = by_family[f];
  }
  return replication;
}

std::vector<std::int64_t> Problem::by_family(const std::vector<std::int64_t>& by_array) const {
  std::vector<std::int64_t> replication;
  for (const Family& family : families) replication.push_back(by_array[family.arrays.front()]);
  return replication;
}

std::int64_t Problem::rounded_up(std::int64_t time) const {
  return ceil_div(time, quantum) * quantum;
}

std::vector<Option> options(std::int64_t windows, std::int64_t most_cycles, std::int64_t most) {
  std::vector<Option> all;
  std::int64_t cycles = std::min(windows, most_cycles);
  while (cycles >= 1) {
    const std::int64_t replication = ceil_div(windows, cycles);
    if (replication > most) break;
    cycles = ceil_div(windows, replication);
    all.push_back({replication, cycles});
    --cycles;
  }
  return all;
}

}  // namespace pimbb::crossbar::assign
