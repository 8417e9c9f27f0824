// Depth-first search over the contents of the next core; the memory of homes grows while later
// cores are filled.
#include "crossbar/answers/memory_packing.hpp"

#include <algorithm>
#include <numeric>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::within {
namespace {

using assign::Answer;

std::int64_t output_block(const assign::Problem& problem, std::size_t v) {
  return problem.a.bytes(problem.p.node(problem.p.arrays[v]).out.channels);
}

/// Bytes of an array group wherever it is.
std::int64_t own_bytes(const assign::Problem& problem, std::size_t v) {
  return 2 * problem.a.bytes(problem.a.core.rows) + output_block(problem, v);
}

class CoresInOrder {
 public:
  CoresInOrder(const assign::Problem& problem, const std::vector<std::int64_t>& replication,
               std::optional<std::int64_t> deadline, assign::Effort& effort)
      : problem_(problem), deadline_(deadline), effort_(effort) {
    const std::vector<std::int64_t> r = problem.by_array(replication);
    for (std::size_t v = 0; v < r.size(); ++v) {
      const ArrayNode& array = problem.p.arrays[v];
      nodes_.push_back({array.groups, array.width, partition::cycles(array, r[v]),
                        own_bytes(problem, v), output_block(problem, v), array.groups * r[v], 0,
                        0});
    }
    by_cycles_.resize(nodes_.size());
    std::iota(by_cycles_.begin(), by_cycles_.end(), std::size_t{0});
    std::ranges::stable_sort(by_cycles_, [&](std::size_t i, std::size_t j) {
      return nodes_[i].cycles > nodes_[j].cycles;
    });
  }

  assign::Packed run() {
    assign::Packed packed;
    packed.answer = fill();
    if (packed.answer != Answer::yes) return packed;
    for (const std::vector<std::int64_t>& content : contents_) {
      std::vector<Share>& core = packed.cores.emplace_back();
      for (std::size_t v = 0; v < content.size(); ++v) {
        if (content[v] > 0) core.push_back({v, content[v]});
      }
    }
    packed.cores.resize(static_cast<std::size_t>(problem_.cores));
    return packed;
  }

 private:
  struct State {          // of a node
    std::int64_t groups;  // of a replica
    std::int64_t width;
    std::int64_t cycles;
    std::int64_t bytes;  // of an array group
    std::int64_t block;
    std::int64_t left;  // array groups
    std::int64_t done;
    std::size_t home;  // of the replica that is placed in part, if one is
  };

  [[nodiscard]] bool has_room_for_all() const {
    const std::int64_t cores = problem_.cores - static_cast<std::int64_t>(contents_.size());
    Int128 crossbars = 0;
    Int128 bytes = 0;
    for (const State& node : nodes_) {
      crossbars += Int128{node.left} * node.width;
      bytes += Int128{node.left} * node.bytes;
    }
    return crossbars <= Int128{cores} * problem_.crossbars &&
           bytes <= Int128{cores} * problem_.a.core.local_memory;
  }

  Answer fill() {
    if (std::ranges::all_of(nodes_, [](const State& node) { return node.left == 0; })) {
      return Answer::yes;
    }
    if (!has_room_for_all()) return Answer::no;
    contents_.emplace_back(nodes_.size(), 0);
    bytes_.push_back(0);
    const Answer answer = choose(0, problem_.crossbars, problem_.a.core.max_nodes);
    if (answer == Answer::yes) return answer;
    contents_.pop_back();
    bytes_.pop_back();
    return answer;
  }

  [[nodiscard]] bool in_time() const {
    if (!deadline_) return true;
    assign::CoreTime time(problem_.a.mvm);
    for (const std::size_t v : by_cycles_) time.add(contents_.back()[v], nodes_[v].cycles);
    return time.take() <= *deadline_;
  }

  /// Puts n array groups of v into the last core; whether all homes still have memory for it.
  bool place(std::size_t v, std::int64_t n) {
    State& node = nodes_[v];
    const std::size_t core = contents_.size() - 1;
    const std::int64_t before = node.done % node.groups;
    contents_[core][v] = n;
    bytes_[core] += n * node.bytes;
    bool fits = bytes_[core] <= problem_.a.core.local_memory;
    if (before > 0) {
      bytes_[node.home] += node.block;
      fits = fits && bytes_[node.home] <= problem_.a.core.local_memory;
    }
    if (before == 0 || before + n > node.groups) node.home = core;
    node.done += n;
    node.left -= n;
    return fits && in_time();
  }

  Answer choose(std::size_t v, std::int64_t room, std::int64_t nodes) {
    if (effort_.exhausted()) return Answer::undecided;
    effort_.spend();
    if (v == nodes_.size()) {
      const bool is_empty = std::ranges::all_of(contents_.back(), [](auto n) { return n == 0; });
      return is_empty ? Answer::no : fill();
    }
    const State before = nodes_[v];
    const std::size_t core = contents_.size() - 1;
    Answer answer = Answer::no;
    std::int64_t most = nodes == 0 ? 0 : std::min(before.left, room / before.width);
    for (; most >= 0; --most) {
      const std::int64_t own = bytes_[core];
      const std::int64_t at_home = bytes_[before.home < core ? before.home : core];
      Answer below = Answer::no;
      if (most == 0 || place(v, most)) {
        below = choose(v + 1, room - most * before.width, nodes - (most > 0 ? 1 : 0));
      }
      if (below == Answer::yes) return below;
      nodes_[v] = before;
      contents_[core][v] = 0;
      bytes_[core] = own;
      if (before.home < core) bytes_[before.home] = at_home;
      if (below == Answer::undecided) answer = below;
      if (answer == Answer::undecided && effort_.exhausted()) break;
    }
    return answer;
  }

  const assign::Problem& problem_;
  std::optional<std::int64_t> deadline_;
  assign::Effort& effort_;
  std::vector<State> nodes_;  // by array
  std::vector<std::size_t> by_cycles_;
  std::vector<std::vector<std::int64_t>> contents_;  // of the cores begun, by array
  std::vector<std::int64_t> bytes_;                  // of the cores begun
};

}  // namespace

assign::Packed pack_with_memory(const assign::Problem& problem,
                                const std::vector<std::int64_t>& replication,
                                std::optional<std::int64_t> deadline, assign::Effort& effort) {
  return CoresInOrder(problem, replication, deadline, effort).run();
}

bool lacks_memory(const assign::Problem& problem) {
  Int128 all = 0;
  for (std::size_t v = 0; v < problem.p.arrays.size(); ++v) {
    const std::int64_t bytes = own_bytes(problem, v);
    if (bytes > problem.a.core.local_memory) return true;
    all += Int128{problem.p.arrays[v].groups} * bytes;
  }
  return all > Int128{problem.cores} * problem.a.core.local_memory;
}

}  // namespace pimbb::crossbar::within
