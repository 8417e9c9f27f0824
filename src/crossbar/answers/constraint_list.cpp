// A row for each constraint, those that explain least first.
#include "crossbar/answers/constraint_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exact/int128.hpp"

namespace pimbb::crossbar::within {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

/// The largest weight matrix in each direction.
struct Extent {
  std::int64_t height = 1;
  std::int64_t width = 1;   // output channels
  std::int64_t groups = 0;  // array groups of all replicas that may be of use, and so cores
};

Extent extent_of(const Asked& asked, const NodeGraph& graph) {
  Extent extent;
  Int128 groups = 0;
  for (const ArrayNode& array : make_partition(asked.a, graph).arrays) {
    groups += Int128{array.groups} * (asked.ht || asked.ll ? array.windows : 1);
  }
  extent.groups = static_cast<std::int64_t>(std::min(groups, Int128{kMostBytes}));
  for (const Node& node : graph.nodes) {
    if (!node.is_array()) continue;
    const std::int64_t height =
        node.op == Op::fc ? node.in.channels * node.in.pixels()
                          : node.vertical.kernel * node.horizontal.kernel * node.in.channels;
    extent.height = std::max(extent.height, height);
    extent.width = std::max(extent.width, node.out.channels);
  }
  return extent;
}

std::string counted(std::int64_t n, const std::string& one, const std::string& more) {
  return fmt::format("{} {}", n, n == 1 ? one : more);
}

class ConstraintList {
 public:
  ConstraintList(const Asked& asked, const NodeGraph& graph)
      : asked_(asked), a_(asked.a), extent_(extent_of(asked, graph)) {}

  std::vector<NetworkConstraint> list() {
    if (asked_.ht) interval();
    if (asked_.ht || asked_.ll) time();
    if (a_.core.enforce_local_memory) {
      bits();
    } else {
      crossbar_shape();
    }
    max_nodes();
    if (a_.core.enforce_local_memory) memory();
    crossbars();
    chips_and_cores();
    limit(Goal::ll, asked_.ll);
    limit(Goal::ht, asked_.ht);
    return std::move(list_);
  }

 private:
  using Drop = std::function<void(Asked&)>;
  using Set = std::function<void(Architecture&, std::int64_t)>;

  NetworkConstraint& add(ConstraintKind kind, const std::string& words, const char* parameter,
                         const char* unit, std::int64_t today, std::int64_t farthest, Drop drop,
                         Set set) {
    NetworkConstraint& row = list_.emplace_back();
    row.constraint = {kind, words, parameter, unit, today};
    row.drop = std::move(drop);
    row.set = std::move(set);
    row.farthest = farthest;
    return row;
  }

  void interval() {
    add(
        ConstraintKind::time,
        fmt::format("two multiplications of a core start {} ns apart", a_.mvm.interval),
        "mvm.interval", "ns", a_.mvm.interval, 1, [](Asked& q) { q.no_interval = true; },
        [](Architecture& a, std::int64_t x) { a.mvm.interval = x; });
  }
  void time() {
    add(
        ConstraintKind::time, fmt::format("a multiplication takes {} ns", a_.mvm.time), "mvm.time",
        "ns", a_.mvm.time, 1, [](Asked& q) { q.no_time = true; },
        [](Architecture& a, std::int64_t x) { a.mvm.time = x; });
  }
  void bits() {
    add(
        ConstraintKind::precision,
        fmt::format("an activation has {}", counted(a_.bits.activation, "bit", "bits")),
        "bits.activation", "bits", a_.bits.activation, 1, [](Asked& q) { q.a.bits.activation = 1; },
        [](Architecture& a, std::int64_t x) { a.bits.activation = x; });
  }

  void crossbar_shape() {
    if (a_.core.slices > 1) {
      add(
          ConstraintKind::array, fmt::format("a weight takes {} columns", a_.core.slices),
          "core.slices", "columns", a_.core.slices, 1, [](Asked& q) { q.a.core.slices = 1; },
          [](Architecture& a, std::int64_t x) { a.core.slices = x; });
    }
    const auto wide = static_cast<std::int64_t>(
        std::min(Int128{extent_.width} * a_.core.slices, Int128{kMaxCount}));
    const std::int64_t columns = std::max(a_.core.columns, wide);
    add(
        ConstraintKind::array,
        fmt::format("a crossbar has {}", counted(a_.core.columns, "column", "columns")),
        "core.columns", "columns", a_.core.columns, columns,
        [columns](Asked& q) { q.a.core.columns = columns; },
        [](Architecture& a, std::int64_t x) { a.core.columns = x; });
    const std::int64_t rows = std::max(a_.core.rows, std::min(extent_.height, kMaxCount));
    add(
        ConstraintKind::array,
        fmt::format("a crossbar has {}", counted(a_.core.rows, "row", "rows")), "core.rows", "rows",
        a_.core.rows, rows, [rows](Asked& q) { q.a.core.rows = rows; },
        [](Architecture& a, std::int64_t x) { a.core.rows = x; });
  }

  void max_nodes() {
    add(
        ConstraintKind::unit,
        fmt::format("a core holds array groups of at most {}",
                    counted(a_.core.max_nodes, "node", "nodes")),
        "core.max_nodes", "nodes", a_.core.max_nodes, kMaxCount,
        [](Asked& q) { q.a.core.max_nodes = kMaxCount; },
        [](Architecture& a, std::int64_t x) { a.core.max_nodes = x; });
  }

  void memory() {
    // everything in one core
    const Int128 block = Int128{2} * a_.bytes(a_.core.rows) + 2 * Int128{a_.bytes(extent_.width)};
    const Int128 most = std::min(Int128{kMostBytes}, block * extent_.groups);
    const auto farthest = std::max(a_.core.local_memory, static_cast<std::int64_t>(most));
    add(
        ConstraintKind::capacity,
        fmt::format("a core has {} of local memory",
                    counted(a_.core.local_memory, "byte", "bytes")),
        "core.local_memory", "B", a_.core.local_memory, farthest,
        [](Asked& q) { q.a.core.enforce_local_memory = false; },
        [](Architecture& a, std::int64_t x) { a.core.local_memory = x; });
  }

  void crossbars() {
    NetworkConstraint& row = add(
        ConstraintKind::array,
        fmt::format("a core has {}", counted(a_.core.crossbars, "crossbar", "crossbars")),
        "core.crossbars", "crossbars", a_.core.crossbars, kMaxCount,
        [](Asked& q) { q.any_crossbars = true; },
        [](Architecture& a, std::int64_t x) { a.core.crossbars = x; });
    row.is_monotone = !a_.core.enforce_local_memory;
  }

  void chips_and_cores() {
    add(
        ConstraintKind::array,
        a_.chips == 1 ? "there is 1 chip" : fmt::format("there are {} chips", a_.chips), "chips",
        "chips", a_.chips, of_use(a_.chips, a_.cores), [](Asked& q) { q.any_cores = true; },
        [](Architecture& a, std::int64_t x) { a.chips = x; });
    add(
        ConstraintKind::array, fmt::format("a chip has {}", counted(a_.cores, "core", "cores")),
        "cores", "cores", a_.cores, of_use(a_.cores, a_.chips),
        [](Asked& q) { q.any_cores = true; }, [](Architecture& a, std::int64_t x) { a.cores = x; });
  }

  /// Of chips or cores, if there are so many of the other: one core for each array group.
  [[nodiscard]] std::int64_t of_use(std::int64_t today, std::int64_t others) const {
    return std::clamp((extent_.groups + others - 1) / others, today, kMaxCount);
  }

  void limit(Goal goal, const std::optional<Rational>& most) {
    if (!most) return;
    NetworkConstraint& row = list_.emplace_back();
    row.constraint = {ConstraintKind::limit, "limit on " + std::string(name(goal)),
                      "at_most." + std::string(name(goal)), "ns", *most};
    row.drop = [goal](Asked& q) { (goal == Goal::ht ? q.ht : q.ll).reset(); };
    row.limited = goal;
  }

  const Asked& asked_;
  const Architecture& a_;
  Extent extent_;
  std::vector<NetworkConstraint> list_;
};

}  // namespace

std::vector<NetworkConstraint> constraints_of(const Asked& asked, const NodeGraph& graph) {
  return ConstraintList(asked, graph).list();
}

}  // namespace pimbb::crossbar::within
