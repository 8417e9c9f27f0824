// The demands of the dataflows, and which of them a mapping does not meet.
#include "dram_pim/model/dataflow.hpp"

#include <algorithm>

namespace pimbb::dram_pim {
namespace model {
namespace {

constexpr std::array kArrayDirections{Direction::H, Direction::W};

/// Whether s filter rows and q output rows go onto the array together.
bool fit_together(const PeArray& array, std::int64_t s, std::int64_t q) {
  const auto may = [&](Direction d, Dim j, std::int64_t factor) {
    return factor == 1 || (array.allows(d, j) && factor <= array.extent(d));
  };
  for (const Direction a : kArrayDirections) {
    for (const Direction b : kArrayDirections) {
      if (may(a, Dim::S, s) && may(b, Dim::Q, q) && (a != b || s * q <= array.extent(a))) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::size_t home_level(const Architecture& architecture, Tensor t) {
  std::size_t level = 0;
  while (!architecture.storable(level)[index(t)]) ++level;
  return level;
}

bool must_store(const Architecture& architecture, Method method, std::size_t level, Tensor t) {
  if (method == Method::rs) return level == 0 && architecture.storable(0)[index(t)];
  return stationary_tensor(method) == t && level == home_level(architecture, t);
}

RowUnrolling row_unrolling(const PeArray& array, const Workload& workload) {
  RowUnrolling rows;
  for (std::int64_t s = workload.bound(Dim::S); rows.filter_rows == 1 && s > 1; --s) {
    if (workload.bound(Dim::S) % s == 0 && fit_together(array, s, 1)) rows.filter_rows = s;
  }
  for (std::int64_t q = 2; rows.output_rows == 1 && q <= workload.bound(Dim::Q); ++q) {
    if (workload.bound(Dim::Q) % q != 0) continue;
    if (!fit_together(array, rows.filter_rows, q)) break;
    rows.output_rows = q;
  }
  return rows;
}

}  // namespace model

namespace {

using Departure = std::optional<std::string>;

Departure storage_departs(const Architecture& a, const Mapping& m, Method method) {
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    for (const Tensor t : kAllTensors) {
      if (m.levels[level].stores[index(t)] || !model::must_store(a, method, level, t)) continue;
      return a.levels[level].name + " does not store the " + std::string(name(t));
    }
  }
  return std::nullopt;
}

/// Looks at the loops further out than the home of `t`, from the inside out.
Departure orders_depart(const Architecture& a, const Mapping& m, Tensor t) {
  std::optional<Dim> innermost;
  bool leaves_in_place = false;
  for (std::size_t level = model::home_level(a, t) + 1; level < m.levels.size(); ++level) {
    bool moved = false;
    const std::vector<Loop>& loops = m.levels[level].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      if (loop->factor == 1) continue;
      if (!innermost) innermost = loop->dim;
      if (relevant(t, loop->dim)) {
        moved = true;
      } else if (moved) {
        return a.levels[level].name + ": loop " + std::string(name(loop->dim)) +
               " stands outside a loop that moves the " + std::string(name(t));
      } else {
        leaves_in_place = true;
      }
    }
  }
  if (leaves_in_place && relevant(t, *innermost)) {
    return "the innermost loop outside " + a.levels[model::home_level(a, t)].name + ", " +
           std::string(name(*innermost)) + ", moves the " + std::string(name(t));
  }
  return std::nullopt;
}

Departure rows_depart(const Architecture& a, const Workload& w, const Mapping& m) {
  const model::RowUnrolling rows = model::row_unrolling(a.pe_array, w);
  const auto on_array = [&](Dim j) {
    return m.spatial_in(Direction::H)[index(j)] * m.spatial_in(Direction::W)[index(j)];
  };
  const auto in_pe = [&](Dim j) { return m.pe_tile()[index(j)]; };
  const auto says = [](Dim j, const char* where, std::int64_t found, const std::string& needed) {
    return std::string(name(j)) + ' ' + where + " is " + std::to_string(found) + ", needed is " +
           needed;
  };
  if (in_pe(Dim::R) != w.bound(Dim::R)) {
    return says(Dim::R, "in a PE", in_pe(Dim::R), std::to_string(w.bound(Dim::R)));
  }
  for (const Dim j : {Dim::S, Dim::Q}) {
    if (in_pe(j) != 1) return says(j, "in a PE", in_pe(j), "1");
  }
  if (on_array(Dim::P) != 1) return says(Dim::P, "on the array", on_array(Dim::P), "1");
  if (on_array(Dim::S) != rows.filter_rows) {
    return says(Dim::S, "on the array", on_array(Dim::S), std::to_string(rows.filter_rows));
  }
  if (on_array(Dim::Q) < rows.output_rows) {
    return says(Dim::Q, "on the array", on_array(Dim::Q),
                std::to_string(rows.output_rows) + " or more");
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_departure(const Architecture& architecture,
                                          const Workload& workload, const Mapping& mapping,
                                          Method method) {
  if (!is_dataflow(method)) return std::nullopt;
  if (Departure departure = storage_departs(architecture, mapping, method)) return departure;
  const auto t = stationary_tensor(method);
  return t ? orders_depart(architecture, mapping, *t)
           : rows_depart(architecture, workload, mapping);
}

}  // namespace pimbb::dram_pim
