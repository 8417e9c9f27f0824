// Every replication and, for each, all contents of all cores.
#include "crossbar/tiny_networks.hpp"

#include <algorithm>

#include "crossbar/cost/latency.hpp"
#include "crossbar/exhaustion.hpp"
#include "pimbb/crossbar.hpp"

namespace testkit {

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

std::int64_t drawn(Draw& draw, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
}

bool agree_in_parts(const Partition& p, const Replication& r) {
  for (std::size_t v = 0; v < r.size(); ++v) {
    if (r[v] != r[p.arrays[v].family]) return false;
  }
  return true;
}

/// The least `ht` of a replication below `limit`; nothing if there is none. Without local memory
/// the order of cores does not matter.
std::optional<std::int64_t> least_time(const Architecture& a, const Partition& p,
                                       const Replication& r, std::int64_t limit) {
  if (a.core.enforce_local_memory) {
    std::optional<std::int64_t> least;
    for_each_mapping(a, p, r, [&](const Mapping& mapping) {
      if (find_violation(a, p, mapping)) return;
      const std::int64_t ht = evaluate(a, p, mapping).ht;
      if (ht < limit && (!least || ht < *least)) least = ht;
    });
    return least;
  }
  if (!fits(a, p, r, limit)) return std::nullopt;
  std::int64_t low = 0;  // nothing is below; something is below `limit`
  while (limit - low > 1) {
    const std::int64_t middle = low + (limit - low) / 2;
    (fits(a, p, r, middle) ? limit : low) = middle;
  }
  return low;
}

}  // namespace

TinyProblem tiny_problem(Draw& draw) {
  TinyProblem at{read_architecture("pimcomp"), {}};
  Architecture& a = at.a;
  a.chips = drawn(draw, 1, 8) == 1 ? 2 : 1;
  a.cores = drawn(draw, 1, 3);
  a.core.crossbars = drawn(draw, 1, 4);
  a.core.slices = drawn(draw, 1, 3) == 1 ? 2 : 1;
  a.core.rows = drawn(draw, 3, 8);
  a.core.columns = drawn(draw, 3, 8);
  a.core.max_nodes = drawn(draw, 1, 3);
  a.mvm = {drawn(draw, 1, 6), drawn(draw, 1, 3)};
  at.graph.name = "tiny";
  const Volume plane{drawn(draw, 1, 8), 1, drawn(draw, 1, 4)};
  at.graph.nodes.push_back({"input", "Input", Op::input, {}, plane, plane, {}, {}});
  for (std::int64_t n = drawn(draw, 1, 3); n > 0; --n) {
    const Volume in = at.graph.nodes.back().out;
    Volume out = in;
    out.channels = drawn(draw, 1, 10);
    const std::size_t last = at.graph.nodes.size() - 1;
    at.graph.nodes.push_back(
        {"conv" + std::to_string(n), "Conv", Op::conv, {last}, in, out, {}, {}});
  }
  return at;
}

std::optional<Rational> least_by_trying(const TinyProblem& at, bool latency,
                                        const std::optional<Rational>& most_ht,
                                        const std::optional<Rational>& most_ll) {
  const Partition p = make_partition(at.a, at.graph);
  std::optional<Rational> least;
  std::int64_t limit = std::int64_t{1} << 40;  // `ht` is below
  if (most_ht) {
    while (Rational(limit) > *most_ht + Rational(1)) limit /= 2;
    while (Rational(limit) <= *most_ht) ++limit;
  }
  for (const Replication& r : replications(at.a, p)) {
    if (!agree_in_parts(p, r)) continue;
    const Rational ll = cost::latency(at.a, p, {r, {}}, cost::RateRule::provider);
    if (most_ll && ll > *most_ll) continue;
    if (latency && least && ll >= *least) continue;
    const std::optional<std::int64_t> ht = least_time(at.a, p, r, limit);
    if (!ht) continue;
    least = latency ? ll : Rational(*ht);
    if (!latency) limit = *ht;
  }
  return least;
}

}  // namespace testkit
