// High throughput: layers work on different inferences, so that nothing but a replica's own sums is
// waited for. In round t every replica with windows left multiplies its window t and loads t+1.
#include <algorithm>

#include "crossbar/cost/window.hpp"
#include "crossbar/schedule/builder.hpp"

namespace pimbb::crossbar::schedule {
namespace {

/// A part with the windows of its replica, which are contiguous.
struct Worker {
  RunningPart at;
  Index windows = 0;
  Index first_window = 0;
  Index first_load = 0;             // work
  Index later_load = 0;             // work
  std::vector<std::size_t> others;  // at home: the workers of the replica's other parts, by core
};

class ThroughputBuilder {
 public:
  ThroughputBuilder(const Architecture& architecture, const Partition& partition,
                    const Mapping& mapping, Policy policy, const run::Guard& guard)
      : a_(architecture), p_(partition), builder_(architecture, partition, policy, guard) {
    const auto placements = partition::placements(partition, mapping);
    core_workers_.resize(static_cast<std::size_t>(a_.all_cores()));
    Index slots = 0;
    for (const std::vector<RunningPart>& parts : builder_.parts(placements)) {
      std::size_t home = 0;
      for (const RunningPart& at : parts) {
        if (at.part.at_home()) home = workers_.size();
        add_worker(at, mapping.replication[at.array]);
        if (!at.part.at_home()) workers_[home].others.push_back(workers_.size() - 1);
        slots = at.slot + static_cast<Index>(at.part.groups);
      }
    }
    groups_.resize(static_cast<std::size_t>(slots));
  }

  Stream build() && {
    for (const auto& workers : core_workers_) load_first(workers);
    for (Index t = 0; drop_idle(t); ++t) {
      for (const auto& workers : core_workers_) add_own_work(workers, t);
      for (const auto& workers : core_workers_) add_sums(workers, t);
    }
    for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
      if (p_.graph.nodes[v].is_vector()) add_vector(v);
    }
    return std::move(builder_).take();
  }

 private:
  void add_worker(const RunningPart& at, std::int64_t replication) {
    const ArrayNode& array = p_.arrays[at.array];
    const std::int64_t replica = at.part.replica;
    Worker worker;
    worker.at = at;
    worker.windows = static_cast<Index>(partition::windows_of(array, replication, replica));
    worker.first_window = static_cast<Index>(replica * (array.windows / replication) +
                                             std::min(replica, array.windows % replication));
    worker.first_load = builder_.memory_work(a_.core.rows);
    worker.later_load = builder_.memory_work(cost::later_load(a_, p_.node(array)));
    core_workers_[static_cast<std::size_t>(at.part.core)].push_back(workers_.size());
    workers_.push_back(std::move(worker));
  }

  [[nodiscard]] GroupState* groups(const Worker& worker) { return groups_.data() + worker.at.slot; }

  /// LD of window t for all groups of a part; each waits for the MVM two windows before.
  void load(const Worker& worker, Index t) {
    GroupState* group = groups(worker);
    Instruction i;
    i.op = Opcode::ld;
    i.unit = Unit::dma;
    i.core = static_cast<Index>(worker.at.part.core);
    i.node = static_cast<Index>(p_.arrays[worker.at.array].node);
    i.window = worker.first_window + t;
    i.work = t == 0 ? worker.first_load : worker.later_load;
    for (Index g = 0; g < static_cast<Index>(worker.at.part.groups); ++g) {
      i.ag = worker.at.first + g;
      i.after[0] = group[g].before;
      group[g].load = builder_.add(i);
    }
  }

  void load_first(const std::vector<std::size_t>& workers) {
    for (const std::size_t w : workers) load(workers_[w], 0);
  }

  /// Whether any part has a window t.
  bool drop_idle(Index t) {
    bool busy = false;
    for (auto& workers : core_workers_) {
      std::erase_if(workers, [&](std::size_t w) { return workers_[w].windows <= t; });
      busy = busy || !workers.empty();
    }
    return busy;
  }

  void add_own_work(const std::vector<std::size_t>& workers, Index t) {
    for (const std::size_t w : workers) {
      const Worker& worker = workers_[w];
      for (Index g = 0; g < static_cast<Index>(worker.at.part.groups); ++g) {
        builder_.multiply(worker.at, g, worker.first_window + t, groups(worker)[g]);
      }
    }
    for (const std::size_t w : workers) {
      if (t + 1 < workers_[w].windows) load(workers_[w], t + 1);
    }
    for (const std::size_t w : workers) {
      builder_.reduce(workers_[w].at, workers_[w].first_window + t, groups(workers_[w]));
    }
  }

  void add_sums(const std::vector<std::size_t>& workers, Index t) {
    for (const std::size_t w : workers) {
      Worker& home = workers_[w];
      if (!home.at.part.at_home()) continue;
      const Index window = home.first_window + t;
      for (const std::size_t other : home.others) {
        builder_.receive(home.at, workers_[other].at, window);
      }
      const Index result = builder_.activate(home.at, window);
      const Index stored = builder_.store(home.at, window, result);
      builder_.read_by(*groups(home), stored);
    }
  }

  /// The pixels of a vector node, shared evenly; the first cores have one more.
  void add_vector(std::size_t v) {
    const Node& node = p_.graph.nodes[v];
    const std::int64_t read = cost::pixels_loaded(p_, v);
    const std::int64_t cores = a_.all_cores();
    Index first = 0;
    for (std::int64_t c = 0; c < std::min(cores, node.windows()); ++c) {
      const std::int64_t pixels = node.windows() / cores + (c < node.windows() % cores ? 1 : 0);
      Instruction i;
      i.core = static_cast<Index>(c);
      i.node = static_cast<Index>(v);
      i.window = first;
      i.op = Opcode::ld;
      i.unit = Unit::dma;
      i.work = builder_.memory_work(pixels * read * node.in.channels);
      i.after[0] = builder_.add(i);
      i.op = Opcode::vec;
      i.unit = Unit::vec;
      i.work = builder_.vector_work(node.in.channels, pixels * cost::vector_passes(p_, v));
      i.after[0] = builder_.add(i);
      i.op = Opcode::st;
      i.unit = Unit::dma;
      i.work = builder_.memory_work(pixels * node.out.channels);
      builder_.add(i);
      first += static_cast<Index>(pixels);
    }
  }

  const Architecture& a_;
  const Partition& p_;
  StreamBuilder builder_;
  std::vector<Worker> workers_;                         // by array, replica and core
  std::vector<std::vector<std::size_t>> core_workers_;  // by core: those with windows left
  std::vector<GroupState> groups_;
};

}  // namespace

Stream throughput_stream(const Architecture& a, const Partition& p, const Mapping& mapping,
                         Policy policy, const run::Guard& guard) {
  return ThroughputBuilder(a, p, mapping, policy, guard).build();
}

}  // namespace pimbb::crossbar::schedule
