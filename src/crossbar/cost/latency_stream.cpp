// The low-latency schedule: who computes the pixels of a node, and which cores must have them.
#include <algorithm>
#include <optional>
#include <set>

#include "crossbar/cost/stream_times.hpp"
#include "crossbar/cost/window.hpp"

namespace pimbb::crossbar::cost {
namespace {

using partition::Part;

class LatencyStream {
 public:
  LatencyStream(const Architecture& architecture, const Partition& partition,
                const Mapping& mapping, const std::vector<Placement>& placements)
      : a_(architecture),
        p_(partition),
        mapping_(mapping),
        placements_(placements),
        counter_(architecture, partition) {
    find_makers();
    find_readers();
  }

  StreamTimes run() && {
    counter_.add_vector_work();
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      const Node& node = p_.graph.nodes[v];
      if (node.is_array()) add_array(v);
      if (node.is_vector()) add_vector(v);
      if (node.is_array() || node.is_vector()) add_results(v);
    }
    return std::move(counter_).take();
  }

 private:
  /// A vector node runs where the results of its first source come from: at the homes of the
  /// replicas of the first array node that is found along first sources, in core 0 if there is
  /// none.
  void find_makers() {
    std::vector<std::optional<std::size_t>> host(p_.graph.nodes.size());
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      if (p_.array_of[v]) {
        host[v] = p_.array_of[v];
      } else if (!p_.sources[v].empty()) {
        host[v] = host[p_.sources[v].front()];
      }
      makers_.push_back(host[v] ? placements_[*host[v]].homes : std::vector<std::int64_t>{0});
    }
  }

  /// The cores that need the tensor of each node: those that hold groups of a reader, or run a
  /// pixel of one.
  void find_readers() {
    needed_.resize(p_.graph.nodes.size());
    read_.assign(p_.graph.nodes.size(), false);
    for (std::size_t u = 0; u < p_.graph.nodes.size(); ++u) {
      const Node& node = p_.graph.nodes[u];
      if (!node.is_array() && !node.is_vector()) continue;
      const std::vector<std::int64_t> cores =
          node.is_array() ? placements_[*p_.array_of[u]].cores : running(u);
      for (const std::size_t source : p_.sources[u]) {
        needed_[source].insert(cores.begin(), cores.end());
        read_[source] = true;
      }
    }
  }

  /// The cores that compute pixels of a vector node.
  [[nodiscard]] std::vector<std::int64_t> running(std::size_t v) const {
    std::vector<std::int64_t> cores = makers_[v];
    const auto pixels = static_cast<std::size_t>(p_.graph.nodes[v].windows());
    cores.resize(std::min(cores.size(), pixels));
    return cores;
  }

  [[nodiscard]] bool reads_input(std::size_t v) const {
    return std::ranges::count(p_.sources[v], std::size_t{0}) > 0;
  }

  void add_array(std::size_t v) {
    const ArrayNode& array = p_.arrays[*p_.array_of[v]];
    const std::int64_t replication = mapping_.replication[*p_.array_of[v]];
    const Node& node = p_.graph.nodes[v];
    for (const Part& part : placements_[*p_.array_of[v]].parts) {
      counter_.activate(part.core);
      const std::int64_t windows = partition::windows_of(array, replication, part.replica);
      if (reads_input(v)) {
        counter_.access(part.core, part.groups, a_.core.rows);
        counter_.access(part.core, part.groups * (windows - 1), later_load(a_, node));
      }
      if (part.at_home()) continue;
      counter_.send(part.core, windows, node.out.channels,
                    counter_.chip(part.core) != counter_.chip(part.home));
    }
  }

  void add_vector(std::size_t v) {
    const std::vector<std::int64_t> cores = running(v);
    for (std::size_t i = 0; i < cores.size(); ++i) {
      counter_.activate(cores[i]);
      if (reads_input(v)) counter_.access(cores[i], pixels_of(v, i), p_.graph.nodes[v].in.channels);
    }
  }

  /// Pixels of `v` that its maker i computes.
  [[nodiscard]] std::int64_t pixels_of(std::size_t v, std::size_t i) const {
    const auto makers = static_cast<std::int64_t>(makers_[v].size());
    const std::int64_t pixels = p_.graph.nodes[v].windows();
    return pixels / makers + (static_cast<std::int64_t>(i) < pixels % makers ? 1 : 0);
  }

  /// What happens to the pixels of `v`: sent, or stored if nobody reads them.
  void add_results(std::size_t v) {
    const std::int64_t channels = p_.graph.nodes[v].out.channels;
    const std::set<std::int64_t>& needed = needed_[v];
    for (std::size_t i = 0; i < makers_[v].size(); ++i) {
      const std::int64_t core = makers_[v][i];
      const std::int64_t pixels = pixels_of(v, i);
      if (pixels == 0) continue;
      if (!read_[v]) counter_.access(core, pixels, channels);
      const bool elsewhere = needed.size() > (needed.contains(core) ? 1U : 0U);
      if (elsewhere) counter_.send(core, pixels, channels, on_other_chip(needed, core));
    }
  }

  [[nodiscard]] bool on_other_chip(const std::set<std::int64_t>& cores, std::int64_t core) const {
    return counter_.chip(*cores.begin()) != counter_.chip(core) ||
           counter_.chip(*cores.rbegin()) != counter_.chip(core);
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  const std::vector<Placement>& placements_;
  StreamCounter counter_;
  std::vector<std::vector<std::int64_t>> makers_;  // by node: pixel i is made by core i mod size
  std::vector<std::set<std::int64_t>> needed_;     // by node: cores
  std::vector<bool> read_;                         // by node
};

}  // namespace

StreamTimes latency_stream(const Architecture& a, const Partition& p, const Mapping& mapping,
                           const std::vector<Placement>& placements) {
  return LatencyStream(a, p, mapping, placements).run();
}

}  // namespace pimbb::crossbar::cost
