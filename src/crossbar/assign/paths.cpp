// The longest path from the consumers' side, for each pair of node and family that sets the rate.
#include "crossbar/assign/paths.hpp"

#include <algorithm>
#include <cmath>

#include "crossbar/cost/window.hpp"

namespace pimbb::crossbar::assign {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

bool counts_on_path(const Node& node) { return node.op == Op::conv || node.op == Op::pool; }

}  // namespace

Paths::Paths(const Problem& problem) : problem_(problem) {
  const Partition& p = problem.p;
  const std::size_t nodes = p.graph.nodes.size();
  family_of_.assign(nodes, kNone);
  for (std::size_t f = 0; f < problem.families.size(); ++f) {
    for (const std::size_t v : problem.families[f].arrays) family_of_[p.arrays[v].node] = f;
  }
  reached_.assign(nodes, false);
  first_.assign(nodes, false);
  std::vector<bool> early(nodes, false);    // a path leads here without Conv and FC
  std::vector<bool> passing(nodes, false);  // a path leads through here
  for (std::size_t v = 0; v < nodes; ++v) {
    const Node& node = p.graph.nodes[v];
    const auto any = [&](const std::vector<bool>& set) {
      return std::ranges::any_of(node.from, [&](std::size_t u) { return set[u]; });
    };
    const bool begins = v == 0 || any(early);
    first_[v] = begins && node.op == Op::conv;
    early[v] = begins && !node.is_array();
    reached_[v] = node.op != Op::fc && (first_[v] || any(passing));
    passing[v] = reached_[v];
    waits_.push_back(counts_on_path(node) ? cost::waiting_fraction(p.graph, v) : Rational());
    wait_.push_back(waits_.back().to_double());
  }
}

double Paths::behind(std::size_t v, std::size_t family, const std::vector<double>& periods,
                     Memory& known) const {
  Memory::Best& best = known.best_[v * problem_.families.size() + family];
  if (best.round == known.round_) return best.value;
  const std::vector<std::size_t>& consumers = problem_.p.consumers[v];
  double most = consumers.empty() ? periods[family] : 0;
  std::size_t next = kNone;
  for (const std::size_t u : consumers) {
    const Node& node = problem_.p.graph.nodes[u];
    double value = periods[family];
    if (node.op != Op::fc) {
      std::size_t then = family;
      if (node.op == Op::conv && periods[family_of_[u]] > periods[family]) then = family_of_[u];
      value = wait_[u] * periods[family] + (1 - wait_[u]) * behind(u, then, periods, known);
    }
    if (next != kNone && value <= most) continue;
    most = value;
    next = u;
  }
  best = {most, next, known.round_};
  return most;
}

std::pair<std::size_t, double> Paths::longest_start(const std::vector<double>& periods,
                                                    Memory& known) const {
  const std::vector<Node>& nodes = problem_.p.graph.nodes;
  known.best_.resize(nodes.size() * problem_.families.size());
  ++known.round_;
  std::size_t start = kNone;
  double most = 0;
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (!first_[v]) continue;
    const double whole = static_cast<double>(nodes[v].windows()) *
                         static_cast<double>(problem_.a.mvm.time) *
                         behind(v, family_of_[v], periods, known);
    if (start != kNone && whole <= most) continue;
    most = whole;
    start = v;
  }
  return {start, most};
}

double Paths::length(const std::vector<double>& periods, Memory& memory) const {
  return longest_start(periods, memory).second;
}

LongestPath Paths::longest(const std::vector<double>& periods) const {
  const std::vector<Node>& nodes = problem_.p.graph.nodes;
  const std::size_t families = problem_.families.size();
  Memory known;
  const auto [start, value] = longest_start(periods, known);
  LongestPath path{value, {}};
  std::size_t family = family_of_[start];
  for (std::size_t v = start; v != kNone && nodes[v].op != Op::fc;) {
    if (v != start && nodes[v].op == Op::conv && periods[family_of_[v]] > periods[family]) {
      family = family_of_[v];
    }
    if (counts_on_path(nodes[v])) path.steps.push_back({v, family});
    v = known.best_[v * families + family].next;
  }
  return path;
}

std::vector<double> Paths::weights(const LongestPath& path) const {
  std::vector<double> weights(problem_.families.size());
  double left = 1;
  for (std::size_t k = 0; k < path.steps.size(); ++k) {
    const bool last = k + 1 == path.steps.size();
    const double wait = last ? 1 : wait_[path.steps[k + 1].node];
    weights[path.steps[k].family] += left * wait;
    left *= 1 - wait;
  }
  return weights;
}

Cut Paths::cut(const LongestPath& path) const {
  std::vector<Rational> weights(problem_.families.size());
  const Node& first = problem_.p.graph.nodes[path.steps.front().node];
  Rational left = Rational(first.windows()) * Rational(problem_.a.mvm.time);
  for (std::size_t k = 0; k < path.steps.size(); ++k) {
    const bool last = k + 1 == path.steps.size();
    const Rational wait = last ? Rational(1) : waits_[path.steps[k + 1].node];
    weights[path.steps[k].family] += left * wait;
    left *= Rational(1) - wait;
  }
  Cut cut;
  constexpr std::int64_t unit = std::int64_t{1} << kCutBits;
  for (const Rational& weight : weights) {
    constexpr double most = std::int64_t{1} << (62 - kCutBits);
    auto units = static_cast<std::int64_t>(std::floor(std::min(weight.to_double(), most) * unit));
    while (Rational(units, unit) > weight) --units;
    cut.weights.push_back(units);
  }
  return cut;
}

std::vector<std::int64_t> Paths::useful(const std::vector<std::int64_t>& most) const {
  const std::vector<Node>& nodes = problem_.p.graph.nodes;
  std::vector<std::int64_t> rates(nodes.size(), 0);  // the fastest that a path leads here
  std::vector<std::int64_t> result(most.size(), 1);
  for (std::size_t v = 0; v < nodes.size(); ++v) {
    if (!reached_[v]) continue;
    for (const std::size_t u : nodes[v].from) rates[v] = std::max(rates[v], rates[u]);
    if (nodes[v].op != Op::conv) continue;
    const std::size_t f = family_of_[v];
    rates[v] = first_[v] ? most[f] : std::min(most[f], rates[v]);
    result[f] = std::max(result[f], rates[v]);
  }
  return result;
}

}  // namespace pimbb::crossbar::assign
