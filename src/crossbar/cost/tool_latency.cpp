// Paths by depth-first search, and messages between cores that meet on one bus.
#include <algorithm>
#include <optional>
#include <utility>

#include "crossbar/cost/slots.hpp"
#include "crossbar/cost/tool.hpp"
#include "crossbar/cost/window.hpp"
#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::cost {
namespace {

using Path = std::vector<std::size_t>;  // of Conv and Pool

constexpr std::size_t kMostCompletions = 50;  // of a node that the search still enters
constexpr std::size_t kMostPaths = 500;       // of a sink that are looked at
constexpr double kNear = 1 + 1e-9;            // floating point of brackets errs by less

bool counts_for_tool(const Node& node) { return node.op == Op::conv || node.op == Op::pool; }

/// The lists of paths that the tool's search leaves at every node.
class ToolPaths {
 public:
  explicit ToolPaths(const Partition& partition)
      : p_(partition), at_(partition.graph.nodes.size()) {}

  std::vector<std::vector<Path>> run() {
    at_[0].paths.emplace_back();
    enter(0);
    while (!stack_.empty()) step();
    std::vector<std::vector<Path>> paths;
    for (Visits& visits : at_) paths.push_back(std::move(visits.paths));
    return paths;
  }

 private:
  struct Visits {
    std::vector<Path> paths;
    std::size_t begun = 0;
    std::size_t completed = 0;
  };
  struct Frame {
    std::size_t node;
    std::size_t next = 0;  // consumer
    Path path;             // with the node itself
  };

  void enter(std::size_t u) {
    Path path = at_[u].paths[at_[u].begun++];
    if (counts_for_tool(p_.graph.nodes[u])) path.push_back(u);
    stack_.push_back({u, 0, std::move(path)});
  }

  void step() {
    Frame& frame = stack_.back();
    if (frame.next == p_.consumers[frame.node].size()) {
      ++at_[frame.node].completed;
      stack_.pop_back();
      return;
    }
    const std::size_t t = p_.consumers[frame.node][frame.next++];
    if (at_[t].completed > kMostCompletions) return;
    at_[t].paths.push_back(frame.path);
    enter(t);
  }

  const Partition& p_;
  std::vector<Visits> at_;  // by node
  std::vector<Frame> stack_;
};

struct Message {
  std::int64_t bytes_time;                  // slots on the bus
  std::optional<std::size_t> waiting = {};  // the core that came first
  std::int64_t since = 0;
};

/// Cores that run through their lists of messages; both ends must be there for a transfer.
class Rendezvous {
 public:
  explicit Rendezvous(std::vector<std::int64_t> clocks)
      : clocks_(std::move(clocks)), lists_(clocks_.size()), done_(clocks_.size(), 0) {}

  void add(std::size_t from, std::size_t to, std::int64_t time) {
    lists_[from].push_back(messages_.size());
    lists_[to].push_back(messages_.size());
    messages_.push_back({time});
  }

  /// The latest clock.
  std::int64_t run() {
    while (unvisited_ < clocks_.size()) {
      running_.push_back(unvisited_++);
      while (!running_.empty()) step();
    }
    return *std::ranges::max_element(clocks_);
  }

 private:
  void step() {
    const std::size_t core = running_.back();
    if (done_[core] == lists_[core].size()) {
      leave();
      return;
    }
    Message& message = messages_[lists_[core][done_[core]]];
    if (!message.waiting) {
      message.waiting = core;
      message.since = clocks_[core];
      leave();
      return;
    }
    const std::size_t other = *message.waiting;
    const std::int64_t duration = bus_.take(message.since, message.bytes_time) - message.since;
    const std::int64_t end = std::max(clocks_[core], clocks_[other]) + duration;
    for (const std::size_t c : {core, other}) {
      clocks_[c] = end;
      ++done_[c];
    }
    running_.push_back(other);
  }

  /// Before its caller goes on, the next core that has never run does.
  void leave() {
    running_.pop_back();
    if (unvisited_ < clocks_.size()) running_.push_back(unvisited_++);
  }

  std::vector<std::int64_t> clocks_;             // by core
  std::vector<std::vector<std::size_t>> lists_;  // by core: its messages
  std::vector<std::size_t> done_;                // by core: how many of them
  std::vector<Message> messages_;
  std::vector<std::size_t> running_;  // the last one runs, the others wait for it to return
  std::size_t unvisited_ = 0;
  Slots bus_;
};

/// The first consumer of a node, looking through pass-through nodes other than Relu.
std::optional<std::size_t> first_consumer(const Partition& p, std::size_t v) {
  while (!p.consumers[v].empty()) {
    v = p.consumers[v].front();
    const Node& node = p.graph.nodes[v];
    if (node.op != Op::pass || node.operation == kRelu) return v;
  }
  return std::nullopt;
}

/// The core to which the tool sends the results of a node.
std::optional<std::size_t> receiver(const Partition& p, std::size_t v, std::size_t cores) {
  const std::optional<std::size_t> u = first_consumer(p, v);
  if (!u || p.graph.nodes[*u].is_array()) return std::nullopt;
  return *u % cores;
}

}  // namespace

ToolRounds::ToolRounds(const Partition& partition) : p_(partition) {
  const std::vector<Node>& nodes = p_.graph.nodes;
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (nodes[v].from == std::vector<std::size_t>{0} && nodes[v].op == Op::conv) first_ = v;
    waits_.push_back(counts_for_tool(nodes[v]) ? waiting_fraction(p_.graph, v) : Rational());
    wait_.push_back(waits_.back().to_double());
  }
  std::vector<std::vector<Path>> all = ToolPaths(p_).run();
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (!p_.consumers[v].empty()) continue;
    for (std::size_t j = 0; j < std::min(all[v].size(), kMostPaths); ++j) {
      if (!all[v][j].empty()) paths_.push_back(std::move(all[v][j]));
    }
  }
}

ToolRounds::Slowdowns ToolRounds::slowdowns(const Path& path,
                                            std::vector<std::int64_t>& rate) const {
  Slowdowns slower;
  std::size_t conv = path.front();
  for (std::size_t k = 1; k < path.size(); ++k) {
    const std::size_t v = path[k];
    if (p_.graph.nodes[v].op == Op::pool) {
      rate[v] = rate[conv];
    } else {
      conv = v;
    }
    const std::int64_t before = rate[path[k - 1]];
    rate[v] = std::min(rate[v], before);
    slower.emplace_back(before, rate[v]);
  }
  return slower;
}

double ToolRounds::about(const Path& path, const Slowdowns& slower) const {
  double value = 1;
  for (std::size_t k = path.size(); k-- > 1;) {
    const auto [before, after] = slower[k - 1];
    const double wait = wait_[path[k]];
    value = wait + (1 - wait) * static_cast<double>(before) / static_cast<double>(after) * value;
  }
  return value;
}

Rational ToolRounds::bracket(const Path& path, const Slowdowns& slower) const {
  Rational value = 1;
  for (std::size_t k = path.size(); k-- > 1;) {
    const Rational& wait = waits_[path[k]];
    value =
        wait + (Rational(1) - wait) * Rational(slower[k - 1].first, slower[k - 1].second) * value;
  }
  return value;
}

Rational ToolRounds::rounds(const std::vector<std::int64_t>& replication) const {
  if (!first_ || paths_.empty()) return 0;
  std::vector<std::int64_t> rate(p_.graph.nodes.size(), 0);
  for (std::size_t i = 0; i < p_.arrays.size(); ++i) rate[p_.arrays[i].node] = replication[i];
  std::vector<Slowdowns> slower;
  std::vector<double> values;
  for (const Path& path : paths_) {
    slower.push_back(slowdowns(path, rate));
    values.push_back(about(path, slower.back()));
  }
  const double greatest = std::ranges::max(values);
  Rational most;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] * kNear >= greatest) most = max(most, bracket(paths_[i], slower[i]));
  }
  return most * Rational(p_.graph.nodes[*first_].windows() / replication[*p_.array_of[*first_]]);
}

std::int64_t tool_round(const Architecture& a, const Partition& p, const Mapping& mapping) {
  const std::size_t cores = mapping.cores.size();
  std::vector<std::int64_t> clocks;
  for (const auto& core : mapping.cores) {
    std::int64_t groups = 0;
    for (const Share& share : core) groups += share.groups;
    clocks.push_back(groups == 0 ? 0 : a.mvm.time + (groups - 1) * a.mvm.interval);
  }
  Rendezvous rendezvous(std::move(clocks));
  std::vector<std::int64_t> held(p.arrays.size(), 0);
  for (std::size_t c = 0; c < cores; ++c) {
    for (const Share& share : mapping.cores[c]) {
      const ArrayNode& array = p.arrays[share.array];
      const std::optional<std::size_t> to = receiver(p, array.node, cores);
      const std::int64_t time = transfer_time(a.bytes(p.node(array).out.channels), a.bandwidth.bus);
      for (std::int64_t k = held[share.array]; k < held[share.array] + share.groups; ++k) {
        if (k % array.groups == 0 && to && *to != c) rendezvous.add(c, *to, time);
      }
      held[share.array] += share.groups;
    }
  }
  return rendezvous.run();
}

}  // namespace pimbb::crossbar::cost
