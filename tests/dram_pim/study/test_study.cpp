// The study of row models: the published table of single tiles, and on a real
// layer what must hold whatever the figures are.
#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "dram_pim/heuristic/random_search.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/study/row_models.hpp"
#include "dram_pim/study/tiles.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
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
  for (std::size_t k = 0; k < rows.size(); ++k) CHECK(rows[k].tile.channels == 1 << k / 4);
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

namespace {

/// The positions of a tile along one axis at which it is in two blocks or more.
std::int64_t straddling(std::int64_t plane, std::int64_t tile, std::int64_t stride,
                        std::int64_t block) {
  std::int64_t count = 0;
  for (std::int64_t at = 0; at + tile <= plane; at += stride) {
    count += at / block != (at + tile - 1) / block ? 1 : 0;
  }
  return count;
}

/// The rows that a tile touches, from its top left corner on, summed over all vertical positions.
std::int64_t rows_walked(const study::Tile& tile, std::int64_t row) {
  std::int64_t sum = 0;
  for (std::int64_t top = 0; top + tile.tile_h <= tile.height; top += tile.stride) {
    std::set<std::int64_t> rows;
    for (std::int64_t c = 0; c < tile.channels; ++c) {
      for (std::int64_t y = top; y < top + tile.tile_h; ++y) {
        for (std::int64_t x = 0; x < tile.tile_w; ++x) {
          rows.insert(((c * tile.height + y) * tile.width + x) / row);
        }
      }
    }
    sum += static_cast<std::int64_t>(rows.size());
  }
  return sum;
}

double input_rows(const Architecture& a, const Workload& w, const Mapping& m) {
  return evaluate(a, w, m, RowModel::trace).row_activations[index(Tensor::input)].to_double();
}

}  // namespace

TEST_CASE("a micro-trace covers a row, and its mean is the estimate") {
  for (const study::Tile& tile :
       {study::Tile{224, 224, 1, 3, 3, 2}, study::Tile{30, 50, 2, 3, 14, 3},
        study::Tile{100, 1024, 1, 3, 3, 1}}) {
    constexpr std::int64_t kRow = 1024;
    std::int64_t next = 0;
    std::int64_t reached = 0;
    Rational sum;
    for (const study::MicroTrace& part : study::micro_traces(tile, kRow)) {
      CHECK(part.from == next);
      CHECK(part.to >= part.from);
      next = part.to + 1;
      reached += part.reached;
      sum += part.rows * part.reached;
    }
    CHECK(next == kRow);
    const std::int64_t positions = (tile.height - tile.tile_h) / tile.stride + 1;
    CHECK(study::rows_of(tile, kRow).walked == Rational(rows_walked(tile, kRow), positions));
    CHECK(sum / reached == study::rows_of(tile, kRow).estimate);
  }
}

TEST_CASE("crossings of blocks, position by position") {
  const study::Tile tile{24, 36, 2, 3, 4, 2};
  constexpr std::int64_t kRow = 128;
  std::size_t blocks = 0;
  for (std::int64_t h = tile.tile_h; h <= tile.height; ++h) {
    for (std::int64_t w = tile.tile_w; w <= tile.width; ++w) {
      blocks += tile.height % h == 0 && tile.width % w == 0 && h * w * 2 <= kRow ? 1 : 0;
    }
  }
  const std::vector<study::BlockCrossings> all = study::block_crossings(tile, kRow);
  CHECK(all.size() == blocks);
  CHECK(blocks > 5);
  const std::int64_t down = (24 - 3) / 2 + 1;
  const std::int64_t across = (36 - 4) / 2 + 1;
  for (const study::BlockCrossings& block : all) {
    CHECK(block.block_h * block.block_w * 2 <= kRow);
    CHECK(block.along_h == straddling(24, 3, 2, block.block_h) * across);
    CHECK(block.along_w == straddling(36, 4, 2, block.block_w) * down);
    CHECK(block.positions == down * across);
  }
}

TEST_CASE("shapes of blocks, by every block that a mapping may have") {
  Architecture a = read_architecture("simple_pim");
  a.bits.fill(24);
  for (MemoryLevel& level : a.levels) {
    if (level.row_buffer_size > 0) level.row_buffer_size = 512;
  }
  Network network = two_small_layers();
  network.layers[0].workload.bounds[index(Dim::N)] = 3;
  network.layers[1].workload.bounds[index(Dim::G)] = 2;
  const study::Samples samples = study::sample(a, network, 60, 5, [] { return true; });
  std::size_t k = 0;
  for (const NetworkLayer& layer : network.layers) {
    const Workload& w = layer.workload;
    heuristic::RandomMappings draw(a, w, 5, mapper::smallest_mapping(a, w));
    for (int sample = 0; sample < 60; ++sample) {
      Mapping m = draw.next();
      m.layout[index(Tensor::input)] = Layout::sequential;
      m.input_block = {};
      const double sequential = input_rows(a, w, m);
      m.layout[index(Tensor::input)] = Layout::row_aligned;
      std::optional<double> least;
      bool strip = false;
      for (std::int64_t h = 1; h <= w.input_height(); ++h) {
        for (std::int64_t v = 1; v <= w.input_width(); ++v) {
          m.input_block = {h, v};
          if (find_violation(a, w, m)) continue;
          strip = strip || v == w.input_width();
          least = std::min(least.value_or(1e300), input_rows(a, w, m));
        }
      }
      if (!strip) continue;
      REQUIRE(k < samples.shapes.ratio[0].size());
      const double best = std::min(sequential, *least);
      CHECK(samples.shapes.ratio[0][k] == sequential / best);
      CHECK(samples.shapes.ratio[3][k] == *least / best);
      ++k;
    }
  }
  CHECK(k == samples.shapes.ratio[0].size());
  CHECK(k > 10);
}
