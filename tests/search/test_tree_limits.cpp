// Rounds, limits and plunges of branch and bound, on trees of which every node can be counted.
#include <doctest/doctest.h>

#include <vector>

#include "search/binary_tree.hpp"

namespace {

/// Leaves are worth 1,000 less their number from the left, or nothing.
BinaryTree tree(std::size_t depth, bool barren) {
  return {depth, [barren](std::int64_t number) {
            return barren ? std::nullopt : std::optional(1000 - number);
          }};
}

pimbb::search::TreeLimits at_most(std::uint64_t nodes) {
  pimbb::search::TreeLimits limits;
  limits.nodes = nodes;
  return limits;
}

}  // namespace

TEST_CASE("rounds take 1, 4, 8, 16, 32 and then 64 nodes, each down to a leaf") {
  BinaryTree problem = tree(14, true);
  std::vector<std::uint64_t> leaves;
  BinarySearch search(problem, {}, [&](const auto& statistics, const auto*, const auto&) {
    leaves.push_back(statistics.leaves);
  });
  const auto outcome = search.run({BinaryTree::Node{}}, std::nullopt);
  std::uint64_t all = 0;
  std::uint64_t width = 1;
  REQUIRE(leaves.size() > 8);
  for (std::size_t round = 0; round < 8; ++round) {
    all += 2 * width;
    CHECK(leaves[round] == all);
    width = std::min<std::uint64_t>(64, 4U << round);
  }
  CHECK(outcome.statistics.leaves == 1U << 14);
  CHECK(outcome.statistics.nodes == (1U << 14) - 1);
  CHECK(outcome.statistics.rounds == leaves.size() + 1);  // after the last, nothing to tell
  CHECK_FALSE(outcome.incumbent);
  CHECK(problem.told.empty());
}

TEST_CASE("with a solution at hand a limit of nodes is kept exactly") {
  for (const std::uint64_t most : {0, 1, 2, 3, 5, 17, 100, 254, 255, 1000}) {
    CAPTURE(most);
    BinaryTree problem = tree(8, false);
    BinarySearch search(problem, at_most(most), {});
    const auto outcome = search.run({BinaryTree::Node{}}, BinarySearch::Incumbent({2000, -1}));
    CHECK(outcome.statistics.nodes <= most);
    if (most >= 255) {
      CHECK(outcome.statistics.nodes == 255);
      CHECK(outcome.incumbent->first == 1000 - 255);
      CHECK_FALSE(outcome.open_bound);
    } else {
      CHECK(outcome.open_bound == 0);
      CHECK((outcome.statistics.nodes > 0) == (most > 0));
    }
    for (std::size_t k = 1; k < problem.told.size(); ++k) {
      CHECK(problem.told[k] < problem.told[k - 1]);
    }
    CHECK((problem.told.empty() ? 2000 : problem.told.back()) == outcome.incumbent->first);
  }
}

TEST_CASE("without a solution the first plunge is completed, and no more") {
  for (const bool barren : {false, true}) {
    BinaryTree problem = tree(8, barren);
    BinarySearch search(problem, at_most(1), {});
    const auto outcome = search.run({BinaryTree::Node{}}, std::nullopt);
    CHECK(outcome.statistics.nodes == 8);
    CHECK(outcome.statistics.rounds == 1);
    CHECK(outcome.incumbent.has_value() == !barren);
    CHECK(outcome.open_bound == 0);
  }
}
