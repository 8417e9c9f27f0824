// The problem of crossbar accelerators: cores and network, read from the canonical instance of a
// proof, and the partition of the network into array groups.
//
// A node that is wider than a core is replaced by parts, which are nodes of their own. The parts of
// a node are a family: they have the same replication. So is every other array node by itself.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "../exact.hpp"

namespace pimbb_check::crossbar {

enum class Op { input, conv, fc, pool, eltwise, concat, pass };
inline constexpr std::array<const char*, 7> kOpNames{"input",   "conv",   "fc",  "pool",
                                                     "eltwise", "concat", "pass"};
inline constexpr std::array<const char*, 2> kGoalNames{"ht", "ll"};
inline constexpr std::size_t kHt = 0, kLl = 1;  // among these

struct Axis {
  std::int64_t kernel = 1, stride = 1, before = 0, after = 0;
};

struct Node {
  Op op = Op::pass;
  std::vector<std::size_t> from;            // nodes that it reads
  std::array<std::int64_t, 3> in{}, out{};  // channels, height, width
  Axis vertical, horizontal;

  [[nodiscard]] bool is_array() const { return op == Op::conv || op == Op::fc; }
  [[nodiscard]] bool counts() const { return op == Op::conv || op == Op::pool; }
};

struct Array {
  std::size_t node = 0, family = 0;
  std::int64_t groups = 1;   // array groups of a replica
  std::int64_t width = 1;    // crossbars of an array group
  std::int64_t windows = 1;  // pixels that it computes
};

struct Family {
  std::vector<std::size_t> arrays;
  std::int64_t windows = 1;
  Int128 groups = 0, crossbars = 0;  // of one replica of all parts
};

using Counts = std::vector<std::int64_t>;

struct Problem {
  std::string accelerator_name, network_name;  // as JSON, in ASCII
  std::int64_t cores = 1, crossbars = 1, rows = 1, columns = 1, slices = 1, max_nodes = 1;
  std::int64_t time = 1, interval = 1;  // ns, of a multiplication; least distance of two starts
  std::vector<std::size_t> goals;       // by kGoalNames; of a front, its axes

  std::vector<Node> nodes;  // with parts in place of wide nodes
  std::vector<Array> arrays;
  std::vector<Family> families;
  std::vector<std::size_t> family_of;  // by node; of array nodes

  /// `front`: the instance has two goals, the axes of a front.
  explicit Problem(const std::string& canonical_text, bool front = false);

  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string goal_name(std::size_t k) const { return kGoalNames[goals[k]]; }
  [[nodiscard]] Int128 all_crossbars() const { return Int128{cores} * crossbars; }
  /// Every time of a core is a multiple of it.
  [[nodiscard]] std::int64_t quantum() const;

 private:
  void add(const Node& node, const std::vector<std::vector<std::size_t>>& made);
};

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }

/// Nanoseconds of a core that holds these array groups: pairs of cycles and groups, any order.
Int128 core_time(const Problem& p, std::vector<std::pair<std::int64_t, std::int64_t>> held);

struct Legal {
  Counts replication;  // by family
  Int128 ht = 0;       // ns
};

/// Refuses a mapping that breaks a rule.
Legal legal_mapping(const Problem& p, const std::string& text);

}  // namespace pimbb_check::crossbar
