// The rules of a legal mapping, each with what was found.
#include "crossbar/partition/feasibility.hpp"

#include <algorithm>

#include "crossbar/partition/memory.hpp"
#include "crossbar/partition/shares.hpp"
#include "pimbb/error.hpp"

namespace pimbb::crossbar {
namespace {

std::string core_name(std::size_t core) { return "core " + std::to_string(core); }

Violation violation(std::string rule, const std::string& where, const std::string& found,
                    const std::string& allowed) {
  return {std::move(rule), where, where + ": found " + found + ", allowed are " + allowed};
}

std::optional<Violation> broken_replication(const Partition& p, const Mapping& m) {
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const ArrayNode& array = p.arrays[v];
    const std::int64_t r = m.replication[v];
    const std::string& name = p.node(array).name;
    if (r < 1 || r > array.windows) {
      return violation("replication", name, std::to_string(r) + " replicas",
                       "1 .. " + std::to_string(array.windows) + ", one for each window");
    }
    if (r != m.replication[array.family]) {
      return violation("replication", name, std::to_string(r) + " replicas",
                       "those of the first part, " + std::to_string(m.replication[array.family]));
    }
  }
  return std::nullopt;
}

/// Shares in order, of existing nodes: what everything else relies on.
std::optional<Violation> broken_shares(const Architecture& a, const Partition& p,
                                       const Mapping& m) {
  if (m.replication.size() != p.arrays.size()) {
    return violation("replication", "mapping", std::to_string(m.replication.size()) + " nodes",
                     "the array nodes of the network, " + std::to_string(p.arrays.size()));
  }
  if (m.cores.size() != static_cast<std::size_t>(a.all_cores())) {
    return violation("cores", "mapping", std::to_string(m.cores.size()) + " cores",
                     "those of the accelerator, " + std::to_string(a.all_cores()));
  }
  for (std::size_t c = 0; c < m.cores.size(); ++c) {
    std::size_t least = 0;
    for (const Share& share : m.cores[c]) {
      if (share.array < least || share.array >= p.arrays.size() || share.groups < 1 ||
          share.groups > a.core.crossbars) {
        return violation("shares", core_name(c), "shares out of order, empty or too large",
                         "1 .. " + std::to_string(a.core.crossbars) +
                             " array groups of different nodes, ascending");
      }
      least = share.array + 1;
    }
  }
  return std::nullopt;
}

std::optional<Violation> broken_groups(const Partition& p, const Mapping& m) {
  std::vector<std::int64_t> held(p.arrays.size(), 0);
  for (const auto& core : m.cores) {
    for (const Share& share : core) held[share.array] += share.groups;
  }
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    const Rational wanted = Rational(p.arrays[v].groups) * Rational(m.replication[v]);
    if (wanted == Rational(held[v])) continue;
    return violation("groups", p.node(p.arrays[v]).name,
                     std::to_string(held[v]) + " array groups in all cores",
                     wanted.to_string() + ": " + std::to_string(p.arrays[v].groups) +
                         " for each of " + std::to_string(m.replication[v]) + " replicas");
  }
  return std::nullopt;
}

std::optional<Violation> broken_cores(const Architecture& a, const Partition& p, const Mapping& m) {
  for (std::size_t c = 0; c < m.cores.size(); ++c) {
    const std::int64_t used = partition::crossbars_of(p, m.cores[c]);
    if (used > a.core.crossbars) {
      return violation("crossbars", core_name(c), std::to_string(used) + " crossbars",
                       "at most " + std::to_string(a.core.crossbars));
    }
    if (m.cores[c].size() > static_cast<std::size_t>(a.core.max_nodes)) {
      return violation("nodes", core_name(c), std::to_string(m.cores[c].size()) + " nodes",
                       "at most " + std::to_string(a.core.max_nodes));
    }
  }
  return std::nullopt;
}

std::optional<Violation> broken_memory(const Architecture& a, const Partition& p,
                                       const Mapping& m) {
  if (!a.core.enforce_local_memory) return std::nullopt;
  const std::vector<std::int64_t> bytes =
      partition::local_memory(a, p, partition::placements(p, m), partition::BlockPolicy::add);
  const auto worst = std::ranges::max_element(bytes);
  if (*worst <= a.core.local_memory) return std::nullopt;
  return violation("memory", core_name(static_cast<std::size_t>(worst - bytes.begin())),
                   std::to_string(*worst) + " bytes of local memory",
                   "at most " + std::to_string(a.core.local_memory));
}

}  // namespace

std::optional<Violation> find_violation(const Architecture& architecture,
                                        const Partition& partition, const Mapping& mapping) {
  if (auto broken = broken_shares(architecture, partition, mapping)) return broken;
  if (auto broken = broken_replication(partition, mapping)) return broken;
  if (auto broken = broken_groups(partition, mapping)) return broken;
  if (auto broken = broken_cores(architecture, partition, mapping)) return broken;
  return broken_memory(architecture, partition, mapping);
}

void partition::require_feasible(const Architecture& architecture, const Partition& partition,
                                 const Mapping& mapping) {
  const auto broken = find_violation(architecture, partition, mapping);
  if (broken) throw InputError("mapping: " + broken->rule + ": " + broken->message);
}

}  // namespace pimbb::crossbar
