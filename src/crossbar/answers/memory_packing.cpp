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

constexpr std::int64_t kMostTrials = 20'000'000;  // of array groups on cores, by rule of thumb

std::int64_t output_block(const Architecture& a, const Partition& p, std::size_t v) {
  return a.bytes(p.node(p.arrays[v]).out.channels);
}

/// Bytes of an array group wherever it is.
std::int64_t own_bytes(const Architecture& a, const Partition& p, std::size_t v) {
  return 2 * a.bytes(a.core.rows) + output_block(a, p, v);
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
                        own_bytes(problem.a, problem.p, v), output_block(problem.a, problem.p, v),
                        array.groups * r[v], 0, 0});
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

/// Parts of replicas, dealt out.
class Dealer {
 public:
  Dealer(const Architecture& a, const Partition& p, const std::vector<std::int64_t>& replication)
      : a_(a),
        p_(p),
        bytes_(static_cast<std::size_t>(a.all_cores()), 0),
        room_(bytes_.size(), a.core.crossbars) {
    mapping_.replication = replication;
    mapping_.cores.resize(bytes_.size());
  }

  std::optional<Mapping> run() {
    Int128 trials = 0;
    for (std::size_t v = 0; v < p_.arrays.size(); ++v) {
      trials += Int128{p_.arrays[v].groups} * mapping_.replication[v] * a_.all_cores();
    }
    if (trials > kMostTrials) return std::nullopt;
    std::vector<std::size_t> order(p_.arrays.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t v) {
      return p_.arrays[v].groups * own_bytes(a_, p_, v);
    });
    for (const std::size_t v : order) {
      for (std::int64_t r = 0; r < mapping_.replication[v]; ++r) {
        if (!deal(v)) return std::nullopt;
      }
    }
    for (auto& core : mapping_.cores) std::ranges::sort(core, {}, &Share::array);
    return std::move(mapping_);
  }

 private:
  struct Sizes {  // array groups
    std::int64_t home = 1;
    std::int64_t other = 1;  // of other parts, at most
  };

  /// For which the part that needs most memory needs least.
  [[nodiscard]] Sizes sizes_of(std::size_t v) const {
    const ArrayNode& array = p_.arrays[v];
    const std::int64_t own = own_bytes(a_, p_, v);
    const std::int64_t most = std::min(array.groups, a_.core.crossbars / array.width);
    Sizes best;
    std::optional<std::int64_t> least;
    for (std::int64_t other = 1; other <= most; ++other) {
      for (std::int64_t home = 1; home <= other; ++home) {
        const std::int64_t others = assign::ceil_div(array.groups - home, other);
        const std::int64_t need =
            std::max(home * own + others * output_block(a_, p_, v), others > 0 ? other * own : 0);
        if (least && need >= *least) continue;
        best = {home, other};
        least = need;
      }
    }
    return best;
  }

  /// One replica: the cores with most memory left, the first of which is its home.
  bool deal(std::size_t v) {
    const Sizes sizes = sizes_of(v);
    std::int64_t left = p_.arrays[v].groups;
    const std::int64_t others = assign::ceil_div(left - sizes.home, sizes.other);
    std::vector<std::size_t> cores;
    for (std::int64_t part = 0; part <= others; ++part) {
      const std::optional<std::size_t> core = freest(v, others > 0 ? sizes.other : left, cores);
      if (!core) return false;
      cores.push_back(*core);
    }
    std::ranges::sort(cores);
    bytes_[cores.front()] += others * output_block(a_, p_, v);
    for (const std::size_t core : cores) {
      const std::int64_t n = std::min(left, core == cores.front() ? sizes.home : sizes.other);
      add(core, v, n);
      left -= n;
    }
    return true;
  }

  [[nodiscard]] std::optional<std::size_t> freest(std::size_t v, std::int64_t n,
                                                  const std::vector<std::size_t>& taken) const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < bytes_.size(); ++c) {
      if (room_[c] < n * p_.arrays[v].width || (best && bytes_[c] >= bytes_[*best])) continue;
      if (std::ranges::count(taken, c) > 0) continue;
      const bool has = std::ranges::count(mapping_.cores[c], v, &Share::array) > 0;
      const bool full = static_cast<std::int64_t>(mapping_.cores[c].size()) >= a_.core.max_nodes;
      if (has || !full) best = c;
    }
    return best;
  }

  void add(std::size_t core, std::size_t v, std::int64_t n) {
    std::vector<Share>& shares = mapping_.cores[core];
    const auto known = std::ranges::find(shares, v, &Share::array);
    if (known == shares.end()) {
      shares.push_back({v, n});
    } else {
      known->groups += n;
    }
    room_[core] -= n * p_.arrays[v].width;
    bytes_[core] += n * own_bytes(a_, p_, v);
  }

  const Architecture& a_;
  const Partition& p_;
  Mapping mapping_;
  std::vector<std::int64_t> bytes_;  // by core
  std::vector<std::int64_t> room_;   // crossbars
};

}  // namespace

std::optional<Mapping> deal_with_memory(const Architecture& architecture,
                                        const Partition& partition,
                                        const std::vector<std::int64_t>& replication) {
  return Dealer(architecture, partition, replication).run();
}

assign::Packed pack_with_memory(const assign::Problem& problem,
                                const std::vector<std::int64_t>& replication,
                                std::optional<std::int64_t> deadline, assign::Effort& effort) {
  return CoresInOrder(problem, replication, deadline, effort).run();
}

bool lacks_memory(const assign::Problem& problem) {
  const std::int64_t memory = problem.a.core.local_memory;
  Int128 all = 0;
  for (std::size_t v = 0; v < problem.p.arrays.size(); ++v) {
    const ArrayNode& array = problem.p.arrays[v];
    const std::int64_t own = own_bytes(problem.a, problem.p, v);
    if (own > memory) return true;
    all += Int128{array.groups} * own;
    // A home with n array groups of a replica receives from cores that hold no more than `most`.
    const std::int64_t most = std::min(problem.crossbars / array.width, memory / own);
    bool has_home = false;
    for (std::int64_t n = 1; n <= std::min(most, array.groups) && !has_home; ++n) {
      const Int128 others = assign::ceil_div(array.groups - n, most);
      has_home = Int128{n} * own + others * output_block(problem.a, problem.p, v) <= memory;
    }
    if (!has_home) return true;
  }
  return all > Int128{problem.cores} * memory;
}

}  // namespace pimbb::crossbar::within
