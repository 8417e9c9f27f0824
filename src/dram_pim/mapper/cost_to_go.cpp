// Choosing the width of the numbers, and thresholds.
#include "dram_pim/mapper/cost_to_go.hpp"

#include <cmath>

namespace pimbb::dram_pim::mapper {

std::vector<Int128> spread_thresholds(Int128 least, Int128 most) {
  constexpr int kThresholds = kMaxThresholds;
  std::vector<Int128> thresholds{std::min(least, most)};
  const double ratio = to_double(most) / std::max(1.0, to_double(least));
  for (int k = 1; k + 1 < kThresholds; ++k) {
    const double scaled =
        to_double(least) * std::pow(ratio, static_cast<double>(k) / (kThresholds - 1));
    const auto threshold = scaled < 0x1p125 ? static_cast<Int128>(scaled) : most;
    if (threshold > thresholds.back() && threshold < most) thresholds.push_back(threshold);
  }
  if (most > thresholds.back()) thresholds.push_back(most);
  return thresholds;
}

/// An entry for each tile: of the row buffer, of the leaves, four of each level between; and, while
/// a level is filled, two more for each thread. The outermost level is the largest; two threads are
/// counted, whatever their number.
std::uint64_t CostToGo::bytes(const Storage& storage, const std::vector<std::size_t>& tiles,
                              std::size_t thresholds) {
  std::uint64_t entries = tiles.front() + tiles.back();
  for (std::size_t m = 1; m + 1 < tiles.size(); ++m) entries += 4 * tiles[m];
  entries += 4 * tiles[tiles.size() - 2];
  const std::size_t number =
      storage.scale().fills_fit_64_bits ? sizeof(std::int64_t) : sizeof(Int128);
  return entries * (1 + storage.open_count() + thresholds) * number;
}

CostToGo::CostToGo(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
                   std::vector<Int128> thresholds, const DataflowRule& rule,
                   const run::Guard& guard, const Hopeless& hopeless)
    : thresholds_(std::move(thresholds)),
      steps_(storage.scale().counts_steps() ? &storage.scale() : nullptr),
      open_count_(storage.open_count()),
      tables_([&]() -> decltype(tables_) {
        guard.need(bytes(storage, levels.sizes(), thresholds_.size()));
        const auto tables = [&]<class Number>(Number /*of this type*/) {
          typename CostToGoTables<Number>::Hopeless out;
          if (hopeless) {
            out = [&](TileIndex tile, Tensor t, const Number* rest) {
              return hopeless(
                  *this, tile, t,
                  Entry(rest, steps_, open_count_, 1 + open_count_ + thresholds_.size()));
            };
          }
          return CostToGoTables<Number>(lattice, storage, levels, thresholds_, rule, guard, out);
        };
        if (storage.scale().fills_fit_64_bits) return tables(std::int64_t{});
        return tables(Int128{});
      }()) {}

}  // namespace pimbb::dram_pim::mapper
