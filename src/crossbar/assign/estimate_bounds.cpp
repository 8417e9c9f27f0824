// The transfers of a mapping that has everything in one core, however little room it has, are those
// that no mapping is without.
#include "crossbar/assign/estimate_bounds.hpp"

#include <algorithm>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/cost/energy.hpp"
#include "crossbar/cost/streams.hpp"
#include "crossbar/cost/tool.hpp"

namespace pimbb::crossbar::assign {
namespace {

Rational rounded_up(const Rational& value) {
  auto whole = static_cast<std::int64_t>(value.to_double());
  while (Rational(whole) < value) ++whole;
  while (Rational(whole - 1) >= value) --whole;
  return whole;
}

/// Multiplications of all array groups, none of them idle.
std::int64_t multiplications(const Problem& problem) {
  std::int64_t all = 0;
  for (const Family& family : problem.families) all += family.groups * family.windows;
  return all;
}

Rational throughput_energy(const Problem& problem, const Rational& ht) {
  const Rational on = Rational(multiplications(problem)) * Rational(problem.a.mvm.interval);
  return cost::core_standing(problem.a, on) + cost::shared_standing(problem.a, ht) +
         cost::dynamic_energy(problem.a, problem.p, least_busy(problem, Mode::ht));
}

Rational latency_energy(const Problem& problem, const Rational& ll) {
  std::int64_t crossbars = 0;
  for (const Family& family : problem.families) crossbars += family.crossbars;
  const Rational cores = ceil_div(crossbars, problem.crossbars);
  return cost::core_standing(problem.a, cores * ll) + cost::shared_standing(problem.a, ll) +
         cost::dynamic_energy(problem.a, problem.p, least_busy(problem, Mode::ll));
}

Rational roof_bound(const Problem& problem, const Rational& ht) {
  const Busy busy = least_busy(problem, Mode::ht);
  const std::int64_t busiest = std::max(busy.memory, busy.bus);
  return max(ht, ceil_div(busiest, problem.a.chips));
}

Rational tool_throughput_bound(const Problem& problem, const Rational& ht) {
  const Mvm& mvm = problem.a.mvm;
  if (mvm.time < mvm.interval) return 0;
  std::int64_t narrowest = problem.crossbars;
  for (const ArrayNode& array : problem.p.arrays) narrowest = std::min(narrowest, array.width);
  const Rational each =
      Rational(mvm.interval) + Rational(mvm.time - mvm.interval, problem.crossbars / narrowest);
  return max(ht, rounded_up(Rational(multiplications(problem), problem.cores) * each));
}

// --- ll-code

/// The network as if it had this path only: its Conv and Pool nodes one after another.
Partition with_one_path(const Partition& p, const std::vector<std::size_t>& path) {
  Partition one = p;
  for (std::vector<std::size_t>& consumers : one.consumers) consumers.clear();
  std::vector<bool> on_path(p.graph.nodes.size(), false);
  for (std::size_t k = 0; k < path.size(); ++k) {
    on_path[path[k]] = true;
    if (k + 1 < path.size()) one.consumers[path[k]] = {path[k + 1]};
  }
  for (std::size_t v = 0; v < on_path.size(); ++v) {
    Node& node = one.graph.nodes[v];
    if (!on_path[v] && node.op != Op::input) node.op = Op::pass;
  }
  return one;
}

/// Nodes with arrays, and pools, that no other one comes before.
std::size_t beginnings(const Partition& p) {
  std::size_t count = 0;
  std::vector<bool> early(p.graph.nodes.size(), false);
  for (std::size_t v = 0; v < early.size(); ++v) {
    const Node& node = p.graph.nodes[v];
    const bool begins = v == 0 || std::ranges::any_of(node.from, [&](auto u) { return early[u]; });
    const bool counts = node.is_array() || node.op == Op::pool;
    if (begins && counts) ++count;
    early[v] = begins && !counts;
  }
  return count;
}

constexpr std::int64_t kRangesOfFirst = 8;  // from R to R + R/8

/// The least of floor(W/R)*R/W for R in first .. last.
Rational least_whole(std::int64_t windows, std::int64_t first, std::int64_t last) {
  std::int64_t least = windows;
  for (std::int64_t r = first; r <= last; ++r) least = std::min(least, windows / r * r);
  return {least, windows};
}

Rational rounds_bound(const Problem& problem) {
  const cost::ToolRounds tool(problem.p);
  if (!tool.first()) return 0;  // the tool then has no rounds
  if (tool.paths().empty() || beginnings(problem.p) != 1) return 0;
  const std::vector<std::size_t>& path =
      *std::ranges::max_element(tool.paths(), {}, &std::vector<std::size_t>::size);
  if (path.front() != *tool.first()) return 0;
  const Partition one = with_one_path(problem.p, path);
  const Problem alone(problem.a, one);
  std::size_t family = 0;
  while (one.arrays[alone.families[family].arrays.front()].node != path.front()) ++family;
  LatencyBoxes boxes(alone);
  Box root = boxes.root();
  boxes.tighten(root);
  static_cast<void>(boxes.first_bound(root, {}));  // the cuts of all ranges
  std::optional<Rational> least;
  for (std::int64_t r = 1; r <= root.most[family];) {
    const std::int64_t last = std::min(root.most[family], r + r / kRangesOfFirst);
    Box box = root;
    box.least[family] = r;
    box.most[family] = last;
    boxes.tighten(box);
    if (!LatencyBoxes::is_empty(box) && boxes.has_room(box)) {
      const Rational bound =
          boxes.bound(box, {}).value * least_whole(alone.families[family].windows, r, last);
      if (!least || bound < *least) least = bound;
    }
    r = last + 1;
  }
  return least ? *least / Rational(problem.a.mvm.time) : Rational(0);
}

Rational tool_latency_bound(const Problem& problem) {
  std::int64_t groups = 0;
  for (const Family& family : problem.families) groups += family.groups;
  const std::int64_t most = ceil_div(groups, problem.cores);  // in some core
  return rounds_bound(problem) * Rational(problem.a.mvm.time + (most - 1) * problem.a.mvm.interval);
}

}  // namespace

Busy least_busy(const Problem& problem, Mode mode) {
  const Partition& p = problem.p;
  Mapping together{std::vector<std::int64_t>(p.arrays.size(), 1), {}};
  together.cores.resize(static_cast<std::size_t>(problem.cores));
  std::int64_t bus = 0;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    together.cores.front().push_back({v, array.groups});
    const std::int64_t cores = ceil_div(array.groups, problem.crossbars / array.width);
    const std::int64_t bytes = problem.a.bytes(p.node(array).out.channels);
    bus += array.windows * (cores - 1) * transfer_time(bytes, problem.a.bandwidth.bus);
  }
  Busy busy = cost::stream_of(mode, problem.a, p, together).sums();
  busy.bus = bus;
  busy.link = 0;
  return busy;
}

Rational estimate_bound(const Problem& problem, Estimate estimate, Mode mode,
                        const ExactBounds& exact) {
  const auto energy = [&] {
    return mode == Mode::ht ? throughput_energy(problem, exact.ht)
                            : latency_energy(problem, exact.ll);
  };
  switch (estimate) {
    case Estimate::ht: return exact.ht;
    case Estimate::ht_roof: return roof_bound(problem, exact.ht);
    case Estimate::ht_code: return tool_throughput_bound(problem, exact.ht);
    case Estimate::ll:
    case Estimate::ll_paper: return exact.ll;
    case Estimate::ll_code: return tool_latency_bound(problem);
    case Estimate::traffic: {
      return ceil_div(least_busy(problem, Mode::ht).bus, problem.a.chips);
    }
    case Estimate::energy: return energy();
    case Estimate::edp: break;
  }
  return energy() * (mode == Mode::ht ? exact.ht : exact.ll);
}

}  // namespace pimbb::crossbar::assign
