// Tables of row activations and their merging.
#include "dram_pim/milp/row_costs.hpp"

#include <limits>
#include <map>

#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/rows/row_activations.hpp"
#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::milp {
namespace {

/// What the formulas need of a row-buffer tile.
struct TileRows {
  rows::RowTile tile;
  bool can_align = false;
};

/// Sets `cross` to the fewest crossings of any admissible block; says whether there is a block.
bool choose_block(const Problem& problem, const Factors& c, std::int64_t& cross) {
  const Workload& w = problem.workload;
  const auto at = [&](Dim d) { return c[index(d)]; };
  const Int128 depth = static_cast<Int128>(at(Dim::C)) * at(Dim::N) * at(Dim::G) *
                       problem.architecture.element_units(Tensor::input);
  bool found = false;
  for (const std::int64_t high : divisors_of(w.input_height())) {
    if (high < w.extent_h(at(Dim::Q), at(Dim::S))) continue;
    for (const std::int64_t wide : divisors_of(w.input_width())) {
      if (wide < w.extent_w(at(Dim::P), at(Dim::R))) continue;
      if (depth * high * wide > problem.architecture.row_units()) break;
      const std::int64_t crossings = rows::crossing_tiles(w, c, {high, wide});
      if (!found || crossings < cross) cross = crossings;
      found = true;
    }
  }
  return found;
}

TileRows tile_rows(const Problem& problem, Tensor t, const Factors& c) {
  const Architecture& a = problem.architecture;
  TileRows rows;
  rows.tile = rows::row_tile(a, problem.workload, t, c);
  if (t != Tensor::input) {
    rows.can_align = a.tile_bytes(t, problem.workload.tile_elements(t, c)) <= a.row_bytes();
    return rows;
  }
  rows.can_align = choose_block(problem, c, rows.tile.cross);
  if (traits(problem.row_model).micro) {
    const auto micro = [&](const Architecture& ordered) {
      return rows::micro_trace_sum(ordered, problem.workload, c);
    };
    rows.tile.micro = a.has_free_input_order()
                          ? std::min(micro(a.with_input_order(InputOrder::nchw)),
                                     micro(a.with_input_order(InputOrder::nhwc)))
                          : micro(a);
  }
  return rows;
}

/// Key {reuse3, outer3, reuse2, outer2}.
Choice reuse_of(Problem& problem, const Tiling& tiling, const Orders& orders, Tensor t) {
  const std::size_t rb = problem.architecture.row_buffer();
  const std::size_t dram = problem.architecture.dram();
  std::vector<Choice>
      loops;  // keys {irrelevant loops at the DRAM, at the row buffer, class, class}
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) continue;
    loops.push_back(rekeyed(tiling.step[rb][index(j)], [&, j](const Key& key) {
      return Key{problem.workload.bound(j) / key[1], key[1] / key[0], 1, 1};
    }));
  }
  Choice all = product(problem.program, label("irrelevant", t), loops);
  if (all.size() > 1) {
    for (const auto& [level, key] : {std::pair(dram, Key{1, 1, 2, 1}), {rb, Key{1, 1, 1, 2}}}) {
      all = joint(problem.program, label("reuse", t), all,
                  whether(orders.of_class[level][index(t)], key, {1, 1, 1, 1}), certainty());
    }
  }
  return rekeyed(all, [](const Key& key) {
    const bool inner3 = key[2] == 2;
    const bool inner2 = key[3] == 2;
    return Key{inner3 ? key[0] : 1, inner3 ? 1 : key[0], inner2 ? key[1] : 1, inner2 ? 1 : key[1]};
  });
}

/// Merges options with equal lines of the table; the key becomes the number of the line.
struct Merged {
  Choice choice;
  std::vector<std::vector<Int128>> lines;
};

Merged merge_equal(const Choice& choice, const std::vector<std::vector<Int128>>& table) {
  std::map<std::vector<Int128>, std::int64_t> number;
  Merged merged;
  std::map<Key, std::int64_t> line_of;
  for (std::size_t i = 0; i < choice.size(); ++i) {
    const auto [entry, fresh] =
        number.emplace(table[i], static_cast<std::int64_t>(merged.lines.size()));
    if (fresh) merged.lines.push_back(table[i]);
    line_of[choice[i].key] = entry->second;
  }
  merged.choice = rekeyed(choice, [&](const Key& key) { return Key{line_of.at(key)}; });
  return merged;
}

std::vector<std::vector<Int128>> transposed(const std::vector<std::vector<Int128>>& table) {
  std::vector<std::vector<Int128>> result(table.front().size());
  for (const auto& line : table) {
    for (std::size_t k = 0; k < line.size(); ++k) result[k].push_back(line[k]);
  }
  return result;
}

constexpr Int128 kForbidden = -1;  // a figure of a tile that cannot be row-aligned

/// N_act under one layout as a sum of columns, nothing if the layout is not taken.
Sum under_layout(Problem& problem, const std::string& subject, const Choice& tiles,
                 const Choice& reuse, const std::vector<std::vector<Int128>>& table,
                 const Sum& taken) {
  const Merged by_tile = merge_equal(tiles, table);
  const Merged by_reuse = merge_equal(reuse, transposed(by_tile.lines));
  // Keys {tile, reuse}, counted from 1 because keys multiply.
  const Choice both =
      joint(problem.program, subject,
            rekeyed(by_tile.choice,
                    [](const Key& key) {
                      return Key{key[0] + 1, 1};
                    }),
            rekeyed(by_reuse.choice,
                    [](const Key& key) {
                      return Key{1, key[0] + 1};
                    }),
            taken, [&](const Key& key) {
              return by_reuse.lines[static_cast<std::size_t>(key[1] - 1)]
                                   [static_cast<std::size_t>(key[0] - 1)] != kForbidden;
            });
  return expectation(both, [&](const Key& key) {
    return by_reuse
        .lines[static_cast<std::size_t>(key[1] - 1)][static_cast<std::size_t>(key[0] - 1)];
  });
}

void charge_tensor(Problem& problem, const Choice& tiles, const Choice& reuse, Tensor t,
                   Costs& costs) {
  std::vector<TileRows> rows(tiles.size());
  run::parallel_for(tiles.size(), [&](std::size_t i) {
    rows[i] = tile_rows(problem, t, factors_of(tiles[i].key));
  });
  const Sum aligned{{problem.program.binary(label("aligned", t)), 1}};
  for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
    std::vector<std::vector<Int128>> table;
    for (const TileRows& row : rows) {
      std::vector<Int128>& line = table.emplace_back();
      for (const Option& option : reuse) {
        const rows::RowReuse r{option.key[0], option.key[1], option.key[2], option.key[3]};
        const bool forbidden = layout == Layout::row_aligned && !row.can_align;
        line.push_back(forbidden ? kForbidden
                                 : rows::activations(problem.row_model, t, layout,
                                                     problem.scale.row, row.tile, r));
      }
    }
    const bool is_aligned = layout == Layout::row_aligned;
    add(costs.rows[index(t)],
        under_layout(problem, label(is_aligned ? "rows_aligned" : "rows_sequential", t), tiles,
                     reuse, table, is_aligned ? aligned : complement(aligned)));
  }
}

}  // namespace

void charge_rows(Problem& problem, const Tiling& tiling, const Orders& orders, Costs& costs) {
  const Architecture& a = problem.architecture;
  const std::size_t rb = a.row_buffer();
  for (const Tensor t : kAllTensors) {
    const std::int64_t most = a.levels[rb].capacity ? a.elements_in(t, *a.levels[rb].capacity)
                                                    : std::numeric_limits<std::int64_t>::max();
    const Choice tiles = joint_tile(problem, label("tile", rb, t), t, tiling.tile[rb], most);
    if (tiles.empty()) continue;  // nothing fits: joint_tile has made the program infeasible
    charge_tensor(problem, tiles, reuse_of(problem, tiling, orders, t), t, costs);
  }
}

}  // namespace pimbb::dram_pim::milp
