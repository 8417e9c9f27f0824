// The rules of the baselines.
#include "crossbar/heuristic/replication.hpp"

#include <algorithm>
#include <set>

#include "crossbar/partition/filling.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::heuristic {
namespace {

std::int64_t quotient_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::optional<Mapping> fitted(const Architecture& a, const Partition& p,
                              const std::vector<Family>& families,
                              const std::vector<std::int64_t>& replication) {
  partition::Filling filling(a, p);
  for (std::size_t f = 0; f < families.size(); ++f) {
    for (std::size_t v = families[f].first; v < families[f].first + families[f].parts; ++v) {
      filling.replication(v) = replication[f];
      if (filling.put_first_fit(v, p.arrays[v].groups * replication[f]) > 0) return std::nullopt;
    }
  }
  if (find_violation(a, p, filling.mapping())) return std::nullopt;  // local memory
  return filling.mapping();
}

}  // namespace

std::vector<Family> families(const Partition& p) {
  std::vector<Family> all;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    if (array.family == v) {
      all.push_back({v, 0, 0, array.windows, p.node(array).op == Op::conv});
    }
    ++all.back().parts;
    all.back().crossbars += array.groups * array.width;
  }
  return all;
}

std::int64_t crossbars_left(const Architecture& a, const std::vector<Family>& families) {
  std::int64_t left = a.all_cores() * a.core.crossbars;
  for (const Family& family : families) left -= family.crossbars;
  return left;
}

std::vector<std::int64_t> puma_replication(const std::vector<Family>& families, std::int64_t left,
                                           std::int64_t keep) {
  std::vector<std::int64_t> replication(families.size(), 1);
  while (left > keep) {
    std::size_t slowest = families.size();
    std::int64_t most = 1;
    for (std::size_t f = 0; f < families.size(); ++f) {
      const std::int64_t cycles = quotient_up(families[f].windows, replication[f]);
      if (!families[f].is_conv || cycles <= most) continue;
      slowest = f;
      most = cycles;
    }
    if (slowest == families.size() || families[slowest].crossbars > left) break;
    ++replication[slowest];
    left -= families[slowest].crossbars;
  }
  return replication;
}

std::vector<std::int64_t> even_replication(const Architecture& a,
                                           const std::vector<Family>& families, bool by_windows) {
  std::set<std::int64_t> windows;
  std::int64_t rest = a.all_cores() * a.core.crossbars;
  for (const Family& family : families) {
    windows.insert(family.windows);
    if (!family.is_conv) rest -= family.crossbars;
  }
  const std::int64_t unit = windows.size() > 1 ? *std::next(windows.begin()) : *windows.begin();
  std::vector<std::int64_t> replication(families.size(), 1);
  Int128 sum = 0;
  for (std::size_t f = 0; f < families.size(); ++f) {
    if (!families[f].is_conv) continue;
    if (by_windows) replication[f] = quotient_up(families[f].windows, unit);
    sum += Int128{replication[f]} * families[f].crossbars;
  }
  for (std::size_t f = 0; f < families.size(); ++f) {
    if (!families[f].is_conv) continue;
    const Int128 times = Int128{std::max<std::int64_t>(0, rest)} * 5 / (sum * 6);
    replication[f] = static_cast<std::int64_t>(
        std::clamp<Int128>(times * replication[f], 1, families[f].windows));
  }
  return replication;
}

std::optional<Mapping> first_fit(const Architecture& a, const Partition& p,
                                 const std::vector<Family>& families,
                                 std::vector<std::int64_t> replication) {
  while (true) {
    if (auto mapping = fitted(a, p, families, replication)) return mapping;
    std::size_t largest = families.size();
    for (std::size_t f = 0; f < families.size(); ++f) {
      if (!families[f].is_conv || replication[f] == 1) continue;
      if (largest == families.size() || families[f].crossbars > families[largest].crossbars) {
        largest = f;
      }
    }
    if (largest == families.size()) return std::nullopt;
    --replication[largest];
  }
}

}  // namespace pimbb::crossbar::heuristic
