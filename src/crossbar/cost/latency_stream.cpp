// The low-latency schedule: who computes the pixels of a node, and which cores must have them.
#include <algorithm>

#include "crossbar/cost/stream_times.hpp"
#include "crossbar/cost/window.hpp"
#include "crossbar/partition/pixel_flow.hpp"

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
        flow_(partition::pixel_flow(partition, placements)),
        counter_(architecture, partition) {}

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
    const std::vector<std::int64_t>& cores = flow_.makers[v];
    for (std::size_t i = 0; i < cores.size(); ++i) {
      const std::int64_t pixels = pixels_of(v, i);
      if (pixels == 0) continue;
      counter_.activate(cores[i]);
      if (reads_input(v)) counter_.access(cores[i], pixels, p_.graph.nodes[v].in.channels);
    }
  }

  /// Pixels of `v` that its maker i computes.
  [[nodiscard]] std::int64_t pixels_of(std::size_t v, std::size_t i) const {
    const auto makers = static_cast<std::int64_t>(flow_.makers[v].size());
    const std::int64_t pixels = p_.graph.nodes[v].windows();
    return pixels / makers + (static_cast<std::int64_t>(i) < pixels % makers ? 1 : 0);
  }

  /// What happens to the pixels of `v`: sent, or stored if nobody reads them.
  void add_results(std::size_t v) {
    const std::int64_t channels = p_.graph.nodes[v].out.channels;
    for (std::size_t i = 0; i < flow_.makers[v].size(); ++i) {
      const std::int64_t core = flow_.makers[v][i];
      const std::int64_t pixels = pixels_of(v, i);
      if (pixels == 0) continue;
      if (!flow_.read[v]) counter_.access(core, pixels, channels);
      const std::vector<std::int64_t> others = flow_.others(v, core);
      if (!others.empty()) counter_.send(core, pixels, channels, on_other_chip(others, core));
    }
  }

  [[nodiscard]] bool on_other_chip(const std::vector<std::int64_t>& cores,
                                   std::int64_t core) const {
    return counter_.chip(cores.front()) != counter_.chip(core) ||
           counter_.chip(cores.back()) != counter_.chip(core);
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  const std::vector<Placement>& placements_;
  partition::PixelFlow flow_;
  StreamCounter counter_;
};

}  // namespace

StreamTimes latency_stream(const Architecture& a, const Partition& p, const Mapping& mapping,
                           const std::vector<Placement>& placements) {
  return LatencyStream(a, p, mapping, placements).run();
}

}  // namespace pimbb::crossbar::cost
