// The open nodes of branch and bound, best first and depth first, against plain lists.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "search/open_list.hpp"

namespace {

struct OpenNode {
  int value;
  std::uint64_t id;
  [[nodiscard]] const int& bound() const { return value; }
  [[nodiscard]] std::uint64_t referred_bytes() const { return 100 * (id % 3); }
  bool operator==(const OpenNode&) const = default;
};
using Open = pimbb::search::OpenList<OpenNode, int>;

/// Takes no notice of how long it takes.
struct Reference {
  std::vector<OpenNode> heap;
  std::vector<OpenNode> stack;

  [[nodiscard]] std::vector<OpenNode> all() const {
    std::vector<OpenNode> nodes = heap;
    nodes.insert(nodes.end(), stack.begin(), stack.end());
    return nodes;
  }
  OpenNode pop() {
    auto& from = stack.empty() ? heap : stack;
    const auto next =
        stack.empty()
            ? std::ranges::min_element(
                  heap, {}, [](const OpenNode& n) { return std::pair(n.value, UINT64_MAX - n.id); })
            : stack.end() - 1;
    const OpenNode node = *next;
    from.erase(next);
    return node;
  }
};

OpenNode pop(Open& open) {
  const Open::Taken taken = open.take();
  const OpenNode node = *taken.node;
  open.release(taken);
  return node;
}

}  // namespace

TEST_CASE("open nodes: the least bound is that of the heap and of the stack") {
  Open open;
  CHECK_FALSE(open.least_bound().has_value());
  open.push({5, 0}, 0, false);
  open.depth_first(true);
  open.push({7, 1}, 1, false);
  CHECK(open.least_bound() == 5);
  open.push({3, 2}, 2, true);
  open.push({4, 3}, 3, false);
  CHECK(open.least_bound() == 3);
  CHECK(pop(open).id == 3);
  CHECK(open.next().labelled());
  CHECK(pop(open).id == 2);
  CHECK(open.least_bound() == 5);
  open.depth_first(false);
  CHECK(pop(open).id == 0);
  CHECK(open.least_bound() == 7);
}

TEST_CASE("open nodes: the sequence of a list that is searched anew each time") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    Open open;
    Reference reference;
    std::uint64_t id = 0;
    for (int step = 0; step < 600; ++step) {
      const auto nodes = reference.all();
      REQUIRE(open.empty() == nodes.empty());
      std::uint64_t bytes = 0;
      for (const OpenNode& node : nodes) bytes += Open::kNodeBytes + node.referred_bytes();
      REQUIRE(open.bytes() == bytes);
      if (random() % 20 == 0) {
        open.depth_first(!open.depth_first());
        if (!open.depth_first()) {
          reference.heap = nodes;
          reference.stack.clear();
        }
      } else if (random() % 30 == 0) {
        const auto odd = [](std::uint64_t k) { return k % 2 == 1; };
        open.purge([&](const Open::Entry& entry) {
          CHECK(open.node(entry).id == entry.id());
          CHECK(open.node(entry).value == entry.bound());
          return !odd(entry.id());
        });
        std::erase_if(reference.heap, [&](const OpenNode& n) { return odd(n.id); });
        std::erase_if(reference.stack, [&](const OpenNode& n) { return odd(n.id); });
      } else if (random() % 5 < 3 || nodes.empty()) {
        const OpenNode node{static_cast<int>(random() % 9), id};
        (open.depth_first() ? reference.stack : reference.heap).push_back(node);
        open.push(OpenNode(node), id++, random() % 2 == 0);
      } else {
        CHECK(open.least_bound() == std::ranges::min(nodes, {}, &OpenNode::value).value);
        CHECK(open.next().id() == open.node(open.next()).id);
        CHECK(pop(open) == reference.pop());
      }
    }
  }
}
