// One row a level.
#include "dram_pim/cli/levels_table.hpp"

#include "dram_pim/cli/report.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {

std::string levels_table(const Style& style, const Architecture& architecture) {
  std::vector<std::vector<std::string>> rows;
  for (const MemoryLevel& level : architecture.levels) {
    std::string stores;
    for (const Tensor t : kAllTensors) {
      if (level.stores[index(t)])
        stores += (stores.empty() ? "" : " ") + std::string(pimbb::name(t));
    }
    const bool dram = &level == &architecture.levels.back();  // its bandwidth enters no formula
    const auto bandwidth = [&](Tensor t) { return dram ? "-" : number(level.bandwidth(t)); };
    rows.push_back({printable(level.name), level.capacity ? bytes(*level.capacity) : "unbounded",
                    bandwidth(Tensor::input), bandwidth(Tensor::output), number(level.access_cost),
                    stores + (level.bypass_free ? " (or fewer)" : "")});
  }
  return summary(architecture) + "\n\n" +
         whole_table(style,
                     {{"level", 0, false},
                      {"capacity"},
                      {"read B/cycle"},
                      {"write B/cycle", 0, true, 1},
                      {"nJ/access"},
                      {"stores", 0, false}},
                     rows);
}

}  // namespace pimbb::dram_pim::cli
