// One screen after the other, the quickest first.
#include "dram_pim/solver/list_fills.hpp"

#include "dram_pim/trace/fill_times.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::size_t kMostFills = std::size_t{1} << 14;

}  // namespace

std::optional<std::vector<Factors>> list_fills(const Architecture& architecture,
                                               const Workload& workload, RowModel model,
                                               const Confines& confines, const Storage& storage,
                                               const Costs& least, const Hopeless& hopeless,
                                               const run::Guard& guard) {
  auto fills = hopeful_fills(architecture, workload, storage, least, hopeless, kMostFills, guard);
  if (!fills) return std::nullopt;
  try {
    keep_hopeful_together(architecture, workload, storage, hopeless, *fills, guard);
    keep_hopeful_alone(architecture, workload, storage, hopeless, *fills, guard);
    if (!fills->empty()) {
      keep_hopeful_insides(architecture, workload, model, confines, storage, hopeless, *fills,
                           guard);
    }
  } catch (const run::TooLarge&) {  // the rest may stay
  }
  std::vector<Factors> tiles;
  for (const Fill& fill : *fills) tiles.push_back(fill.tile);
  return tiles;
}

}  // namespace pimbb::dram_pim::mapper
