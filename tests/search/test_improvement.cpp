// The heuristic beside branch and bound, on trees whose bounds say nothing.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "run/on_threads.hpp"
#include "search/binary_tree.hpp"

namespace {

using Incumbent = BinarySearch::Incumbent;

constexpr std::size_t kBits = 13;
constexpr std::int64_t kBest = -1;  // of value 0; in no leaf, so that only a heuristic finds it

/// All leaves are worth 7.
BinaryTree even_tree() {
  return {kBits, [](std::int64_t) { return std::optional<std::int64_t>(7); }};
}

pimbb::search::Improve<Incumbent> one_part(std::function<Incumbent(const Incumbent&)> improve) {
  return {1,
          [improve = std::move(improve)](std::size_t, const Incumbent& from,
                                         const std::function<bool()>&) { return improve(from); },
          {},
          {}};
}

BinaryTree without_solutions(std::size_t depth) {
  return {depth, [](std::int64_t) { return std::optional<std::int64_t>(); }};
}

struct ImprovedRun {
  std::uint64_t nodes = 0;
  std::uint64_t rounds = 0;
  std::vector<std::int64_t> told;  // of improvements
  std::int64_t best = 0;
  std::vector<std::int64_t> asked;  // the incumbents that it began from; 0: none
  std::vector<std::int64_t> taken;  // those of which the result was taken
  bool operator==(const ImprovedRun&) const = default;
};

/// Each of three parts finds something better than the incumbent, the second one the best.
ImprovedRun run_improved(int threads, std::uint64_t most_nodes) {
  ImprovedRun result;
  BinaryTree problem = without_solutions(14);
  pimbb::search::TreeLimits limits;
  limits.nodes = most_nodes;
  const auto of_use = [&](const Incumbent& from) {
    result.asked.push_back(from ? from->first : 0);
    return true;
  };
  const auto taken = [&](const Incumbent& from) { result.taken.push_back(from ? from->first : 0); };
  const auto search = [](std::size_t part, const Incumbent& from, const std::function<bool()>&) {
    const std::int64_t value = (from ? from->first : 1000) - (part == 1 ? 100 : 10);
    return Incumbent({value, static_cast<std::int64_t>(part)});
  };
  pimbb::run::on_threads(threads, [&] {
    const auto outcome = BinarySearch(problem, limits, {}, {3, search, of_use, taken})
                             .run({BinaryTree::Node{}}, std::nullopt);
    result.nodes = outcome.statistics.nodes;
    result.rounds = outcome.statistics.rounds;
    result.best = outcome.incumbent->first;
    CHECK(outcome.incumbent->second == 1);
  });
  result.told = problem.told;
  return result;
}

}  // namespace

TEST_CASE("a solution of the heuristic ends the search") {
  BinaryTree problem = even_tree();
  const auto alone = BinarySearch(problem, {}, {}).run({BinaryTree::Node{}}, std::nullopt);
  CHECK(alone.incumbent->first == 7);
  CHECK(alone.statistics.nodes == (1U << kBits) - 1);

  std::vector<std::int64_t> given;
  const auto helped = BinarySearch(problem, {}, {}, one_part([&](const Incumbent& incumbent) {
                                     given.push_back(incumbent->first);
                                     return Incumbent({0, kBest});
                                   }))
                          .run({BinaryTree::Node{}}, std::nullopt);
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
    const auto searched = BinarySearch(problem, {}, {}, one_part([&](const Incumbent&) {
                                         ++asked;
                                         return worse ? Incumbent({8, 1}) : std::nullopt;
                                       }))
                              .run({BinaryTree::Node{}}, std::nullopt);
    CHECK(asked == 2);  // at 1,000 and at 4,000 nodes
    CHECK(searched.incumbent == alone.incumbent);
    CHECK(searched.statistics.nodes == alone.statistics.nodes);
  }
}

TEST_CASE("a heuristic that would be of no use is not begun") {
  BinaryTree problem = even_tree();
  std::size_t asked = 0;
  auto improve = one_part([](const Incumbent&) { return Incumbent({0, kBest}); });
  improve.of_use = [&](const Incumbent&) { return ++asked == 0; };
  const auto outcome =
      BinarySearch(problem, {}, {}, improve).run({BinaryTree::Node{}}, std::nullopt);
  CHECK(asked == 2);
  CHECK(outcome.incumbent->first == 7);
}

TEST_CASE("a heuristic improves the incumbent at the same nodes on any number of threads") {
  const ImprovedRun alone = run_improved(1, pimbb::run::kUnlimited);
  CHECK(alone.nodes == (1U << 14) - 1);
  CHECK(alone.rounds == 3);  // ended by the improvements begun at 1,000 and at 4,000 nodes
  CHECK(alone.told == std::vector<std::int64_t>{900, 800});
  CHECK(alone.best == 800);  // what began at 16,000 nodes was not done when the search was
  CHECK(alone.asked == std::vector<std::int64_t>{0, 900, 800});
  CHECK(alone.taken == std::vector<std::int64_t>{0, 900});
  for (const int threads : {2, 4}) CHECK(run_improved(threads, pimbb::run::kUnlimited) == alone);
}

TEST_CASE("what a heuristic has begun is taken when a limit ends the search") {
  const ImprovedRun alone = run_improved(1, 1200);
  CHECK(alone.nodes >= 1000);
  CHECK(alone.best == 900);
  for (const int threads : {2, 4}) CHECK(run_improved(threads, 1200) == alone);
}

TEST_CASE("a heuristic is told when the search needs it no longer") {
  std::atomic<bool> begun = false;
  std::atomic<bool> told = false;
  const auto search = [&](std::size_t, const Incumbent&, const std::function<bool()>& enough) {
    begun = true;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!enough() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    told = enough();
    return Incumbent();
  };
  BinaryTree problem = without_solutions(10);
  pimbb::run::on_threads(2, [&] {  // one goes on with the nodes
    const auto outcome = BinarySearch(problem, {}, {}, {1, search, {}, {}})
                             .run({BinaryTree::Node{}, BinaryTree::Node{0, 2, 0}}, std::nullopt);
    CHECK(outcome.statistics.nodes == 1023 + 255);
    CHECK_FALSE(outcome.open_bound);
  });
  CHECK(begun);
  CHECK(told);
}
