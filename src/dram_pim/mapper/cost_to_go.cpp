// Choosing the width of the numbers.
#include "dram_pim/mapper/cost_to_go.hpp"

namespace pimbb::dram_pim::mapper {

/// An entry for each tile: of the row buffer, of the leaves, four of each level between; and two
/// more while a level is filled, the outermost being the largest.
std::uint64_t CostToGo::bytes(const Lattice& lattice, const Storage& storage,
                              const LevelTiles& levels, std::size_t thresholds) {
  std::uint64_t entries = lattice.size() + levels.tiles[0].size();
  for (std::size_t m = 1; m + 1 < levels.tiles.size(); ++m) entries += 4 * levels.tiles[m].size();
  entries += 2 * levels.tiles[levels.tiles.size() - 2].size();
  const std::size_t number =
      storage.scale().fills_fit_64_bits ? sizeof(std::int64_t) : sizeof(Int128);
  return entries * (1 + storage.open_count() + thresholds) * number;
}

CostToGo::CostToGo(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
                   std::vector<Int128> thresholds, const DataflowRule& rule,
                   const run::Guard& guard)
    : thresholds_(std::move(thresholds)),
      open_count_(storage.open_count()),
      tables_([&]() -> decltype(tables_) {
        guard.need(bytes(lattice, storage, levels, thresholds_.size()));
        if (storage.scale().fills_fit_64_bits) {
          return CostToGoTables<std::int64_t>(lattice, storage, levels, thresholds_, rule, guard);
        }
        return CostToGoTables<Int128>(lattice, storage, levels, thresholds_, rule, guard);
      }()) {}

}  // namespace pimbb::dram_pim::mapper
