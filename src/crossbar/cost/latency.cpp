// The longest path, from the consumers' side, with a table of what has been computed.
#include "crossbar/cost/latency.hpp"

#include <algorithm>
#include <cassert>
#include <map>

namespace pimbb::crossbar::cost {
namespace {

bool counts(const Node& node) { return node.op == Op::conv || node.op == Op::pool; }

/// The first nodes that count, on all paths from the input.
struct Beginning {
  std::vector<std::size_t> first;   // convolutions
  std::optional<std::size_t> pool;  // a Pool before any convolution, if there is one
};

Beginning find_beginning(const Partition& p) {
  Beginning beginning;
  std::vector<bool> early(p.graph.nodes.size(), false);  // some path leads here without Conv and FC
  for (std::size_t v = 0; v < p.graph.nodes.size(); ++v) {
    const Node& node = p.graph.nodes[v];
    const bool reached =
        v == 0 || std::ranges::any_of(node.from, [&](std::size_t u) { return early[u]; });
    if (reached && node.op == Op::conv) beginning.first.push_back(v);
    if (reached && node.op == Op::pool && !beginning.pool) beginning.pool = v;
    early[v] = reached && !node.is_array();
  }
  return beginning;
}

class LongestPath {
 public:
  LongestPath(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
              RateRule rule)
      : a_(architecture), p_(partition), mapping_(mapping), rule_(rule) {
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      waits_.push_back(counts(p_.graph.nodes[v]) ? waiting_fraction(p_.graph, v) : Rational());
    }
  }

  Rational run() {
    const Beginning beginning = find_beginning(p_);
    Rational most;
    for (const std::size_t v : beginning.first) {
      const std::int64_t r = replication(v);
      most = max(most, Rational(p_.graph.nodes[v].windows()) * Rational(a_.mvm.time) / Rational(r) *
                           behind(v, r));
    }
    return most;
  }

 private:
  [[nodiscard]] std::int64_t replication(std::size_t v) const {
    return mapping_.replication[*p_.array_of[v]];
  }

  /// The greatest value in brackets behind node `v`, which works at rate `rho`.
  Rational behind(std::size_t v, std::int64_t rho) {
    const auto known = known_.find({v, rho});
    if (known != known_.end()) return known->second;
    Rational most = p_.consumers[v].empty() ? Rational(1) : Rational(0);
    for (const std::size_t u : p_.consumers[v]) most = max(most, at(u, rho));
    known_.emplace(std::pair{v, rho}, most);
    return most;
  }

  Rational at(std::size_t v, std::int64_t before) {
    const Node& node = p_.graph.nodes[v];
    if (node.op == Op::fc) return 1;
    if (!counts(node)) return behind(v, before);
    std::int64_t rho = before;
    if (node.op == Op::conv) {
      rho = rule_ == RateRule::provider ? std::min(before, replication(v)) : replication(v);
    }
    const Rational slower = max(Rational(before, rho), Rational(1));
    return waits_[v] + (Rational(1) - waits_[v]) * slower * behind(v, rho);
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  RateRule rule_;
  std::vector<Rational> waits_;  // by node
  std::map<std::pair<std::size_t, std::int64_t>, Rational> known_;
};

}  // namespace

std::string why_no_latency(const Partition& p) {
  const Beginning beginning = find_beginning(p);
  if (beginning.pool) {
    return "a path begins with the pool '" + p.graph.nodes[*beginning.pool].name + "'";
  }
  return beginning.first.empty() ? "no convolution is reached from the input" : "";
}

Rational latency(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, RateRule rule) {
  assert(why_no_latency(partition).empty());
  return LongestPath(architecture, partition, mapping, rule).run();
}

}  // namespace pimbb::crossbar::cost
