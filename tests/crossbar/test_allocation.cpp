// Offsets for blocks with lifetimes, against counting and exhaustion.
#include <doctest/doctest.h>

#include <random>

#include "crossbar/schedule/allocation.hpp"

using namespace pimbb;
using crossbar::schedule::allocate;
using crossbar::schedule::Block;
using crossbar::schedule::Heights;
using crossbar::schedule::most_alive;

namespace {

Heights allocate_freely(const std::vector<Block>& blocks) {
  return allocate(blocks, run::kUnguarded);
}

/// Whether the blocks from `next` on fit below `height` beside those placed, by trying all offsets.
bool fits(const std::vector<Block>& blocks, std::vector<std::int64_t>& offsets,
          std::int64_t height) {
  const std::size_t next = offsets.size();
  if (next == blocks.size()) return true;
  const Block& block = blocks[next];
  for (std::int64_t at = 0; at + block.bytes <= height; ++at) {
    bool free = true;
    for (std::size_t i = 0; i < next && free; ++i) {
      const bool meet = blocks[i].from < block.to && block.from < blocks[i].to;
      free = !meet || at + block.bytes <= offsets[i] || offsets[i] + blocks[i].bytes <= at;
    }
    if (!free) continue;
    offsets.push_back(at);
    if (fits(blocks, offsets, height)) return true;
    offsets.pop_back();
  }
  return false;
}

std::int64_t least_height(const std::vector<Block>& blocks) {
  std::int64_t height = most_alive(blocks);
  std::vector<std::int64_t> offsets;
  while (!fits(blocks, offsets, height)) ++height;
  return height;
}

}  // namespace

TEST_CASE("the most bytes alive at once; a block ends before another begins at the same time") {
  CHECK(most_alive({}) == 0);
  CHECK(most_alive({{0, 5, 3}, {5, 9, 4}, {4, 5, 2}}) == 5);
  CHECK(most_alive({{0, 5, 3}, {4, 9, 4}}) == 7);
}

TEST_CASE("blocks of one size need no more than is alive at once") {
  const Heights heights = allocate_freely({{0, 4, 6}, {1, 3, 6}, {3, 9, 6}, {4, 7, 6}});
  CHECK(heights.height == 12);
  CHECK(heights.least == 12);
}

TEST_CASE("no blocks need nothing") {
  const Heights heights = allocate_freely({});
  CHECK(heights.height == 0);
  CHECK(heights.least == 0);
}

TEST_CASE("a long block first in the wrong place costs more than the best order") {
  // by birth the block of 1 is put below the one of 3, which then finds no room of its size
  const std::vector<Block> blocks{{0, 2, 2}, {1, 9, 1}, {2, 5, 3}, {5, 9, 2}, {4, 6, 1}};
  const Heights heights = allocate_freely(blocks);
  CHECK(heights.height == least_height(blocks));
  CHECK(heights.least == heights.height);
}

TEST_CASE("random blocks against all offsets") {
  std::mt19937 random(7);
  const auto draw = [&](unsigned below) { return static_cast<std::int64_t>(random() % below); };
  for (int round = 0; round < 300; ++round) {
    std::vector<Block> blocks;
    for (int i = 0; i < 7; ++i) {
      const std::int64_t from = draw(8);
      blocks.push_back({from, from + 1 + draw(5), 1 + draw(4)});
    }
    CAPTURE(round);
    const Heights heights = allocate_freely(blocks);
    CHECK(heights.height == least_height(blocks));
    CHECK(heights.least == heights.height);
  }
}

TEST_CASE("many blocks never need less than is alive at once") {
  // So many that first fit by size sorts them into slices of time, with few ns in each.
  std::mt19937_64 draw(3);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    std::vector<Block> blocks;
    for (int k = 0; k < 40; ++k) {
      const auto from = static_cast<std::int64_t>(draw() % 24);
      blocks.push_back({from, from + 1 + static_cast<std::int64_t>(draw() % 5),
                        1 + static_cast<std::int64_t>(draw() % 9)});
    }
    const Heights heights = allocate_freely(blocks);
    CHECK(heights.least == most_alive(blocks));
    CHECK(heights.height >= heights.least);
  }
}
