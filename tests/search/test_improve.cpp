// The heuristic that a search asks from time to time, on a tree whose bounds say nothing.
#include <doctest/doctest.h>

#include "search/branch_and_bound.hpp"

namespace {

constexpr std::size_t kBits = 13;
constexpr std::int64_t kBest = -1;  // of value 0; in no leaf, so that only a heuristic finds it

/// Strings of bits. All bounds are 0, and all leaves are worth 7.
class Bits {
 public:
  using Value = std::int64_t;
  using Solution = std::int64_t;
  struct Node {
    Value least = 0;
    std::size_t length = 0;
    std::int64_t bits = 0;
    [[nodiscard]] const Value& bound() const { return least; }
  };
  using Found = pimbb::search::Expansion<Bits>;

  static bool expand(const Node& node, const Value* /*cutoff*/, Found& out) {
    for (const std::int64_t bit : {0, 1}) {
      const Node child{0, node.length + 1, 2 * node.bits + bit};
      if (child.length < kBits) {
        out.children.push_back(child);
        continue;
      }
      ++out.leaves;
      out.solution(7, [&] { return child.bits; });
    }
    return true;
  }
  static pimbb::search::Admission admit(const Node&, std::uint64_t) {
    return pimbb::search::Admission::unlabelled;
  }
  static bool alive(const Node&, std::uint64_t) { return true; }
  static std::uint64_t label_bytes() { return 0; }
  void improved(Value value) { told = value; }

  Value told = -1;
};

using Search = pimbb::search::BranchAndBound<Bits>;

}  // namespace

TEST_CASE("a solution of the heuristic ends the search") {
  Bits problem;
  const auto alone = Search(problem, {}, {}).run({Bits::Node{}}, std::nullopt);
  CHECK(alone.incumbent->first == 7);
  CHECK(alone.statistics.nodes == (1U << kBits) - 1);

  std::vector<std::int64_t> given;
  const auto helped = Search(problem, {}, {}, [&](const Search::Incumbent& incumbent) {
                        given.push_back(incumbent->first);
                        return Search::Incumbent({0, kBest});
                      }).run({Bits::Node{}}, std::nullopt);
  CHECK(given == std::vector<std::int64_t>{7});
  CHECK(helped.incumbent == std::pair(Bits::Value{0}, kBest));
  CHECK_FALSE(helped.open_bound);
  CHECK(problem.told == 0);
  CHECK(helped.statistics.nodes >= 1000);
  CHECK(helped.statistics.nodes < 2000);
}

TEST_CASE("a heuristic without success changes nothing, and is asked less and less often") {
  Bits problem;
  const auto alone = Search(problem, {}, {}).run({Bits::Node{}}, std::nullopt);
  for (const bool worse : {false, true}) {
    std::size_t asked = 0;
    const auto searched = Search(problem, {}, {}, [&](const Search::Incumbent&) {
                            ++asked;
                            return worse ? Search::Incumbent({8, 1}) : std::nullopt;
                          }).run({Bits::Node{}}, std::nullopt);
    CHECK(asked == 2);  // at 1,000 and at 4,000 nodes
    CHECK(searched.incumbent == alone.incumbent);
    CHECK(searched.statistics.nodes == alone.statistics.nodes);
  }
}
