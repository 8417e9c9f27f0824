// The search under a memory limit, on a toy problem that has far more open nodes than room.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <set>

#include "run/on_threads.hpp"
#include "search/branch_and_bound.hpp"
#include "support/cases.hpp"

namespace {

constexpr std::size_t kDepth = 9;
constexpr std::size_t kBranches = 5;
constexpr std::int64_t kStep = 70;  // below every cost

/// One of `kBranches` marks at each of `kDepth` places; neighbours cost by both their marks. The
/// bound takes the cheapest pair at every place to come: weak, so that much stays open.
class Marks {
 public:
  using Value = std::int64_t;
  using Solution = std::array<std::uint8_t, kDepth>;
  struct Node {
    Value least = 0;
    Value cost = 0;
    std::size_t depth = 0;
    Solution marks{};
    [[nodiscard]] const Value& bound() const { return least; }
  };
  using Found = pimbb::search::Expansion<Marks>;

  Marks(std::uint64_t seed, std::uint64_t label_room) : label_room_(label_room) {
    std::mt19937_64 random(seed);
    for (auto& place : cost_) {
      for (auto& row : place) {
        for (Value& cost : row) cost = 100 + static_cast<Value>(random() % 40);
      }
    }
  }

  bool expand(const Node& node, const Value* cutoff, Found& out) const {
    for (std::size_t mark = 0; mark < kBranches; ++mark) {
      Node child = node;
      child.cost += step(node, mark);
      child.marks[node.depth] = static_cast<std::uint8_t>(mark);
      child.depth = node.depth + 1;
      child.least = child.cost + kStep * static_cast<Value>(kDepth - child.depth);
      if (cutoff != nullptr && child.least >= *cutoff) continue;
      if (child.depth == kDepth) {
        ++out.leaves;
        out.solution(child.cost, [&] { return child.marks; });
      } else {
        out.children.push_back(child);
      }
    }
    return true;
  }

  /// What follows depends on the last mark only, so of two nodes at one place with the same mark
  /// the cheaper is enough.
  pimbb::search::Admission admit(const Node& node, std::uint64_t id) {
    if (label_room_ == 0 || node.depth == 0) return pimbb::search::Admission::unlabelled;
    Label& label = labels_[node.depth][node.marks[node.depth - 1]];
    if (label.cost <= node.cost) return pimbb::search::Admission::dominated;
    if (label_bytes() >= label_room_) return pimbb::search::Admission::unlabelled;
    if (label.cost == kNone) ++count_;
    label = {node.cost, id};
    return pimbb::search::Admission::labelled;
  }
  [[nodiscard]] bool alive(const Node& node, std::uint64_t id) const {
    return labels_[node.depth][node.marks[node.depth - 1]].id == id;
  }
  [[nodiscard]] std::uint64_t label_bytes() const { return count_ * sizeof(Label); }
  void improved(Value) const {}

  [[nodiscard]] Value optimum() const {
    std::array<Value, kBranches> best{};
    for (std::size_t depth = 0; depth < kDepth; ++depth) {
      std::array<Value, kBranches> next;
      next.fill(kNone);
      for (std::size_t last = 0; last < kBranches; ++last) {
        for (std::size_t mark = 0; mark < kBranches; ++mark) {
          const Value cost = best[last] + cost_[depth][depth == 0 ? 0 : last][mark];
          next[mark] = std::min(next[mark], cost);
        }
      }
      best = next;
    }
    return *std::ranges::min_element(best);
  }

  [[nodiscard]] Value cost(const Solution& marks) const {
    Node node;
    for (const std::uint8_t mark : marks) {
      node.cost += step(node, mark);
      node.marks[node.depth++] = mark;
    }
    return node.cost;
  }

 private:
  static constexpr Value kNone = 1'000'000;
  struct Label {
    Value cost = kNone;
    std::uint64_t id = 0;
  };

  [[nodiscard]] Value step(const Node& node, std::size_t mark) const {
    return cost_[node.depth][node.depth == 0 ? 0 : node.marks[node.depth - 1]][mark];
  }

  std::array<std::array<std::array<Value, kBranches>, kBranches>, kDepth> cost_{};
  std::array<std::array<Label, kBranches>, kDepth> labels_;
  std::uint64_t label_room_;
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t kNodeBytes = pimbb::search::OpenList<Marks::Node, Marks::Value>::kNodeBytes;
constexpr std::uint64_t kPathBytes = kDepth * kBranches * kNodeBytes;

struct Run {
  pimbb::search::TreeOutcome<Marks> outcome;
  bool bounds_hold = true;
};

Run run_marks(std::uint64_t seed, std::uint64_t memory, std::uint64_t label_room = 0,
              std::uint64_t node_limit = pimbb::run::kUnlimited) {
  Marks problem(seed, label_room);
  const Marks::Value optimum = problem.optimum();
  Run result;
  pimbb::search::BranchAndBound<Marks> search(
      problem, {node_limit, {}, memory},
      [&](const pimbb::search::TreeStatistics&, const Marks::Value* incumbent, Marks::Value bound) {
        if (bound > optimum || (incumbent != nullptr && *incumbent < optimum)) {
          result.bounds_hold = false;
        }
      });
  result.outcome = search.run({Marks::Node{}}, std::nullopt);
  return result;
}

}  // namespace

TEST_CASE("the same optimum with any amount of memory, and no more than that amount") {
  std::set<std::uint64_t> counts;
  for (std::uint64_t seed = 1; seed <= testkit::cases(8); ++seed) {
    const Marks problem(seed, 0);
    const std::uint64_t peak =
        run_marks(seed, pimbb::run::kUnlimited).outcome.statistics.peak_bytes;
    CHECK(peak > 2000 * kNodeBytes);  // or the test would show nothing
    for (const std::uint64_t part : {1, 2, 5, 20, 200, 1'000'000}) {
      CAPTURE(seed);
      CAPTURE(part);
      const auto [outcome, bounds_hold] = run_marks(seed, peak / part);
      REQUIRE(outcome.incumbent);
      CHECK(outcome.incumbent->first == problem.optimum());
      CHECK(problem.cost(outcome.incumbent->second) == problem.optimum());
      CHECK_FALSE(outcome.open_bound);
      CHECK(bounds_hold);
      // Depth first leaves the siblings along a path for each node of a round; rounds have
      // narrowed to very few by then.
      CHECK(outcome.statistics.peak_bytes <= peak / part + 4 * kPathBytes);
      if (seed == 1) counts.insert(outcome.statistics.nodes);
    }
  }
  CHECK(counts.size() > 3);  // the limit does change the order
}

TEST_CASE("the same tree on any number of threads, with any amount of memory") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(4); ++seed) {
    for (const std::uint64_t memory : {300, 2000, 1'000'000}) {
      const auto run_on = [&](int threads) {
        pimbb::search::TreeStatistics statistics;
        pimbb::run::on_threads(threads, [&] {
          statistics = run_marks(seed, memory * kNodeBytes, 100).outcome.statistics;
        });
        return std::array{statistics.nodes, statistics.leaves, statistics.rounds,
                          statistics.peak_bytes};
      };
      const auto alone = run_on(1);
      CHECK(run_on(2) == alone);
      CHECK(run_on(5) == alone);
    }
  }
}

TEST_CASE("depth first, nodes that an incumbent has closed make room") {
  // With closed nodes kept until the search is best first again, it would be 506 nodes.
  const auto peak = run_marks(1, 400 * kNodeBytes).outcome.statistics.peak_bytes;
  CHECK(peak < 480 * kNodeBytes);
}

TEST_CASE("labels that do not fit are left out, the optimum stays") {
  const std::uint64_t label = 2 * sizeof(std::uint64_t);
  for (std::uint64_t seed = 1; seed <= testkit::cases(8); ++seed) {
    const Marks problem(seed, 0);
    std::uint64_t nodes = 0;
    for (const std::uint64_t labels : {1, 10, 20, 1000}) {
      for (const std::uint64_t memory : {pimbb::run::kUnlimited, 400 * kNodeBytes}) {
        const auto [outcome, bounds_hold] = run_marks(seed, memory, labels * label);
        REQUIRE(outcome.incumbent);
        CHECK(outcome.incumbent->first == problem.optimum());
        CHECK_FALSE(outcome.open_bound);
        CHECK(bounds_hold);
        nodes = outcome.statistics.nodes;
      }
    }
    CHECK(nodes < run_marks(seed, pimbb::run::kUnlimited).outcome.statistics.nodes / 10);
  }
}

TEST_CASE("cut short while it goes depth first, the bound holds") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Marks problem(seed, 0);
    for (const std::uint64_t nodes : {50, 500, 5000}) {
      const auto [outcome, bounds_hold] = run_marks(seed, 300 * kNodeBytes, 0, nodes);
      REQUIRE(outcome.incumbent);
      REQUIRE(outcome.open_bound);
      CHECK(*outcome.open_bound <= problem.optimum());
      CHECK(problem.optimum() <= outcome.incumbent->first);
      CHECK(bounds_hold);
    }
  }
}
