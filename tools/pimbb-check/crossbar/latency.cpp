// From the last node to the first: what follows a node depends on the path before it by rho only.
#include "latency.hpp"

#include <algorithm>

#include "../lines.hpp"

namespace pimbb_check::crossbar {
namespace {

/// Outputs of an axis, and the input elements during which they are made.
std::pair<std::int64_t, std::int64_t> overlap(const Axis& axis, std::int64_t input) {
  const std::int64_t lead = axis.kernel - axis.before - 1;
  const std::int64_t rest = input - lead;
  const std::int64_t span = input + axis.before + axis.after - axis.kernel;
  require(span >= 0, "instance: a window is larger than its input");
  const std::int64_t outputs = span / axis.stride + 1;
  if (rest < outputs) return {std::max<std::int64_t>(rest, 0), input};
  if (rest - outputs <= outputs - 1) return {outputs, input};
  return {outputs, lead + outputs + (outputs - 1) * (axis.stride - 1)};
}

Rational waiting_fraction(const Node& node) {
  const auto [rows, all_rows] = overlap(node.vertical, node.in[1]);
  const auto [columns, all_columns] = overlap(node.horizontal, node.in[2]);
  require(all_rows > 0 && all_columns > 0, "instance: a window without an input");
  return 1 - Rational(cpp_int(rows) * columns, cpp_int(all_rows) * all_columns);
}

}  // namespace

Latency::Latency(const Problem& p) : p_(p) {
  for (std::size_t v = 0; v < p.nodes.size(); ++v) {
    const Node& node = p.nodes[v];
    std::vector<std::size_t>& before = before_.emplace_back();
    for (const std::size_t u : node.from) {
      const Node& provider = p.nodes[u];
      if (provider.counts() || provider.op == Op::input || provider.op == Op::fc) {
        before.push_back(u);
      } else {
        before.insert(before.end(), before_[u].begin(), before_[u].end());
      }
    }
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
    const bool early = std::ranges::count(before, std::size_t{0}) > 0;
    require(!early || node.op != Op::pool, "instance: a path begins with a pool");
    begins_.push_back(early && node.op == Op::conv);
    const bool goes_on = std::ranges::any_of(before, [&](std::size_t u) { return on_path_[u]; });
    on_path_.push_back(begins_.back() || (node.counts() && goes_on));
    const bool waits = node.counts() && p.nodes[node.from.front()].op != Op::input;
    wait_.push_back(waits ? waiting_fraction(node) : Rational(0));
    require(wait_.back() >= 0 && wait_.back() <= 1, "instance: a window outside of its input");
  }
  require(std::ranges::count(begins_, true) > 0, "instance: no path begins with a convolution");
}

Rational Latency::value(const Counts& replication) const {
  Counts rates = replication;  // all that rho can be
  std::ranges::sort(rates);
  rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
  // by node and rate: the greatest of what follows; 1/rho where nothing does
  std::vector<std::vector<Rational>> behind(p_.nodes.size());
  for (auto& row : behind) {
    for (const std::int64_t rate : rates) row.emplace_back(1, rate);
  }
  // Behind a node is 1/rho at least, whatever its consumers are.
  Rational most = 0;
  for (std::size_t v = p_.nodes.size(); v-- > 0;) {
    if (!on_path_[v]) continue;
    const std::int64_t own = replication[p_.family_of[v]];
    for (std::size_t k = 0; k < rates.size(); ++k) {
      std::size_t slower = k;
      if (p_.nodes[v].op == Op::conv && own < rates[k]) {
        slower = static_cast<std::size_t>(std::ranges::lower_bound(rates, own) - rates.begin());
      }
      const Rational here = wait_[v] * Rational(1, rates[k]) + (1 - wait_[v]) * behind[v][slower];
      for (const std::size_t u : before_[v]) {
        if (on_path_[u]) behind[u][k] = std::max(behind[u][k], here);
      }
    }
    if (!begins_[v]) continue;
    const auto k = static_cast<std::size_t>(std::ranges::lower_bound(rates, own) - rates.begin());
    const Rational all = Rational(cpp_int(p_.families[p_.family_of[v]].windows) * p_.time);
    most = std::max<Rational>(most, all * behind[v][k]);
  }
  return most;
}

std::vector<cpp_int> Latency::cut(const std::vector<std::string>& steps) const {
  std::vector<Rational> weights(p_.families.size(), 0);
  std::vector<std::size_t> rates;  // families of the convolutions so far
  require(!steps.empty(), "a cut has steps");
  std::size_t last = 0;
  std::size_t rate = 0;
  Rational left = 0;
  for (const std::string& step : steps) {
    const char* at = step.c_str();
    const auto v = static_cast<std::size_t>(plain_number(at));
    require(*at == ':', "a step is NODE:FAMILY");
    const auto family = static_cast<std::size_t>(plain_number(++at));
    require(*at == '\0', "a step is NODE:FAMILY");
    require(v < p_.nodes.size() && p_.nodes[v].counts(), "a step of a cut does not count");
    require(rates.empty() ? begins_[v] : std::ranges::count(before_[v], last) > 0,
            "the steps of a cut are no path");
    const bool first = rates.empty();
    if (p_.nodes[v].op == Op::conv) rates.push_back(p_.family_of[v]);
    require(std::ranges::count(rates, family) > 0, "a rate of a cut is not on its path");
    if (first) {
      left = Rational(cpp_int(p_.families[p_.family_of[v]].windows) * p_.time);
    } else {
      weights[rate] += left * wait_[v];
      left *= 1 - wait_[v];
    }
    last = v;
    rate = family;
  }
  weights[rate] += left;
  std::vector<cpp_int> units;
  for (const Rational& weight : weights) {
    units.emplace_back((numerator(weight) << kCutBits) / denominator(weight));
  }
  return units;
}

Counts Latency::useful(const Counts& most) const {
  Counts result(most.size(), 1);
  Counts fastest(p_.nodes.size(), 0);  // rate of any path to here
  for (std::size_t v = 0; v < p_.nodes.size(); ++v) {
    if (!on_path_[v]) continue;
    for (const std::size_t u : before_[v]) fastest[v] = std::max(fastest[v], fastest[u]);
    if (p_.nodes[v].op != Op::conv) continue;
    const std::size_t f = p_.family_of[v];
    fastest[v] = begins_[v] ? most[f] : std::min(most[f], fastest[v]);
    result[f] = std::max(result[f], fastest[v]);
  }
  return result;
}

}  // namespace pimbb_check::crossbar
