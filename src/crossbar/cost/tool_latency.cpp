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

/// The bracket of a path; `rate` is R' of every node, which the path may lower.
Rational bracket(const Partition& p, const std::vector<Rational>& waits, const Path& path,
                 std::vector<std::int64_t>& rate) {
  std::vector<Rational> slower;
  std::size_t conv = path.front();
  for (std::size_t k = 1; k < path.size(); ++k) {
    const std::size_t v = path[k];
    if (p.graph.nodes[v].op == Op::pool) {
      rate[v] = rate[conv];
    } else {
      conv = v;
    }
    const std::int64_t before = rate[path[k - 1]];
    rate[v] = std::min(rate[v], before);
    slower.emplace_back(before, rate[v]);
  }
  Rational value = 1;
  for (std::size_t k = path.size(); k-- > 1;) {
    const Rational& wait = waits[path[k]];
    value = wait + (Rational(1) - wait) * slower[k - 1] * value;
  }
  return value;
}

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

Rational tool_rounds(const Partition& p, const Mapping& mapping) {
  const std::vector<Node>& nodes = p.graph.nodes;
  std::vector<std::int64_t> rate(nodes.size(), 0);
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < p.arrays.size(); ++i) rate[p.arrays[i].node] = mapping.replication[i];
  for (std::size_t v = 1; v < nodes.size(); ++v) {
    if (nodes[v].from == std::vector<std::size_t>{0} && nodes[v].op == Op::conv) first = v;
  }
  std::vector<Rational> waits;
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    waits.push_back(counts_for_tool(nodes[v]) ? waiting_fraction(p.graph, v) : Rational());
  }
  const std::vector<std::vector<Path>> paths = ToolPaths(p).run();
  Rational most;
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (!p.consumers[v].empty()) continue;
    for (std::size_t j = 0; j < std::min(paths[v].size(), kMostPaths); ++j) {
      if (!paths[v][j].empty()) most = max(most, bracket(p, waits, paths[v][j], rate));
    }
  }
  if (!first) return 0;
  const std::int64_t rounds = nodes[*first].windows() / mapping.replication[*p.array_of[*first]];
  return most * Rational(rounds);
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
