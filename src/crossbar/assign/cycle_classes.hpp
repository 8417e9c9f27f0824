// Replications of one family by their numbers of cycles: those of equal cycles are a class, an
// interval of replications; W windows have at most 2 sqrt(W) classes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

constexpr std::int64_t cycles_of(std::int64_t windows, std::int64_t replication) {
  return ceil_div(windows, replication);
}

/// The fewest replicas with as many cycles.
constexpr std::int64_t least_of_class(std::int64_t windows, std::int64_t replication) {
  return ceil_div(windows, cycles_of(windows, replication));
}

/// The fewest replicas with fewer cycles; more than `windows` if there are none.
constexpr std::int64_t next_class(std::int64_t windows, std::int64_t replication) {
  const std::int64_t cycles = cycles_of(windows, replication);
  return cycles > 1 ? ceil_div(windows, cycles - 1) : windows + 1;
}

/// MVMs of one array group of each replica, idle ones included.
constexpr std::int64_t work_of(std::int64_t windows, std::int64_t replication) {
  return replication * cycles_of(windows, replication);
}

/// The least work of `least` .. `most` replicas: within a class, that of the fewest.
constexpr std::int64_t least_work(std::int64_t windows, std::int64_t least, std::int64_t most) {
  std::int64_t work = work_of(windows, least);
  for (std::int64_t r = next_class(windows, least); r <= most && work > windows;
       r = next_class(windows, r)) {
    work = std::min(work, work_of(windows, r));
  }
  return work;
}

/// The fewest replicas, `from` or more, with no more work; more than `windows` if there are none.
constexpr std::int64_t first_within(std::int64_t windows, std::int64_t from, std::int64_t work) {
  std::int64_t r = from;
  while (r <= windows && work_of(windows, r) > work) r = next_class(windows, r);
  return r;
}

/// The most replicas, `from` or fewer, with no more work; 0 if there are none.
constexpr std::int64_t last_within(std::int64_t windows, std::int64_t from, std::int64_t work) {
  for (std::int64_t r = from; r >= 1;) {
    const std::int64_t cycles = cycles_of(windows, r);
    const std::int64_t first = ceil_div(windows, cycles);
    if (const std::int64_t last = std::min(r, work / cycles); last >= first) return last;
    r = first - 1;
  }
  return 0;
}

}  // namespace pimbb::crossbar::assign
