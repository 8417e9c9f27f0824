// A complete binary tree whose bounds say nothing, as a problem of branch and bound.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "search/branch_and_bound.hpp"

/// `depth` levels of two branches; all bounds are 0.
class BinaryTree {
 public:
  using Value = std::int64_t;
  using Solution = std::int64_t;
  struct Node {
    Value least = 0;
    std::size_t length = 0;
    std::int64_t number = 0;  ///< of its level, from the left
    [[nodiscard]] const Value& bound() const { return least; }
  };
  using Found = pimbb::search::Expansion<BinaryTree>;
  /// What the leaf of a number is worth; nothing if it is no solution.
  using Worth = std::function<std::optional<Value>(std::int64_t number)>;

  BinaryTree(std::size_t depth, Worth worth) : depth_(depth), worth_(std::move(worth)) {}

  bool expand(const Node& node, const Value* /*cutoff*/, Found& out) const {
    for (const std::int64_t bit : {0, 1}) {
      const Node child{0, node.length + 1, 2 * node.number + bit};
      if (child.length < depth_) {
        out.children.push_back(child);
        continue;
      }
      ++out.leaves;
      if (const auto value = worth_(child.number)) {
        out.solution(*value, [&] { return child.number; });
      }
    }
    return true;
  }
  static pimbb::search::Admission admit(const Node&, std::uint64_t) {
    return pimbb::search::Admission::unlabelled;
  }
  static bool alive(const Node&, std::uint64_t) { return true; }
  static std::uint64_t label_bytes() { return 0; }
  void improved(Value value) { told.push_back(value); }

  std::vector<Value> told;  ///< of better solutions

 private:
  std::size_t depth_;
  Worth worth_;
};

using BinarySearch = pimbb::search::BranchAndBound<BinaryTree>;
