// Factors are dealt out prime by prime over the places where a dimension may go.
#include "support/random_mapping.hpp"

#include <algorithm>

#include "support/oracle_feasibility.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

std::vector<std::int64_t> prime_factors(std::int64_t n) {
  std::vector<std::int64_t> primes;
  for (std::int64_t p = 2; n > 1; ++p) {
    for (; n % p == 0; n /= p) primes.push_back(p);
  }
  return primes;
}

std::int64_t random_divisor(std::int64_t n, Choices& choices) {
  std::int64_t divisor = 1;
  for (const std::int64_t p : prime_factors(n)) {
    if (choices.once_in(2)) divisor *= p;
  }
  return n / divisor;
}

/// Level 0 has a fixed order; everywhere else the loop goes to a random position.
void add_factor(Mapping& m, std::size_t level, Dim j, std::int64_t factor, Choices& choices) {
  std::vector<Loop>& loops = m.levels[level].loops;
  for (Loop& loop : loops) {
    if (loop.dim == j) {
      loop.factor *= factor;
      return;
    }
  }
  loops.insert(loops.begin() + static_cast<std::ptrdiff_t>(choices.pick(loops.size() + 1)),
               {j, factor});
  if (level == 0) {
    std::sort(loops.begin(), loops.end(),
              [](const Loop& x, const Loop& y) { return pe_place(x.dim) < pe_place(y.dim); });
  }
}

void place(Mapping& m, const Architecture& a, Dim j, std::int64_t factor, Choices& choices,
           std::size_t outward) {
  const std::size_t levels = a.levels.size();
  std::size_t where = choices.pick(levels + 2 + outward);
  if (where >= levels + 2) where = 2;
  if (where < 2) {  // one of the array's directions, unless another is taken or none is allowed
    const Direction d = kAllDirections[choices.pick(kDirections)];
    bool taken = !oracle::unit_allows(a, d, j);
    for (const Direction other : kAllDirections) {
      taken = taken || (other != d && m.spatial[index(other)][index(j)] > 1);
    }
    if (!taken) {
      m.spatial[index(d)][index(j)] *= factor;
      return;
    }
    where = 2;
  }
  add_factor(m, levels + 1 - where, j, factor, choices);  // 2 is the DRAM
}

void choose_storage(Mapping& m, const Architecture& a, Choices& choices) {
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    for (const Tensor t : kAllTensors) {
      bool stored = !choices.once_in(3);
      if (!oracle::storage_allowed(a, level, t, stored)) stored = !stored;
      m.levels[level].stores[index(t)] = stored;
    }
  }
}

void choose_block(Mapping& m, const Workload& w, Choices& choices) {
  m.input_block = {random_divisor(w.input_height(), choices),
                   random_divisor(w.input_width(), choices)};
}

}  // namespace

Mapping random_mapping(const Architecture& a, const Workload& w, Choices& choices,
                       std::size_t outward) {
  Mapping m;
  m.levels.resize(a.levels.size());
  for (const Dim j : kAllDims) {
    for (const std::int64_t p : prime_factors(w.bound(j))) place(m, a, j, p, choices, outward);
  }
  for (std::size_t level = 1; level < m.levels.size(); ++level) {
    choices.shuffle(m.levels[level].loops);
  }
  choose_storage(m, a, choices);
  for (Layout& layout : m.layout) {
    layout = choices.one_of({Layout::sequential, Layout::row_aligned});
  }
  choose_block(m, w, choices);
  return m;
}

void damage(Mapping& m, Choices& choices) {
  const std::size_t level = choices.pick(m.levels.size());
  std::vector<Loop>& loops = m.levels[level].loops;
  const std::size_t j = choices.pick(kDims);
  switch (choices.pick(6)) {
    case 0:
      if (!loops.empty()) loops[choices.pick(loops.size())].factor += 1;
      break;
    case 1:
      if (!loops.empty()) loops.erase(loops.begin());
      break;
    case 2: std::swap(m.spatial[choices.pick(3)][j], m.spatial[choices.pick(3)][j]); break;
    case 3: {  // move a whole loop onto the array
      if (loops.empty()) break;
      m.spatial[choices.pick(3)][index(loops.back().dim)] *= loops.back().factor;
      loops.pop_back();
      break;
    }
    case 4: {
      bool& stored = m.levels[level].stores[choices.pick(kTensors)];
      stored = !stored;
      break;
    }
    default:
      m.layout[0] = Layout::row_aligned;
      m.input_block = {static_cast<std::int64_t>(choices.pick(6)),
                       static_cast<std::int64_t>(choices.pick(6))};
  }
}

void step(Mapping& m, const Architecture& a, const Workload& w, Choices& choices) {
  switch (choices.pick(8)) {
    case 0: choose_block(m, w, choices); break;
    case 1: {
      Layout& layout = m.layout[choices.pick(kTensors)];
      layout = layout == Layout::sequential ? Layout::row_aligned : Layout::sequential;
      break;
    }
    case 2: {
      const std::size_t level = choices.pick(a.levels.size());
      const Tensor t = kAllTensors[choices.pick(kTensors)];
      bool& stored = m.levels[level].stores[index(t)];
      if (oracle::storage_allowed(a, level, t, !stored)) stored = !stored;
      break;
    }
    case 3:
    case 4: {
      std::vector<Loop>& loops = m.levels[1 + choices.pick(m.levels.size() - 1)].loops;
      if (loops.size() < 2) break;
      std::swap(loops[choices.pick(loops.size())], loops[choices.pick(loops.size())]);
      break;
    }
    default: {  // take a prime factor from somewhere and deal it out again
      const std::size_t from = choices.pick(m.levels.size() + kDirections);
      Dim j = kAllDims[choices.pick(kDims)];
      std::int64_t* factor = nullptr;
      if (from < kDirections) {
        factor = &m.spatial[from][index(j)];
      } else {
        std::vector<Loop>& loops = m.levels[from - kDirections].loops;
        if (loops.empty()) break;
        Loop& loop = loops[choices.pick(loops.size())];
        j = loop.dim;
        factor = &loop.factor;
      }
      if (*factor == 1) break;
      const std::vector<std::int64_t> primes = prime_factors(*factor);
      const std::int64_t prime = primes[choices.pick(primes.size())];
      *factor /= prime;
      for (MappingLevel& level : m.levels) {
        std::erase_if(level.loops, [](const Loop& loop) { return loop.factor == 1; });
      }
      place(m, a, j, prime, choices, 0);
    }
  }
}

}  // namespace testkit
