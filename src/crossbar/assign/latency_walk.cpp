// Steps on one replication, taken back unless accepted.
#include "crossbar/assign/latency_walk.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "crossbar/assign/cycle_classes.hpp"
#include "crossbar/cost/window.hpp"
#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::assign {
namespace {

using Roles = std::vector<std::vector<std::size_t>>;

constexpr std::uint64_t kWalkStepsBetweenStops = 256;
constexpr std::int64_t kShareBeyond = 128;  // of all crossbars, that a walk may need beyond them
constexpr std::int64_t kSingleSteps = 64;   // families of fewer replicas change by one
constexpr double kLess = 1 - 1e-12;

bool counts_there(const Node& node) { return node.op == Op::conv || node.op == Op::pool; }

/// Operator and waiting fractions of neighbours, sorted.
using Neighbourhood = std::vector<std::pair<Op, Rational>>;

struct RoleOfNode {
  Op op;
  std::int64_t windows;
  Rational wait;
  Neighbourhood before;  // within the same plane: at the beginning of a stage others are before
  Neighbourhood behind;
  friend bool operator<(const RoleOfNode& a, const RoleOfNode& b) {
    return std::tie(a.op, a.windows, a.wait, a.before, a.behind) <
           std::tie(b.op, b.windows, b.wait, b.before, b.behind);
  }
};

Neighbourhood neighbourhood(const NodeGraph& graph, const std::vector<std::size_t>& nodes,
                            bool same_plane) {
  Neighbourhood all;
  for (const std::size_t u : nodes) {
    const Node& node = graph.nodes[u];
    if (!counts_there(node)) continue;
    if (same_plane && (node.in.height != node.out.height || node.in.width != node.out.width)) {
      continue;
    }
    all.emplace_back(node.op, cost::waiting_fraction(graph, u));
  }
  std::ranges::sort(all);
  return all;
}

RoleOfNode role_of(const Partition& p, std::size_t v) {
  const Node& node = p.graph.nodes[v];
  return {node.op, node.windows(),
          counts_there(node) ? cost::waiting_fraction(p.graph, v) : Rational(),
          neighbourhood(p.graph, node.from, true), neighbourhood(p.graph, p.consumers[v], false)};
}

class ReplicationWalk {
 public:
  ReplicationWalk(const Problem& problem, const Paths& paths, const Box& box,
                  std::vector<std::int64_t> from, const LatencyWalk& how)
      : problem_(problem),
        paths_(paths),
        box_(box),
        how_(how),
        random_(how.seed),
        roles_(roles(problem)),
        now_(std::move(from)) {
    for (std::size_t f = 0; f < now_.size(); ++f) {
      periods_.push_back(period(f));
      used_ += problem_.families[f].crossbars * now_[f];
      work_ += work(f);
    }
  }

  std::vector<std::int64_t> run() && {
    std::vector<std::int64_t> best = now_;
    double cost = costs();
    double least = is_within() ? length_ : std::numeric_limits<double>::infinity();
    for (std::uint64_t step = 0; step < how_.steps; ++step) {
      if (step % kWalkStepsBetweenStops == 0 && how_.stop && how_.stop()) break;
      if (!change()) {
        take_back();
        continue;
      }
      const double next = costs();
      if (next > cost + tolerance(step)) {
        take_back();
        continue;
      }
      cost = next;
      changed_.clear();
      if (is_within() && length_ < least * kLess) {
        least = length_;
        best = now_;
        if (least <= how_.enough) break;
      }
    }
    return best;
  }

 private:
  [[nodiscard]] double period(std::size_t f) const { return 1 / static_cast<double>(now_[f]); }
  /// Of all replicas of a family.
  [[nodiscard]] std::int64_t work(std::size_t f) const {
    if (how_.groups.empty() || how_.groups[f] == 0) return 0;
    return how_.groups[f] * work_of(problem_.families[f].windows, now_[f]);
  }
  [[nodiscard]] bool is_within() const {
    return used_ <= problem_.all_crossbars() && work_ <= how_.most_work;
  }
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }

  /// Length of the longest path, and the prices of what there is not.
  double costs() {
    length_ = paths_.length(periods_, memory_);
    const std::int64_t beyond = std::max<std::int64_t>(0, used_ - problem_.all_crossbars());
    const std::int64_t late = std::max<std::int64_t>(0, work_ - how_.most_work);
    return length_ + how_.price * static_cast<double>(beyond) +
           how_.price_of_work * static_cast<double>(late);
  }

  /// k times the heat with a chance of 2^-k; the heat falls to nothing.
  double tolerance(std::uint64_t step) {
    const double left = 1 - static_cast<double>(step) / static_cast<double>(how_.steps);
    return how_.heat * left * left * left * left * std::countl_zero(random_() | 1U);
  }

  /// One or two steps; false if they are not possible.
  bool change() {
    const std::size_t count = 1 + below(2);
    for (std::size_t i = 0; i < count; ++i) {
      const bool more = below(2) == 0;
      const std::size_t kind = below(3);
      const bool possible = kind == 0 ? change_family(below(now_.size()), more)
                                      : change_role(roles_[below(roles_.size())], more, kind == 1);
      if (!possible) return false;
    }
    return used_ <= problem_.all_crossbars() + problem_.all_crossbars() / kShareBeyond;
  }

  bool change_family(std::size_t f, bool more) {
    const std::int64_t amount =
        now_[f] < kSingleSteps ? 1 : 1 + static_cast<std::int64_t>(below(4));
    return set(f, now_[f] + (more ? amount : -amount));
  }

  /// All families of a role, or only the slowest of them to be made faster, the fastest slower.
  bool change_role(const std::vector<std::size_t>& role, bool more, bool all) {
    std::int64_t extreme = now_[role.front()];
    for (const std::size_t f : role) {
      extreme = more ? std::min(extreme, now_[f]) : std::max(extreme, now_[f]);
    }
    for (const std::size_t f : role) {
      if (!all && now_[f] != extreme) continue;
      if (!set(f, now_[f] + (more ? 1 : -1))) return false;
    }
    return true;
  }

  bool set(std::size_t f, std::int64_t replicas) {
    if (replicas < box_.least[f] || replicas > box_.most[f]) return false;
    changed_.emplace_back(f, now_[f]);
    assign(f, replicas);
    return true;
  }
  void assign(std::size_t f, std::int64_t replicas) {
    used_ += problem_.families[f].crossbars * (replicas - now_[f]);
    work_ -= work(f);
    now_[f] = replicas;
    work_ += work(f);
    periods_[f] = period(f);
  }
  void take_back() {
    for (; !changed_.empty(); changed_.pop_back()) {
      assign(changed_.back().first, changed_.back().second);
    }
  }

  const Problem& problem_;
  const Paths& paths_;
  const Box& box_;
  const LatencyWalk& how_;
  SplitMix64 random_;
  Roles roles_;
  Paths::Memory memory_;
  std::vector<std::int64_t> now_;
  std::vector<double> periods_;
  std::int64_t used_ = 0;  // crossbars
  std::int64_t work_ = 0;  // MVMs
  double length_ = 0;
  std::vector<std::pair<std::size_t, std::int64_t>> changed_;  // family and replicas before
};

}  // namespace

std::vector<std::vector<std::size_t>> roles(const Problem& problem) {
  std::map<RoleOfNode, std::size_t> places;
  Roles all;
  for (std::size_t f = 0; f < problem.families.size(); ++f) {
    const std::size_t node = problem.p.arrays[problem.families[f].arrays.front()].node;
    const auto [place, fresh] = places.emplace(role_of(problem.p, node), all.size());
    if (fresh) all.emplace_back();
    all[place->second].push_back(f);
  }
  return all;
}

std::vector<std::int64_t> walk(const Problem& problem, const Paths& paths, const Box& box,
                               const std::vector<std::int64_t>& from, const LatencyWalk& how) {
  return ReplicationWalk(problem, paths, box, from, how).run();
}

}  // namespace pimbb::crossbar::assign
