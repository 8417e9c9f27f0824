// Tasks follow from the rounds of windows, phase by phase: multiplications; sums within each core;
// sums between cores, results and vector nodes.
#include "crossbar/schedule/makers.hpp"

#include <algorithm>

#include "crossbar/cost/window.hpp"
#include "crossbar/schedule/rounds.hpp"

namespace pimbb::crossbar::schedule {
namespace {

constexpr std::size_t kTasksBetweenChecks = 1 << 16;

class TaskLists {
 public:
  TaskLists(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
            const run::Guard& guard)
      : a_(architecture),
        p_(partition),
        mapping_(mapping),
        guard_(guard),
        placements_(partition::placements(partition, mapping)),
        flow_(partition::pixel_flow(partition, placements_)),
        deliveries_(deliveries(architecture, partition, flow_)),
        of_node_(partition.graph.nodes.size()) {}

  Makers run() && {
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      if (p_.array_of[v]) add_replicas(v, *p_.array_of[v]);
      if (p_.graph.nodes[v].is_vector()) add_vector(v);
    }
    makers_.tasks.resize(static_cast<std::size_t>(a_.all_cores()));
    makers_.read = flow_.read;
    for (const std::vector<Step>& round : rounds(p_, mapping_)) {
      for (const Step& step : round) add_multiplications(step);
      for (const Step& step : round) add_own_sums(step);
      for (const Step& step : round) add_results(step);
    }
    return std::move(makers_);
  }

 private:
  /// Of a replica, the home first; or one maker of a vector node.
  struct Range {
    std::size_t first = 0;
    std::size_t end = 0;
  };

  [[nodiscard]] std::int64_t access(std::int64_t elements) const {
    return transfer_time(a_.bytes(elements), a_.bandwidth.memory);
  }
  [[nodiscard]] Work message(std::int64_t elements, bool far) const {
    const std::int64_t bytes = a_.bytes(elements);
    return {bytes, transfer_time(bytes, a_.bandwidth.bus),
            far ? transfer_time(bytes, a_.bandwidth.link) : 0};
  }
  /// Network inputs that a node reads.
  [[nodiscard]] Index inputs(std::size_t v) const {
    return static_cast<Index>(std::ranges::count(p_.sources[v], std::size_t{0}));
  }

  /// How the pixels of maker number `m` of the node are delivered.
  void deliver(Maker& maker, std::size_t m) const {
    const std::vector<Delivery>& of_node = deliveries_[maker.node];
    const std::int64_t channels = p_.graph.nodes[maker.node].out.channels;
    maker.delivery = of_node[m % of_node.size()];
    maker.transfer = maker.delivery == Delivery::stored
                         ? Work{a_.bytes(channels), access(channels), 0}
                         : message(channels, maker.delivery == Delivery::sent_far);
  }

  void add_replicas(std::size_t v, std::size_t array) {
    const Node& node = p_.graph.nodes[v];
    Maker maker;
    maker.node = v;
    maker.loads = inputs(v);
    maker.first_load = access(a_.core.rows);
    maker.later_load = access(cost::later_load(a_, node));
    maker.pass = a_.vector_pass(a_.bytes(node.out.channels));
    for (const partition::Part& part : placements_[array].parts) {
      const std::size_t number = makers_.all.size();
      maker.core = static_cast<Index>(part.core);
      maker.first = static_cast<Index>(makers_.groups);
      maker.groups = static_cast<Index>(part.groups);
      makers_.groups += static_cast<std::size_t>(part.groups);
      maker.at_home = part.at_home();
      if (maker.at_home) {
        maker.home = static_cast<Index>(number);
        deliver(maker, static_cast<std::size_t>(part.replica));
        of_node_[v].push_back({number, number});
      } else {
        makers_.all[static_cast<std::size_t>(maker.home)].others.push_back(
            static_cast<Index>(number));
        maker.transfer = message(node.out.channels, part.core / a_.cores != part.home / a_.cores);
      }
      ++of_node_[v].back().end;
      makers_.all.push_back(maker);
    }
  }

  void add_vector(std::size_t v) {
    const Node& node = p_.graph.nodes[v];
    for (std::size_t m = 0; m < flow_.makers[v].size(); ++m) {
      Maker maker;
      maker.node = v;
      maker.core = static_cast<Index>(flow_.makers[v][m]);
      maker.loads = inputs(v);
      maker.first_load = maker.later_load = access(node.in.channels);
      maker.pass = cost::vector_passes(p_, v) * a_.vector_pass(a_.bytes(node.in.channels));
      deliver(maker, m);
      of_node_[v].push_back({makers_.all.size(), makers_.all.size() + 1});
      makers_.all.push_back(std::move(maker));
    }
  }

  [[nodiscard]] Range range(const Step& step) const {
    const std::vector<Range>& ranges = of_node_[static_cast<std::size_t>(step.node)];
    return ranges[static_cast<std::size_t>(step.window) % ranges.size()];
  }

  void add(std::size_t maker, Index window, Unit unit, Job job) {
    if (tasks_++ % kTasksBetweenChecks == 0) {
      guard_.check();
      guard_.need((tasks_ + kTasksBetweenChecks) * 2 * sizeof(Task) +
                  makers_.all.size() * sizeof(Maker) + makers_.groups * sizeof(GroupProgress));
    }
    makers_.tasks[static_cast<std::size_t>(makers_.all[maker].core)][static_cast<std::size_t>(unit)]
        .push_back({static_cast<Index>(maker), window, job});
  }

  void add_multiplications(const Step& step) {
    for (auto [m, end] = range(step); m < end; ++m) {
      if (makers_.all[m].groups == 0) continue;
      for (Index i = 0; i < makers_.all[m].loads; ++i) add(m, step.window, Unit::dma, Job::load);
      add(m, step.window, Unit::mvm, Job::multiply);
    }
  }

  void add_own_sums(const Step& step) {
    for (auto [m, end] = range(step); m < end; ++m) {
      if (makers_.all[m].groups > 1) add(m, step.window, Unit::vec, Job::own_sum);
      if (!makers_.all[m].at_home) add(m, step.window, Unit::dma, Job::pass_on);
    }
  }

  void add_results(const Step& step) {
    const std::size_t m = range(step).first;
    const Maker& maker = makers_.all[m];
    if (maker.groups == 0) {
      for (Index i = 0; i < maker.loads; ++i) add(m, step.window, Unit::dma, Job::load);
    }
    add(m, step.window, Unit::vec, maker.groups == 0 ? Job::compute : Job::all_sums);
    if (maker.delivery != Delivery::stays) add(m, step.window, Unit::dma, Job::pass_on);
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  const run::Guard& guard_;
  std::vector<partition::Placement> placements_;
  partition::PixelFlow flow_;
  std::vector<std::vector<Delivery>> deliveries_;
  std::vector<std::vector<Range>> of_node_;  // makers by replica, or one by one
  Makers makers_;
  std::size_t tasks_ = 0;
};

}  // namespace

Makers makers(const Architecture& architecture, const Partition& partition, const Mapping& mapping,
              const run::Guard& guard) {
  return TaskLists(architecture, partition, mapping, guard).run();
}

}  // namespace pimbb::crossbar::schedule
