// All storage choices, one after the other, without writing them down.
//
// k levels with free bypass have up to 8^k choices, each with tables of its own to build. The tree
// decides level by level, innermost first, which tensors are dropped. With bounds, every node has
// one for each target from the linear relaxation (relaxation.hpp): the most promising node is
// expanded first, and those that cannot beat what is known already are left out with all choices
// below them. Without bounds the choices come in the order of the tree, fullest first.
//
// The bound of a node: the least latency and the least energy of its relaxation, and the goal's
// value of both. Where a cutoff z limits the latency of a better mapping, energy is minimised under
// that limit; with more energy the limit falls, and so on: for EDP, T <= z / E, E >= E(T). When the
// limit falls below the least latency, nothing better is left.
//
// The eight children of a node are bounded in parallel, each from scratch, so neither the order nor
// the number of iterations depends on the number of threads.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "mapper/relaxation.hpp"
#include "mapper/target.hpp"

namespace pimbb::mapper {

class StorageTree {
 public:
  struct Statistics {
    std::uint64_t solves = 0;      ///< linear programs solved
    std::uint64_t iterations = 0;  ///< of the simplex
  };
  struct Choice {
    std::vector<TensorFlags> stores;
    std::vector<Wide> bounds;  ///< per target; 0 without bounds
  };

  /// `points`: null for no bounds. Keeps references.
  StorageTree(const Instance& instance, FillPoints* points, const std::vector<Target>& targets);

  /// The next choice that can be better than `cutoffs` (one a target, null: nothing known yet) in
  /// some target; nothing if there is none.
  [[nodiscard]] std::optional<Choice> next(const std::vector<const Wide*>& cutoffs);
  /// A lower bound for target k over all choices still to come.
  [[nodiscard]] Wide open_bound(std::size_t k) const;
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

 private:
  struct Node {
    PartialStorage storage;
    std::vector<Wide> bounds;
    double order = 0;  // guides only
    std::uint64_t id = 0;
  };

  static bool later(const Node& a, const Node& b);
  [[nodiscard]] std::optional<std::size_t> open_level(const Node& node) const;
  [[nodiscard]] bool useful(const Node& node, const std::vector<const Wide*>& cutoffs) const;
  void expand(Node node, std::size_t level, const std::vector<const Wide*>& cutoffs);
  void bound(Node& node, const std::vector<const Wide*>& cutoffs, Statistics& statistics) const;
  void push(Node node);

  const Instance& instance_;
  FillPoints* points_;
  const std::vector<Target>& targets_;
  std::vector<double> unit_;  // the root's bounds
  std::vector<Node> heap_;
  std::uint64_t next_id_ = 0;
  Statistics statistics_;
};

/// The number of storage choices, 2^63 at most.
std::uint64_t count_storage_choices(const Architecture& architecture);

}  // namespace pimbb::mapper
