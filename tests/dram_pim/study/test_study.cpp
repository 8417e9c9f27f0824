// The study of row models: the published table of single tiles, and on a real
// layer what must hold whatever the figures are.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/study/row_models.hpp"
#include "dram_pim/study/tiles.hpp"
#include "pimbb/dram_pim/io.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

Network two_small_layers() {
  Network network;
  network.layers.resize(2);
  network.layers[0].workload.bounds = {3, 3, 8, 8, 4, 8, 1, 1};
  network.layers[1].workload.bounds = {1, 1, 12, 6, 16, 4, 1, 1};
  network.layers[1].workload.stride_w = 2;
  return network;
}

}  // namespace

TEST_CASE("published tiles to the last digit, and tiles of several channels") {
  constexpr double kPublished[4][2] = {
      {3.0, 3.0}, {1.4375, 1.4324}, {1.4375, 1.4324}, {2.3125, 2.3119}};
  const auto printed = [](const Rational& value) {
    return static_cast<double>(static_cast<std::int64_t>(value.to_double() * 1e4 + 0.5)) / 1e4;
  };
  const std::vector<study::TileRows> rows = study::tile_rows(1024);
  REQUIRE(rows.size() == 16);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(printed(rows[k].estimate) == kPublished[k][0]);
    CHECK(printed(rows[k].walked) == kPublished[k][1]);
  }
  for (std::size_t k = 4; k < rows.size(); ++k) {  // these planes are multiples of a row
    const Rational channels(rows[k].tile.channels, 1);
    CHECK((rows[k].walked == rows[k % 4].walked * channels) ==
          (rows[k].tile.height * rows[k].tile.width % 1024 == 0));
  }
}

TEST_CASE("samples repeat, larger rows open no more, no layout beats the best one") {
  const Architecture a = read_architecture("simple_pim");
  const auto on = [] { return true; };
  const study::Samples samples = study::sample(a, two_small_layers(), 60, 5, on);
  CHECK(samples.sizes.increases == 0);
  for (const auto& rows : samples.sizes.rows) CHECK(rows.size() == 120);
  std::size_t counted = 0;
  for (const auto& by_layout : samples.all()) {
    for (const study::Counts& counts : by_layout) {
      counted += counts.truth.size();
      for (const auto& model : counts.model) CHECK(model.size() == counts.truth.size());
    }
  }
  CHECK(counted == 3 * 120);
  for (std::size_t k = 0; k < samples.shapes.ratio[0].size(); ++k) {
    const double best = std::min(samples.shapes.ratio[0][k], samples.shapes.ratio[3][k]);
    CHECK(best == 1);
    CHECK(samples.shapes.ratio[1][k] >= samples.shapes.ratio[3][k]);
    CHECK(samples.shapes.ratio[2][k] >= samples.shapes.ratio[3][k]);
  }
  const study::Samples again = study::sample(a, two_small_layers(), 60, 5, on);
  CHECK(again.sizes.rows == samples.sizes.rows);
  CHECK(study::sample(a, two_small_layers(), 60, 6, on).sizes.rows != samples.sizes.rows);
  CHECK(study::sample(a, two_small_layers(), 60, 5, [] { return false; }).sizes.rows[0].size() ==
        60);
}

TEST_CASE("no model's optimum is better than the optimum") {
  const Architecture a = read_architecture("simple_pim");
  for (const Goal goal : {Goal::latency, Goal::activations}) {
    const study::Regret regret =
        study::regret(a, two_small_layers(), goal, {}, {}, [] { return true; });
    for (const auto& ratio : regret.ratio) {
      REQUIRE(ratio.size() == 2);
      for (const double r : ratio) CHECK(r >= 1);
    }
  }
}
