// Rounds, nodes ahead, limits and plunges of branch and bound, on trees whose nodes can be counted.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "run/on_threads.hpp"
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

namespace {

/// A root with many children, each of which has two: one is expanded in the same plunge, the other
/// is opened when the plunge is merged, and left for later. One child is slow: it waits until so
/// many others were expanded.
class Children {
 public:
  using Value = BinaryTree::Value;
  using Solution = BinaryTree::Solution;
  using Node = BinaryTree::Node;  // of length 0, the root, to 2
  using Found = pimbb::search::Expansion<Children>;
  static constexpr std::int64_t kCount = 500;

  Children(std::int64_t slow, std::int64_t others) : slow_(slow), others_(others) {}

  bool expand(const Node& node, const Value* /*cutoff*/, Found& out) const {
    if (node.length == 2) return true;
    if (node.length == 0) {
      for (std::int64_t k = kCount; k-- > 0;) out.children.push_back({0, 1, k});  // youngest first
      return true;
    }
    const std::int64_t merged = merged_;
    const std::int64_t ahead = ++expanded_ - merged;
    if (ahead > std::min<std::int64_t>(64, 4 + 1 + merged)) too_far = true;
    if (node.number == slow_) wait();
    for (int k = 0; k < 2; ++k) out.children.push_back({1, 2, node.number});
    return true;
  }
  pimbb::search::Admission admit(const Node& node, std::uint64_t) {
    if (node.length == 2) ++merged_;
    return pimbb::search::Admission::unlabelled;
  }
  static bool alive(const Node&, std::uint64_t) { return true; }
  static std::uint64_t label_bytes() { return 0; }
  static void improved(Value) {}

  mutable std::atomic<bool> too_far = false;
  mutable std::atomic<bool> waited = true;  // and not in vain

 private:
  void wait() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (expanded_ < slow_ + others_) {
      if (std::chrono::steady_clock::now() > end) {
        waited = false;
        return;
      }
      std::this_thread::yield();
    }
  }

  std::int64_t slow_;
  std::int64_t others_;
  mutable std::atomic<std::int64_t> expanded_ = 0;
  std::atomic<std::int64_t> merged_ = 0;
};

}  // namespace

TEST_CASE("up to 64 nodes are ahead, fewer at first, and none waits for a slow one") {
  struct Case {
    std::int64_t slow;
    std::int64_t others;
  };
  for (const Case& c : {Case{0, 4}, {10, 12}, {100, 50}, {300, 50}}) {
    CAPTURE(c.slow);
    Children problem(c.slow, c.others);
    pimbb::run::on_threads(2, [&] {
      const auto outcome = pimbb::search::BranchAndBound<Children>(problem, {}, {})
                               .run({Children::Node{}}, std::nullopt);
      CHECK(outcome.statistics.nodes == 1 + 3 * Children::kCount);
      CHECK(outcome.statistics.rounds == 1);  // there is nothing to tell
    });
    CHECK_FALSE(problem.too_far);
    CHECK(problem.waited);
  }
}

TEST_CASE("a round ends when there is a better solution, and not before") {
  BinaryTree barren = tree(14, true);
  std::uint64_t reports = 0;
  BinarySearch search(barren, {}, [&](const auto&, const auto*, const auto&) { ++reports; });
  const auto outcome = search.run({BinaryTree::Node{}}, std::nullopt);
  CHECK(outcome.statistics.leaves == 1U << 14);
  CHECK(outcome.statistics.nodes == (1U << 14) - 1);
  CHECK(outcome.statistics.rounds == 1);
  CHECK(reports == ((1U << 13) + 1) / 64);  // all plunges: to every second leaf, and the root's
  CHECK_FALSE(outcome.incumbent);
  CHECK(barren.told.empty());

  BinaryTree fruitful = tree(8, false);
  const auto found = BinarySearch(fruitful, {}, {}).run({BinaryTree::Node{}}, std::nullopt);
  CHECK(found.incumbent->first == 1000 - 255);
  CHECK(found.statistics.rounds >= fruitful.told.size());
  CHECK(fruitful.told.size() > 1);
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
