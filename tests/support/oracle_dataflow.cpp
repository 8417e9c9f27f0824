// Dataflows as predicates on whole mappings, nothing shared with src/model.
#include "support/oracle_dataflow.hpp"

#include <algorithm>

#include "support/oracle_feasibility.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Direction;
using pimbb::dram_pim::Method;

std::size_t innermost_possible(const Architecture& a, Tensor t) {
  std::size_t level = 0;
  while (!storage_allowed(a, level, t, true)) ++level;
  return level;
}

/// Of the loops further out than `home`: no two at the same level with the outer one alone free of
/// t, and the first of all free of t, if any is.
bool stays_put(const Mapping& m, Tensor t, std::size_t home) {
  std::vector<bool> moves;  // from the inside out
  for (std::size_t level = home + 1; level < m.levels.size(); ++level) {
    const std::vector<Loop>& loops = m.levels[level].loops;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner) {
        if (!indexed_by(t, loops[outer].dim) && indexed_by(t, loops[inner].dim)) return false;
      }
    }
    for (std::size_t i = loops.size(); i-- > 0;) moves.push_back(indexed_by(t, loops[i].dim));
  }
  const bool all_move = std::find(moves.begin(), moves.end(), false) == moves.end();
  return all_move || !moves.front();
}

/// Whether factors of S and Q can stand on rows and columns at the same time.
bool unrollable(const Architecture& a, std::int64_t s, std::int64_t q) {
  bool any = false;
  for (int s_rows = 0; s_rows < 2; ++s_rows) {
    for (int q_rows = 0; q_rows < 2; ++q_rows) {
      const std::int64_t rows = (s_rows == 1 ? s : 1) * (q_rows == 1 ? q : 1);
      const std::int64_t columns = s * q / rows;
      const auto allowed = [&](std::int64_t factor, int in_rows, Dim j) {
        return factor == 1 || unit_allows(a, in_rows == 1 ? Direction::H : Direction::W, j);
      };
      any = any || (rows <= a.pe_array.height && columns <= a.pe_array.width &&
                    allowed(s, s_rows, Dim::S) && allowed(q, q_rows, Dim::Q));
    }
  }
  return any;
}

bool convolves_rows(const Architecture& a, const Workload& w, const Mapping& m) {
  const auto on_array = [&](Dim j) { return m.spatial[0][index(j)] * m.spatial[1][index(j)]; };
  const auto in_pe = [&](Dim j) {
    std::int64_t factor = m.spatial[2][index(j)];
    for (const Loop& loop : m.levels[0].loops) factor *= loop.dim == j ? loop.factor : 1;
    return factor;
  };
  std::int64_t s = 1;
  for (std::int64_t d = 1; d <= w.bound(Dim::S); ++d) {
    if (w.bound(Dim::S) % d == 0 && unrollable(a, d, 1)) s = d;
  }
  bool q = false;
  for (std::int64_t d = 2; d <= w.bound(Dim::Q); ++d) {
    q = q || (w.bound(Dim::Q) % d == 0 && unrollable(a, s, d));
  }
  return in_pe(Dim::R) == w.bound(Dim::R) && in_pe(Dim::S) == 1 && in_pe(Dim::Q) == 1 &&
         on_array(Dim::P) == 1 && on_array(Dim::S) == s && (on_array(Dim::Q) > 1 || !q);
}

}  // namespace

Restriction within(const Architecture& a, const Workload& w, Method method) {
  if (method == Method::rs) {
    return {[&](const Mapping& m) { return convolves_rows(a, w, m); },
            [&](Tensor t, const std::vector<bool>& stored) {
              return stored[0] || !storage_allowed(a, 0, t, true);
            }};
  }
  const Tensor kept = method == Method::ws   ? Tensor::weight
                      : method == Method::os ? Tensor::output
                                             : Tensor::input;
  const std::size_t home = innermost_possible(a, kept);
  return {[kept, home](const Mapping& m) { return stays_put(m, kept, home); },
          [kept, home](Tensor t, const std::vector<bool>& stored) {
            return t != kept || stored[home];
          }};
}

}  // namespace oracle
