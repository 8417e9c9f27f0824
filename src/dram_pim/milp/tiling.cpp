// Paths through the divisors of each bound.
#include "dram_pim/milp/tiling.hpp"

#include <algorithm>

#include "dram_pim/mapper/tiles.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::milp {
namespace {

constexpr std::int64_t kNowhere = 0;  // in a key of `unroll`, else 1 + direction

/// Key {direction, factor, 1}.
Choice decide_unrolling(Problem& problem, Dim j) {
  const PeArray& pe = problem.architecture.pe_array;
  std::vector<std::pair<std::string, Key>> options{{label("unroll", j, "none"), {kNowhere, 1, 1}}};
  for (const Direction d : kAllDirections) {
    if (!pe.allows(d, j)) continue;
    for (const std::int64_t f : divisors_of(problem.workload.bound(j))) {
      if (f == 1 || f > pe.extent(d)) continue;
      options.push_back({label("unroll", j, d, f), {1 + static_cast<std::int64_t>(d), f, 1}});
    }
  }
  return decide(problem.program, label("unroll", j), std::move(options));
}

Choice decide_tile(Problem& problem, Dim j, std::size_t level) {
  std::vector<std::pair<std::string, Key>> options;
  for (const std::int64_t c : divisors_of(problem.workload.bound(j))) {
    options.push_back({label("tile", j, level, c), {c}});
  }
  return decide(problem.program, label("tile", j, level), std::move(options));
}

Key only_last(const Key& key) { return {1, key.back()}; }
Key only_first(const Key& key) { return {key.front(), 1}; }

void unroll(Problem& problem, Tiling& tiling, Dim j) {
  const std::size_t k = index(j);
  const Choice choice = decide_unrolling(problem, j);
  for (const Direction d : kAllDirections) {
    tiling.unrolled[k][index(d)] = rekeyed(choice, [&](const Key& key) {
      return Key{key[0] == 1 + static_cast<std::int64_t>(d) ? key[1] : 1};
    });
  }
  tiling.spatial[k] = rekeyed(choice, [](const Key& key) { return Key{key[1]}; });
  const Choice inner = rekeyed(choice, [](const Key& key) {
    return Key{key[0] + 1, key[1], 1};  // keys multiply: no zero
  });
  const Choice outer = rekeyed(tiling.tile[0][k], [](const Key& key) { return Key{1, 1, key[0]}; });
  const Choice both = joint(problem.program, label("step", j, 0), inner, outer, certainty(),
                            [](const Key& key) { return key[2] % key[1] == 0; });
  tiling.share[k] = rekeyed(both, [](const Key& key) {
    const bool inside = key[0] == 2 + static_cast<std::int64_t>(Direction::internal);
    return Key{inside ? key[2] : key[2] / key[1]};
  });
}

}  // namespace

Sum Tiling::idle(std::size_t m, Dim j) const {
  return expectation(step[m][index(j)], [](const Key& key) { return key[0] == key[1] ? 1 : 0; });
}

Factors factors_of(const Key& key) {
  Factors tile;
  std::copy(key.begin(), key.end(), tile.begin());
  return tile;
}

Tiling decide_tiling(Problem& problem) {
  Tiling tiling;
  const std::size_t dram = problem.architecture.dram();
  tiling.tile.resize(dram + 1);
  tiling.step.resize(dram + 1);
  for (const Dim j : kAllDims) {
    const std::size_t k = index(j);
    for (std::size_t m = 0; m < dram; ++m) tiling.tile[m][k] = decide_tile(problem, j, m);
    tiling.tile[dram][k] = certain({problem.workload.bound(j)});
    unroll(problem, tiling, j);
    for (std::size_t m = 1; m <= dram; ++m) {
      tiling.step[m][k] =
          joint(problem.program, label("step", j, m), rekeyed(tiling.tile[m - 1][k], only_first),
                rekeyed(tiling.tile[m][k], only_last), certainty(),
                [](const Key& key) { return key[1] % key[0] == 0; });
    }
  }
  return tiling;
}

Choice joint_tile(Problem& problem, const std::string& subject, Tensor t,
                  const PerDim<Choice>& parts, std::int64_t most) {
  std::vector<Choice> chosen;
  for (const Dim j : kAllDims) {
    if (!relevant(t, j)) continue;
    chosen.push_back(rekeyed(parts[index(j)], [j](const Key& key) {
      Key tile(kDims, 1);
      tile[index(j)] = key[0];
      return tile;
    }));
  }
  return product(problem.program, subject, chosen, [&](const Key& key) {
    return problem.workload.tile_elements(t, factors_of(key)) <= most;
  });
}

}  // namespace pimbb::dram_pim::milp
