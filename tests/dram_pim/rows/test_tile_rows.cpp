// Rows of a tile's bytes, against the address of every element of the tile.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include "dram_pim/rows/element_map.hpp"
#include "dram_pim/rows/tile_rows.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::dram_pim::rows;

namespace {

/// The bytes of each row that elements of the first tile lie in.
std::map<std::int64_t, std::set<std::int64_t>> bytes_by_row(const Architecture& a,
                                                            const Workload& w, const Mapping& m,
                                                            Tensor t) {
  const ElementMap map = element_map(a, w, m, t);
  const Indices extent = extents(w, t, m.tile(a.row_buffer()));
  std::map<std::int64_t, std::set<std::int64_t>> bytes;
  Indices at{};
  for (std::int64_t i = 0; i < volume(extent); ++i) {
    std::int64_t rest = i;
    for (std::size_t k = kAxes; k-- > 0; rest /= extent[k]) at[k] = rest % extent[k];
    for (std::int64_t unit = 0; unit < a.element_units(t); ++unit) {
      const std::int64_t address = map.address(at) + unit;
      bytes[address / a.row_units()].insert(address % a.row_units() / a.byte_units());
    }
  }
  return bytes;
}

void compare(const TileRows& found, const std::map<std::int64_t, std::set<std::int64_t>>& known) {
  CHECK(found.rows == static_cast<std::int64_t>(known.size()));
  std::map<std::int64_t, std::set<std::int64_t>> drawn;
  for (const TileRows::Run& run : found.runs) {
    for (std::int64_t b = 0; b < run.bytes; ++b) {
      CHECK(drawn[run.row].insert(run.column + b).second);  // no byte twice
    }
  }
  for (const auto& [row, bytes] : drawn) {
    for (const std::int64_t byte : bytes) CHECK(known.at(row).contains(byte));
  }
  const bool all = found.rows <= kDrawnRows && found.runs.size() < kDrawnRuns;
  if (all) CHECK((drawn == known));
}

}  // namespace

TEST_CASE("rows of a tile equal those of its elements") {
  const std::uint64_t first = testkit::first_seed(91'000'000);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(2000); ++seed) {
    testkit::Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 400});
    const Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, 4);
    if (find_violation(i.architecture, i.workload, m)) continue;
    CAPTURE(seed);
    for (const Tensor t : kAllTensors) {
      for (const Layout layout : {Layout::sequential, Layout::row_aligned}) {
        Mapping changed = m;
        changed.layout[index(t)] = layout;
        const auto found = tile_rows(i.architecture, i.workload, m, t, layout);
        const bool no_block =
            t == Tensor::input && layout != m.layout[index(t)] && layout == Layout::row_aligned;
        REQUIRE(found.has_value() ==
                (!no_block && !find_violation(i.architecture, i.workload, changed)));
        if (!found) continue;
        compare(*found, bytes_by_row(i.architecture, i.workload, changed, t));
        ++compared;
      }
    }
  }
  CHECK(compared > testkit::cases(2000) / 2);
}
