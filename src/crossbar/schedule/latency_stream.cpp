// Low latency: one inference flows through all nodes, pixel by pixel. A round has three phases:
// multiplications; sums within each core; sums between cores, results and vector nodes.
#include <algorithm>

#include "crossbar/cost/window.hpp"
#include "crossbar/partition/pixel_flow.hpp"
#include "crossbar/schedule/builder.hpp"
#include "crossbar/schedule/deliveries.hpp"
#include "crossbar/schedule/rounds.hpp"

namespace pimbb::crossbar::schedule {
namespace {

class LatencyBuilder {
 public:
  LatencyBuilder(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping, Policy policy, const run::Guard& guard)
      : a_(architecture),
        p_(partition),
        mapping_(mapping),
        placements_(partition::placements(partition, mapping)),
        flow_(partition::pixel_flow(partition, placements_)),
        deliveries_(deliveries(architecture, partition, flow_)),
        builder_(architecture, partition, policy, guard) {
    gather_replicas();
    add_pixels();
  }

  Stream build() && {
    for (const std::vector<Step>& round : rounds(p_, mapping_)) {
      for (const Step& step : round) add_multiplications(step);
      for (const Step& step : round) {
        for (RunningPart& part : replica(step)) {
          builder_.reduce(part, step.window, groups(part));
        }
      }
      for (const Step& step : round) {
        if (p_.array_of[static_cast<std::size_t>(step.node)]) {
          add_sum(step);
        } else {
          add_vector(step);
        }
      }
    }
    return std::move(builder_).take();
  }

 private:
  using Replica = std::vector<RunningPart>;

  void gather_replicas() {
    Index slots = 0;
    for (const std::vector<RunningPart>& parts : builder_.parts(placements_)) {
      std::vector<Replica>& replicas = replicas_.emplace_back();
      for (const RunningPart& part : parts) {
        if (part.part.at_home()) replicas.emplace_back();
        replicas.back().push_back(part);
        slots = part.slot + static_cast<Index>(part.part.groups);
      }
    }
    groups_.resize(static_cast<std::size_t>(slots));
  }

  /// Entries for the pixels of all tensors that are read; what makes them available follows.
  void add_pixels() {
    first_pixel_.assign(p_.graph.nodes.size(), kNone);
    for (std::size_t v = 1; v < p_.graph.nodes.size(); ++v) {
      if (!flow_.read[v]) continue;
      first_pixel_[v] = builder_.next();
      Instruction i;
      i.op = Opcode::pixel;
      i.unit = Unit::none;
      i.node = static_cast<Index>(v);
      for (i.window = 0; i.window < p_.graph.nodes[v].windows(); ++i.window) {
        i.after[1] = i.window == 0 ? kNone : builder_.next() - 1;
        builder_.add(i);
      }
    }
  }

  /// The parts of the replica that computes a window; none for vector nodes.
  Replica& replica(const Step& step) {
    const auto array = p_.array_of[static_cast<std::size_t>(step.node)];
    if (!array) return none_;
    std::vector<Replica>& replicas = replicas_[*array];
    return replicas[static_cast<std::size_t>(step.window) % replicas.size()];
  }

  [[nodiscard]] GroupState* groups(const RunningPart& part) { return groups_.data() + part.slot; }

  /// The entry of the last pixel of a source that a window needs.
  [[nodiscard]] Index pixel_for(const Step& step, std::size_t source) const {
    return first_pixel_[source] +
           needed_pixel(p_, static_cast<std::size_t>(step.node), source, step.window);
  }

  /// RECV of the pixels of a source that a window needs.
  Index receive(const Step& step, std::size_t source, Index core, Unit unit) {
    Instruction i;
    i.op = Opcode::recv;
    i.unit = unit;
    i.core = core;
    i.node = static_cast<Index>(source);
    i.window = step.window;
    i.after[0] = pixel_for(step, source);
    i.upto = i.after[0] - first_pixel_[source];
    i.work = builder_.no_work(p_.graph.nodes[source].out.channels);
    return builder_.add(i);
  }

  void add_multiplications(const Step& step) {
    const std::vector<std::size_t>& sources = p_.sources[static_cast<std::size_t>(step.node)];
    for (RunningPart& part : replica(step)) {
      for (const std::size_t source : sources) {
        if (source == 0) {
          load_input(part, step);
        } else {
          receive(step, source, static_cast<Index>(part.part.core), Unit::mvm);
        }
      }
      for (Index g = 0; g < static_cast<Index>(part.part.groups); ++g) {
        builder_.multiply(part, g, step.window, groups(part)[g]);
      }
    }
  }

  /// Each group loads the rows of its own window, into one of two blocks.
  void load_input(const RunningPart& part, const Step& step) {
    const Node& node = p_.graph.nodes[static_cast<std::size_t>(step.node)];
    const bool first = step.window < mapping_.replication[part.array];
    Instruction i;
    i.op = Opcode::ld;
    i.unit = Unit::dma;
    i.core = static_cast<Index>(part.part.core);
    i.node = step.node;
    i.window = step.window;
    i.work = builder_.memory_work(first ? a_.core.rows : cost::later_load(a_, node));
    GroupState* group = groups(part);
    for (Index g = 0; g < static_cast<Index>(part.part.groups); ++g) {
      i.ag = part.first + g;
      i.after[0] = group[g].before;
      group[g].load = builder_.add(i);
    }
  }

  void add_sum(const Step& step) {
    Replica& parts = replica(step);
    RunningPart& home = parts.front();
    for (std::size_t other = 1; other < parts.size(); ++other) {
      builder_.receive(home, parts[other], step.window);
    }
    Instruction made;
    made.core = static_cast<Index>(home.part.core);
    made.ag = home.first;
    const Index result = builder_.activate(home, step.window);
    builder_.read_by(*groups(home), deliver(step, made, result));
  }

  void add_vector(const Step& step) {
    const auto v = static_cast<std::size_t>(step.node);
    const Node& node = p_.graph.nodes[v];
    Instruction i;
    i.core = static_cast<Index>(
        flow_.makers[v][static_cast<std::size_t>(step.window) % flow_.makers[v].size()]);
    i.node = step.node;
    i.window = step.window;
    std::array<Index, 2> inputs{kNone, kNone};  // the last RECV, and LD
    for (const std::size_t source : p_.sources[v]) {
      if (source != 0) {
        inputs[0] = receive(step, source, i.core, Unit::vec);
        continue;
      }
      i.op = Opcode::ld;
      i.unit = Unit::dma;
      i.work = builder_.memory_work(node.in.channels);
      inputs[1] = builder_.add(i);
    }
    i.op = Opcode::vec;
    i.unit = Unit::vec;
    i.work = builder_.vector_work(node.in.channels, cost::vector_passes(p_, v));
    i.after = inputs;
    const Index result = builder_.add(i);
    i.after = {kNone, kNone};
    deliver(step, i, result);
  }

  /// SEND, ST, or nothing, of the pixel that `made` computes and `result` completes; the last
  /// instruction that reads it.
  Index deliver(const Step& step, Instruction made, Index result) {
    const auto v = static_cast<std::size_t>(step.node);
    const std::int64_t channels = p_.graph.nodes[v].out.channels;
    const std::vector<Delivery>& deliveries = deliveries_[v];
    const Delivery how = deliveries[static_cast<std::size_t>(step.window) % deliveries.size()];
    Index last = result;
    if (how != Delivery::stays) {
      made.node = step.node;
      made.window = step.window;
      made.unit = Unit::dma;
      made.op = how == Delivery::stored ? Opcode::st : Opcode::send;
      made.work = how == Delivery::stored ? builder_.memory_work(channels)
                                          : builder_.bus_work(channels, how == Delivery::sent_far);
      made.after[0] = result;
      last = builder_.add(made);
    }
    if (flow_.read[v]) builder_[first_pixel_[v] + step.window].after[0] = last;
    return last;
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  std::vector<partition::Placement> placements_;
  partition::PixelFlow flow_;
  std::vector<std::vector<Delivery>> deliveries_;  // by node and maker
  StreamBuilder builder_;
  std::vector<std::vector<Replica>> replicas_;  // by array
  Replica none_;                                // of vector nodes
  std::vector<GroupState> groups_;
  std::vector<Index> first_pixel_;  // by node: its entry in the stream
};

}  // namespace

Stream latency_stream(const Architecture& a, const Partition& p, const Mapping& mapping,
                      Policy policy, const run::Guard& guard) {
  return LatencyBuilder(a, p, mapping, policy, guard).build();
}

}  // namespace pimbb::crossbar::schedule
