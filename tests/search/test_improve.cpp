// The heuristic that a search asks from time to time, on a tree whose bounds say nothing.
#include <doctest/doctest.h>

#include "search/binary_tree.hpp"

namespace {

constexpr std::size_t kBits = 13;
constexpr std::int64_t kBest = -1;  // of value 0; in no leaf, so that only a heuristic finds it

/// All leaves are worth 7.
BinaryTree even_tree() {
  return {kBits, [](std::int64_t) { return std::optional<std::int64_t>(7); }};
}

}  // namespace

TEST_CASE("a solution of the heuristic ends the search") {
  BinaryTree problem = even_tree();
  const auto alone = BinarySearch(problem, {}, {}).run({BinaryTree::Node{}}, std::nullopt);
  CHECK(alone.incumbent->first == 7);
  CHECK(alone.statistics.nodes == (1U << kBits) - 1);

  std::vector<std::int64_t> given;
  const auto helped = BinarySearch(problem, {}, {}, [&](const BinarySearch::Incumbent& incumbent) {
                        given.push_back(incumbent->first);
                        return BinarySearch::Incumbent({0, kBest});
                      }).run({BinaryTree::Node{}}, std::nullopt);
  CHECK(given == std::vector<std::int64_t>{7});
  CHECK(helped.incumbent == std::pair(BinaryTree::Value{0}, kBest));
  CHECK_FALSE(helped.open_bound);
  CHECK(problem.told.back() == 0);
  CHECK(helped.statistics.nodes >= 1000);
  CHECK(helped.statistics.nodes < 2000);
}

TEST_CASE("a heuristic without success changes nothing, and is asked less and less often") {
  BinaryTree problem = even_tree();
  const auto alone = BinarySearch(problem, {}, {}).run({BinaryTree::Node{}}, std::nullopt);
  for (const bool worse : {false, true}) {
    std::size_t asked = 0;
    const auto searched = BinarySearch(problem, {}, {}, [&](const BinarySearch::Incumbent&) {
                            ++asked;
                            return worse ? BinarySearch::Incumbent({8, 1}) : std::nullopt;
                          }).run({BinaryTree::Node{}}, std::nullopt);
    CHECK(asked == 2);  // at 1,000 and at 4,000 nodes
    CHECK(searched.incumbent == alone.incumbent);
    CHECK(searched.statistics.nodes == alone.statistics.nodes);
  }
}
